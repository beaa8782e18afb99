"""Notebooks: read into cells, shown to the model, and written back the way Jupyter writes them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from toolaudit.tools.interface import Block, ToolError

BYTES_MAX: Final = 100 << 20
"""The longest notebook that is read (documents, 13)."""

OUTPUT_CHARACTERS_MAX: Final = 10_000
"""The most characters of one output that are shown."""


def parse(text: str, path: str) -> Any:
    """The notebook in a text, in the newest minor version of its format. Raises ToolError where it is none."""
    try:
        import nbformat
        from nbformat import ValidationError
        from nbformat.reader import NotJSONError
    except ImportError as error:
        raise ToolError("Notebooks need nbformat: install toolaudit[tools].", "needs_nbformat") from error
    try:
        notebook = nbformat.reads(text, as_version=4)  # type: ignore[no-untyped-call]
        nbformat.validate(notebook)
    except (
        NotJSONError,
        ValidationError,
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        RecursionError,
    ) as error:
        raise ToolError(f"The file is no valid notebook: {path}", "broken_notebook") from error
    return notebook


def write(notebook: Any) -> str:
    """The text of a notebook's file."""
    import nbformat

    text: str = nbformat.writes(notebook)  # type: ignore[no-untyped-call]
    return text.rstrip("\n") + "\n"


def new_cell(kind: str, source: str, notebook: Any) -> Any:
    """A cell that was never run, with an id where the notebook's format has ids."""
    import nbformat.v4

    make = nbformat.v4.new_code_cell if kind == "code" else nbformat.v4.new_markdown_cell
    cell = make(source)  # type: ignore[no-untyped-call]
    if (notebook.nbformat, notebook.nbformat_minor) < (4, 5):
        del cell["id"]
    return cell


def show(notebook: Any) -> list[Block]:
    """The content blocks of a notebook: text runs joined, images between them."""
    blocks: list[dict[str, Any]] = []
    for index, cell in enumerate(notebook.cells):
        name = cell.get("id") or f"cell-{index}"
        kind = "" if cell.cell_type == "code" else f"<cell_type>{cell.cell_type}</cell_type>"
        _add_text(blocks, f'<cell id="{name}">{kind}{cell.source}</cell id="{name}">')
        for output in cell.get("outputs", ()):
            for part in _shown(output):
                if isinstance(part, str):
                    _add_text(blocks, "\n" + part)
                else:
                    blocks.append(dict(part))
    return list(blocks)


def _shown(output: Mapping[str, Any]) -> Iterator[str | Block]:
    match output.get("output_type"):
        case "stream":
            yield _cut(output.get("text", ""))
        case "error":
            yield _cut("\n".join([f"{output.get('ename')}: {output.get('evalue')}", *output.get("traceback", ())]))
        case "display_data" | "execute_result":
            data = output.get("data", {})
            for kind in ("image/png", "image/jpeg"):
                if isinstance(data.get(kind), str):
                    source = {"type": "base64", "media_type": kind, "data": "".join(data[kind].split())}
                    yield {"type": "image", "source": source}
                    return
            text = data.get("text/plain", "")
            yield _cut(text if isinstance(text, str) else json.dumps(text))


def _cut(text: str) -> str:
    left = len(text) - OUTPUT_CHARACTERS_MAX
    return text if left <= 0 else f"{text[:OUTPUT_CHARACTERS_MAX]}\n... [{left} characters truncated] ..."


def _add_text(blocks: list[dict[str, Any]], text: str) -> None:
    if blocks and blocks[-1]["type"] == "text":
        blocks[-1]["text"] += "\n" + text
    else:
        blocks.append({"type": "text", "text": text})
