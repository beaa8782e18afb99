"""The path of a call, from its name to its decision."""

from toolaudit.pipeline.run import STEPS, decide

__all__ = ["STEPS", "decide"]
