"""`python -m playground` is `python -m playground.start`."""

import sys

from playground.start import main

if __name__ == "__main__":
    sys.exit(main())
