"""``python -m unidoku``: the same as the command ``unidoku``."""

import sys

from unidoku.cli import main

if __name__ == "__main__":
    sys.exit(main())
