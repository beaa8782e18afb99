import sys

from toolaudit.cli import start

sys.exit(start())
