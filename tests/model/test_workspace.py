"""The three workspaces: what data describes is answered as the disk answers when it holds the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolaudit.model.workspace import TEXT_LIMIT, DataWorkspace, RealWorkspace, UnknownWorkspace

FILES = {"src/a.py": "x\n", "src/lib/b.py": "y\n", "notes/n.txt": "z\n"}
LINKS = {
    "ln": "src",
    "src/up": "..",
    "file": "src/a.py",
    "chain": "ln/lib",
    "dangling": "nowhere/x",
    "loop": "pool",
    "pool": "loop",
    "abs": "{cwd}/notes",
    "twice": "ln/up/ln/lib",
}
PATHS = [
    "",
    "src",
    "src/a.py",
    "src/missing",
    "ln",
    "ln/a.py",
    "ln/up/ln/up/notes/n.txt",
    "file",
    "file/below",
    "chain/b.py",
    "dangling",
    "dangling/more",
    "abs/n.txt",
    "twice/b.py",
    "nothing/at/all",
]


@pytest.fixture
def disk(tmp_path: Path) -> Path:
    root = tmp_path.resolve()
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    for name, target in LINKS.items():
        (root / name).symlink_to(target.replace("{cwd}", str(root)))
    return root


def described(root: Path) -> DataWorkspace:
    links = {name: target.replace("{cwd}", str(root)) for name, target in LINKS.items()}
    return DataWorkspace.describe(str(root), "/home/dana", FILES, links)


@pytest.mark.parametrize("name", PATHS)
def test_data_answers_like_the_disk(disk: Path, name: str) -> None:
    real, data = RealWorkspace(str(disk), "/home/dana"), described(disk)
    path = str(disk / name)
    assert data.hops(path) == real.hops(path)
    assert data.resolve(path) == real.resolve(path)
    assert data.is_file(path) == real.is_file(path)
    assert data.is_dir(path) == real.is_dir(path)
    assert data.exists(path) == real.exists(path)
    assert data.is_link(path) == real.is_link(path)
    assert data.read_text(path) == real.read_text(path)


@pytest.mark.parametrize("name", ["loop", "pool/x"])
def test_links_in_a_circle_have_no_hops(disk: Path, name: str) -> None:
    for workspace in (RealWorkspace(str(disk), "/home/dana"), described(disk)):
        with pytest.raises(OSError, match="too many links"):
            workspace.hops(str(disk / name))
        assert workspace.is_file(str(disk / name)) is False


def test_hops_name_each_place_on_the_way(disk: Path) -> None:
    assert described(disk).hops(f"{disk}/chain/b.py") == (
        f"{disk}/chain/b.py",
        f"{disk}/ln/lib/b.py",
        f"{disk}/src/lib/b.py",
    )


def test_a_long_file_is_not_read(disk: Path) -> None:
    (disk / "long").write_text("x" * (TEXT_LIMIT + 1))
    (disk / "bytes").write_bytes(b"\xff\xfe")
    real = RealWorkspace(str(disk), "/home/dana")
    assert real.read_text(f"{disk}/long") is None
    assert real.read_text(f"{disk}/bytes") is None


@pytest.mark.parametrize(
    ("path", "is_file", "is_dir", "exists"),
    [
        ("/etc/hostname", True, False, True),
        ("/bin/sh", True, False, True),
        ("/usr/bin", False, True, True),
        ("/tmp", False, True, True),
        ("/dev/null", False, False, True),
        ("/opt/nothing", False, False, False),
    ],
)
def test_an_ordinary_machine_around_the_data(path: str, is_file: bool, is_dir: bool, exists: bool) -> None:
    data = DataWorkspace.describe("/srv/app", "/home/dana")
    assert (data.is_file(path), data.is_dir(path), data.exists(path)) == (is_file, is_dir, exists)


def test_a_repository_has_its_folder() -> None:
    assert DataWorkspace.describe("/srv/app", "/home/dana", git=True).is_dir("/srv/app/.git")
    assert not DataWorkspace.describe("/srv/app", "/home/dana").is_dir("/srv/app/.git")


def test_nothing_is_known_of_an_unknown_machine() -> None:
    unknown = UnknownWorkspace()
    assert unknown.hops("/a/b") == ("/a/b",)
    assert unknown.resolve("/a/b") == "/a/b"
    answers = (unknown.is_file, unknown.is_dir, unknown.is_link, unknown.exists, unknown.read_text)
    assert {answer("/a/b") for answer in answers} == {None}
