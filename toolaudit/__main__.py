import sys

from toolaudit.cli import main

sys.exit(main())
