"""How a file tool takes the path it is given."""

from __future__ import annotations

from toolaudit.model.workspace import Workspace


def absolute(path: str, workspace: Workspace, directory: str = "") -> str:
    """The path as a file tool takes it: blanks around it cut off, `~/` expanded, made absolute, normalised.

    A relative one is taken from `directory`, or from the session's working directory where that is empty.
    """
    path = path.strip()
    if path == "~" or path.startswith("~/"):
        path = workspace.home + path[1:]
    elif not path.startswith("/"):
        path = f"{directory or workspace.cwd}/{path}"
    parts: list[str] = []
    for part in path.split("/"):
        if part == "..":
            del parts[-1:]
        elif part not in ("", "."):
            parts.append(part)
    return "/" + "/".join(parts)
