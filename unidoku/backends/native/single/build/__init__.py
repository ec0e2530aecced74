"""A layout and its constraints as rows and tables of numbers, which the search reads."""
