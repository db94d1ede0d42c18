#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares what the folders of the project include, what stands in their sources, and what git knows of the root folder,
with scripts/structure.txt.

  scripts/check_structure.py            checks the sources and the picture in docs/architecture.md
  scripts/check_structure.py --draw     makes the picture anew from the list
  scripts/check_structure.py --root DIR checks another tree

Tests and examples stand outside: they may include everything, and nothing may include them.
Exit code 0: all is as listed; 1: something is not, and is printed.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys

OUTSIDE = ("tests", "examples")
SOURCES = (".h", ".hpp", ".c", ".cpp", ".in")
INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]', re.MULTILINE)
LIST = "scripts/structure.txt"
PAGE = "docs/architecture.md"
PICTURE = re.compile(r"(<!-- picture of scripts/structure\.txt -->\n).*(<!-- end of the picture -->)", re.DOTALL)


class Structure:
    """The list: what each folder may include, from the ground floor up. Edges are pairs of (from, to)."""

    def __init__(self, text):
        self.folders = []  # from the ground floor up
        self.edges = set()
        self.exceptions = set()  # edges that lead up, and are known to
        self.laws = []  # (folder, pattern) of what lines of code below a folder never have
        self.beside = set()  # what stands beside the rooms
        self.openings = []  # words that no comment begins with
        for line in text.splitlines():
            line = line.split("#")[0].strip()
            if not line:
                continue
            if line.startswith("never "):
                folder, _, pattern = line.removeprefix("never ").partition(":")
                self.laws.append((folder.strip(), re.compile(pattern.strip())))
                continue
            if line.startswith("opening "):
                self.openings.append(line.removeprefix("opening "))
                continue
            if line.startswith("beside "):
                self.beside.update(line.split()[1:])
                continue
            folder, colon, below = line.partition(":")
            if not colon:
                sys.exit(f"{LIST}: '{line}' has no colon after its folder")
            self.folders.append(folder.strip())
            for word in below.split():
                edge = (folder.strip(), word.strip("[]"))
                self.edges.add(edge)
                if word.startswith("["):
                    self.exceptions.add(edge)

    def problems(self, included):
        """What is wrong with the list, or with the sources; `included` is a place for each edge that sources have."""
        floor = {folder: number for number, folder in enumerate(self.folders)}
        for edge in sorted(self.edges - set(included)):
            yield f"{LIST}: {edge[0]} does not include {edge[1]} any more: remove it from the line of {edge[0]}"
        used = {folder for edge in included for folder in edge}
        for (one, other), place in sorted(included.items()):
            if (one, other) not in self.edges:
                yield f"{place} includes from {other}, which {LIST} does not allow {one}"
            elif one not in floor or other not in floor:
                yield f"{LIST}: no line for {one if one not in floor else other}"
            elif floor[one] < floor[other] and (one, other) not in self.exceptions:
                yield f"{LIST}: {one} stands below {other}, which it includes: move its line, or break the circle"
            elif floor[one] > floor[other] and (one, other) in self.exceptions:
                yield f"{LIST}: {other} stands below {one}: it needs no brackets"
        for one, other in sorted(self.exceptions & set(included)):
            if not self.leads(other, one):
                yield f"{LIST}: [{other}] on the line of {one} closes no circle: move one of their lines"

    def strays(self, root):
        """What is wrong in the root folder by what git knows of it; nothing where git is missing or knows nothing."""
        if shutil.which("git") is None:
            return
        command = ["git", "-C", root, "ls-files", "-z"]
        listing = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
        there = {path.split("/")[0] for path in listing.stdout.split("\0") if path}
        if not there:
            return
        known = self.beside | {folder.split("/")[0] for folder in self.folders}
        for name in sorted(there - known):
            yield f"{name} stands in the root folder, where {LIST} does not know it: remove it, or put it on a line of 'beside'"
        for name in sorted(self.beside - there):
            yield f"{LIST}: there is no {name} beside the rooms"

    def leads(self, start, end):
        """Whether includes lead from one folder to another."""
        seen, waiting = set(), [start]
        while waiting:
            folder = waiting.pop()
            if folder == end:
                return True
            if folder not in seen:
                seen.add(folder)
                waiting += [below for above, below in self.edges if above == folder]
        return False


def includes(root):
    """A file and a line for each edge between folders that the sources have, and the folders that have sources."""
    rooms = sorted(path.parent for path in root.glob("*/CMakeLists.txt") if path.parent.name not in OUTSIDE)
    sources = [path for room in rooms for path in sorted(room.rglob("*")) if path.suffix in SOURCES]
    public = {path for path in (path.parent for path in sources) if path.name == "include" or path.parent.name == "include"}
    folders = {path.parent.relative_to(root).as_posix() for path in sources}
    edges = {}
    for path in sources:
        folder = path.parent.relative_to(root).as_posix()
        text = path.read_text(errors="replace")
        for match in INCLUDE.finditer(text):
            candidates = [path.parent, root, *(one.parent if one.parent.name == "include" else one for one in public)]
            file = next((one / match[1] for one in candidates if (one / match[1]).is_file()), None)
            if file is None:  # of the system, or made by the build
                continue
            other = file.resolve().parent.relative_to(root).as_posix()
            if other != folder:
                line = text.count("\n", 0, match.start(1)) + 1
                edges.setdefault((folder, other), f"{path.relative_to(root)}:{line}")
    return edges, folders


