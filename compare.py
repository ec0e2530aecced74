"""Compare backends: the same program as ``unidoku compare``."""

import sys

from unidoku.cli import main

if __name__ == "__main__":
    sys.exit(main(["compare", *sys.argv[1:]]))
