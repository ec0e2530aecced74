"""A function as small as one can be, to be compiled in place of a search, which takes seconds."""


def doubled(number: int) -> int:
    return 2 * number
