"""``python -m retrieval``"""

import sys

from retrieval.cli import main

if __name__ == "__main__":
    sys.exit(main())
