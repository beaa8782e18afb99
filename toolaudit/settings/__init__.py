"""Settings files to one policy: read strictly, check, merge by scope; every rule keeps its file, line and column."""

from toolaudit.settings.errors import SettingsError
from toolaudit.settings.load import load, load_objects
from toolaudit.settings.locate import locate
from toolaudit.settings.mode import effective_mode

__all__ = ["SettingsError", "effective_mode", "load", "load_objects", "locate"]
