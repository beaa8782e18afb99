"""Read: every row measured against the client, or named by the documents."""

from __future__ import annotations

import base64
import io
import json
import math
import os
from pathlib import Path

import pypdf
import pytest

from tests.tools.builtin.conftest import Bench
from toolaudit.tools.builtin.read import TOKENS_VARIABLE, TOOL

NUMBERED = "".join(f"line {number}\n" for number in range(1, 3001))
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"


@pytest.mark.parametrize(
    ("content", "given", "shown"),
    [
        ("a\nb", {}, "1\ta\n2\tb"),
        ("a\nb\n", {}, "1\ta\n2\tb\n3\t"),
        ("a\r\nb\r\nc", {}, "1\ta\n2\tb\n3\tc"),
        ("\ufeffa\n", {}, "1\ta\n2\t"),
        (b"\xff\xfea\0b\0\n\0", {}, "1\tab\n2\t"),
        ("a\nb", {"offset": 2}, "2\tb"),
        (NUMBERED, {"offset": 2990, "limit": 2}, "2990\tline 2990\n2991\tline 2991"),
        (NUMBERED, {"offset": "2990", "limit": "1"}, "2990\tline 2990"),
        (NUMBERED, {"offset": 0, "limit": 2}, "0\tline 1\n1\tline 2"),
        (NUMBERED, {"offset": -5, "limit": 2}, "1\tline 1\n2\tline 2"),
        ("a\nb", {"limit": 0}, "1\ta\n2\tb"),
        ("", {}, "<system-reminder>Warning: the file exists but the contents are empty.</system-reminder>"),
    ],
    ids=[
        *("no last newline", "last newline", "CRLF", "mark", "UTF-16", "offset", "offset and limit", "numbers as text"),
        *("offset 0", "negative offset", "limit 0", "empty"),
    ],
)
def test_text(bench: Bench, content: str | bytes, given: dict[str, object], shown: str) -> None:
    assert bench.run(TOOL, file_path=bench.file("a.txt", content), **given) == shown


def test_beyond_the_end(bench: Bench) -> None:
    assert "shorter than the provided offset (9). The file has 2 lines." in bench.run(
        TOOL, file_path=bench.file("a.txt", "a\nb"), offset=9
    )


def test_what_is_no_utf_8_is_said(bench: Bench) -> None:
    assert bench.run(TOOL, file_path=bench.file("a.txt", b"caf\xe9")).startswith(
        "1\tcaf\ufffd\n\n[This file is not valid"
    )


@pytest.mark.parametrize("given", [{}, {"offset": 10}], ids=["whole", "offset alone"])
def test_a_long_file_is_read_in_parts(bench: Bench, given: dict[str, object]) -> None:
    path = bench.file("long.txt", "words\n" * 60_000)
    assert "exceeds maximum allowed size (256KB)" in str(bench.fail(TOOL, file_path=path, **given))
    assert bench.run(TOOL, file_path=path, limit=1) == "1\twords"
    assert bench.run(TOOL, file_path=path, allow_large=True).count("words") == 60_000


def test_too_many_tokens_show_the_first_page(bench: Bench) -> None:
    bench.options(environment={TOKENS_VARIABLE: "100"})
    path = bench.file("a.txt", NUMBERED)
    shown = bench.run(TOOL, file_path=path)
    assert shown.startswith("1\tline 1\n")
    assert "PARTIAL view: lines 1-" in shown
    assert bench.context.files.get(path) is not None
    assert "exceeds maximum allowed tokens (100)" in str(bench.fail(TOOL, file_path=path, offset=1, limit=2000))
    bench.set_version("2.1.144")
    assert "exceeds maximum allowed tokens (100)" in str(bench.fail(TOOL, file_path=path))


def test_reading_is_remembered_with_text_and_extent(bench: Bench) -> None:
    path = bench.file("a.txt", "a\nb\n")
    bench.run(TOOL, file_path=path, limit=1)
    state = bench.context.files.get(path)
    assert state is not None
    assert state.partial
    bench.run(TOOL, file_path="a.txt")
    state = bench.context.files.get(path)
    assert state is not None
    assert (state.text, state.partial, state.timestamp) == ("a\nb\n", False, Path(path).stat().st_mtime)


def test_a_directory_is_refused_and_was_once_listed(bench: Bench) -> None:
    bench.file("d/b.txt", "")
    bench.file("d/c/x", "")
    assert bench.fail(TOOL, file_path="d").code == "EISDIR"
    bench.set_version("2.1.200")
    assert bench.run(TOOL, file_path="d") == "b.txt\nc/"