def broken(laws, root):
    """A sentence for each line of code that a law of its folder forbids. Comments may have it."""
    for folder, pattern in laws:
        paths = [path for path in sorted((root / folder).rglob("*")) if path.suffix in SOURCES]
        for path in paths:
            for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
                if match := pattern.search(line.split("//")[0]):
                    yield f"{path.relative_to(root)}:{number} has '{match[0]}', which {LIST} forbids in {folder}"
        if not paths:
            yield f"{LIST}: there are no sources in {folder}, which has a law"


def lost(openings, root):
    """A sentence for each comment that begins with one of these words, in rooms, tests and examples."""
    if not openings:
        return
    begin = re.compile(rf"(?:^|\s)(?://[/!]?<?|/\*\*?)\s+({'|'.join(openings)})\b")
    folders = sorted(path.parent for path in root.glob("*/CMakeLists.txt"))
    for path in (one for folder in folders for one in sorted(folder.rglob("*")) if one.suffix in (*SOURCES, ".js")):
        continues = False  # the comment of the line before
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
            isAll = line.lstrip().startswith("//") and "SPDX-" not in line
            if not (isAll and continues) and (match := begin.search(line)):
                yield f"{path.relative_to(root)}:{number} has a comment that begins with '{match[1]}', and needs its neighbours"
            continues = isAll


def reduced(edges):
    """Without the edges that others lead along anyway; those of circles stay."""
    below = {}
    for one, other in edges:
        below.setdefault(one, set()).add(other)

    def reaches(start, end, without):
        seen, waiting = set(), [(start, other) for other in below.get(start, ())]
        while waiting:
            edge = waiting.pop()
            if edge == without or edge[1] in seen or edge[1] == without[0]:
                continue
            if edge[1] == end:
                return True
            seen.add(edge[1])
            waiting += [(edge[1], other) for other in below.get(edge[1], ())]
        return False

    return {edge for edge in edges if not reaches(*edge, without=edge)}


def drawn(title, names, edges, exceptions):
    """A diagram in the language of Mermaid; arrows that close circles are dotted."""
    number = {name: f"n{index}" for index, name in enumerate(names)}
    straight = reduced({edge for edge in edges if edge not in exceptions})
    lines = [f"{title}\n", "```mermaid", "flowchart TD"]
    lines += [f'  {number[name]}["{name}"]' for name in reversed(names)]
    lines += [f"  {number[one]} --> {number[other]}" for one, other in sorted(straight)]
    lines += [f"  {number[one]} -.-> {number[other]}" for one, other in sorted(exceptions)]
    return "\n".join(lines + ["```"])


def picture(structure):
    """Rooms with each other, then the folders within each room."""
    room = {folder: folder.split("/")[0] for folder in structure.folders}
    rooms = list(dict.fromkeys(room[folder] for folder in structure.folders))
    between = {(room[one], room[other]) for one, other in structure.edges if room[one] != room[other]}
    pictures = [drawn("The top-level folders, called *rooms*:", rooms, between, set())]
    for name in rooms:
        inside = [folder for folder in structure.folders if room[folder] == name]
        edges = {edge for edge in structure.edges if set(edge) <= set(inside)}
        if edges:
            pictures.append(drawn(f"Within `{name}`:", inside, edges, structure.exceptions & edges))
    return "\n\n".join(pictures) + "\n"


def main():
    parser = argparse.ArgumentParser(usage=__doc__, add_help=False)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).parent.parent)
    parser.add_argument("--draw", action="store_true")
    arguments = parser.parse_args()
    root = arguments.root.resolve()
    structure = Structure((root / LIST).read_text())
    edges, folders = includes(root)
    problems = list(structure.problems(edges))
    problems += [f"{LIST}: no line for {name}" for name in sorted(folders - set(structure.folders))]
    problems += [f"{LIST}: there are no sources in {name}" for name in structure.folders if name not in folders]
    problems += broken(structure.laws, root)
    problems += lost(structure.openings, root)
    problems += structure.strays(root)
    page = root / PAGE
    text = page.read_text()
    expected = PICTURE.sub(lambda match: match[1] + "\n" + picture(structure) + "\n" + match[2], text)
    if arguments.draw:
        page.write_text(expected)
    elif text != expected or not PICTURE.search(text):
        problems.append(f"{PAGE} does not draw what {LIST} says: run scripts/check_structure.py --draw")
    print("\n".join(problems) if problems else f"{len(folders)} folders include what {LIST} allows")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
