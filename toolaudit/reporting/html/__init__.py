"""A replay as one HTML file: nothing is loaded from elsewhere, and no text of a session or a policy is ever markup.

Everything static is escaped here and readable without a script. The calls are data in a block that is never executed;
the script builds rows from them as text. The content security policy allows that one style and that one script, by
their hashes, and nothing else.
"""

from toolaudit.reporting.html.page import write

__all__ = ["write"]