def test_what_is_missing(bench: Bench) -> None:
    error = bench.fail(TOOL, file_path="nothere.txt")
    assert (error.code, str(bench.root) in str(error)) == ("ENOENT", True)


@pytest.mark.parametrize("path", ["/dev/zero", "/dev/null", "pipe"])
def test_special_files_are_refused_at_once(bench: Bench, path: str) -> None:
    os.mkfifo(bench.root / "pipe")
    assert bench.fail(TOOL, file_path=path).code == "special_file"


def test_links_are_followed_and_circles_refused(bench: Bench) -> None:
    bench.file("a.txt", "x")
    (bench.root / "link").symlink_to("a.txt")
    (bench.root / "circle").symlink_to("circle")
    assert bench.run(TOOL, file_path="link") == "1\tx"
    assert bench.fail(TOOL, file_path="circle").code == "link_loop"


def test_images_are_told_by_their_bytes(bench: Bench) -> None:
    content = bench.run(TOOL, file_path=bench.file("a.jpg", PNG))
    assert content == [
        {
            "type": "image",
            "source": {"type": "base64", "media_type": "image/png", "data": base64.b64encode(PNG).decode()},
        }
    ]
    assert "hex: 6e 6f 74" in str(bench.fail(TOOL, file_path=bench.file("b.png", "not a png")))


@pytest.mark.parametrize(("there", "given"), [("\u202f", " "), (" ", "\u202f")], ids=["narrow there", "narrow given"])
def test_the_space_in_the_name_of_a_screenshot(bench: Bench, there: str, given: str) -> None:
    bench.file(f"Screenshot at 1.02.03{there}PM.png", PNG)
    assert bench.run(TOOL, file_path=f"Screenshot at 1.02.03{given}PM.png")[0]["type"] == "image"
    bench.file(f"notes{there}PM.txt", "x")
    assert bench.fail(TOOL, file_path=f"notes{given}PM.txt").code == "ENOENT"


def pdf(pages: int) -> bytes:
    writer = pypdf.PdfWriter()
    for number in range(pages):
        writer.add_blank_page(100 + number, 100)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def widths(content: list[dict[str, dict[str, str]]]) -> list[int]:
    reader = pypdf.PdfReader(io.BytesIO(base64.b64decode(content[0]["source"]["data"])))
    return [int(page.mediabox.width) for page in reader.pages]


def test_pdf_pages(bench: Bench) -> None:
    short, long = bench.file("short.pdf", pdf(10)), bench.file("long.pdf", pdf(11))
    assert len(widths(bench.run(TOOL, file_path=short))) == 10
    assert "has 11 pages" in str(bench.fail(TOOL, file_path=long))
    assert widths(bench.run(TOOL, file_path=long, pages="2-4")) == [101, 102, 103]
    assert widths(bench.run(TOOL, file_path=long, pages="11")) == [110]
    assert bench.fail(TOOL, file_path=long, pages="11-12").code == "no_such_page"


@pytest.mark.parametrize(
    ("content", "code"), [(b"not a pdf", "no_pdf"), (b"%PDF-1.4\ngarbage", "broken_pdf"), (pdf(2)[:200], "broken_pdf")]
)
def test_broken_documents_are_named(bench: Bench, content: bytes, code: str) -> None:
    assert bench.fail(TOOL, file_path=bench.file("a.pdf", content)).code == code


def test_a_notebook_is_shown_cell_by_cell(bench: Bench) -> None:
    image = base64.b64encode(PNG).decode()
    cells = [
        {"cell_type": "markdown", "id": "c1", "metadata": {}, "source": ["# hi\n", "there"]},
        {
            "cell_type": "code",
            "id": "c2",
            "metadata": {},
            "execution_count": 1,
            "source": "print(1)",
            "outputs": [
                {"output_type": "stream", "name": "stdout", "text": ["1\n"]},
                {"output_type": "display_data", "data": {"image/png": image}, "metadata": {}},
                {"output_type": "error", "ename": "E", "evalue": "v", "traceback": ["t1"]},
            ],
        },
    ]
    text = json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    first, picture, last = bench.run(TOOL, file_path=bench.file("n.ipynb", text))
    assert first["text"].startswith(
        '<cell id="c1"><cell_type>markdown</cell_type># hi\nthere</cell id="c1">\n<cell id="c2">'
    )
    assert picture["source"]["data"] == image
    assert last["text"] == "\nE: v\nt1"
    assert bench.fail(TOOL, file_path=bench.file("b.ipynb", "{}")).code == "broken_notebook"


def test_what_it_says_of_itself() -> None:
    given = TOOL.input_schema(file_path="a")
    assert TOOL.is_read_only(given)
    assert TOOL.is_concurrency_safe(given)
    assert TOOL.max_result_size_chars == math.inf
