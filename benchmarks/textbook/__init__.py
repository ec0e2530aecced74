"""Rules as a user of each library writes them who knows its manual: ``solve(board)``.

It builds the model of a board anew, counts its solutions up to two, and returns the count and the
seconds that the search took; the rest was building. What is posted is what the library's manual
has for it: `facts` says the rules in words that every library knows.
"""
