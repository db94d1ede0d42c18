#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares the sources that pages show with the sources themselves, links of pages with files and headings, and the newest
entry of the change log with the project's version.

  scripts/check_pages.py            checks docs/*.md, links of all pages, and CHANGELOG.md
  scripts/check_pages.py --write    puts the sources as they are into the pages
  scripts/check_pages.py --root DIR checks another tree

A page shows a file below a line that names it, without the line on its license:

  <!-- examples/library/show_metric.cpp -->
  ```cpp
  …
  ```

Exit code 0: all is as it should be; 1: something is not, and is named.
"""
import argparse
import pathlib
import re
import sys

SHOWN = re.compile(r"^<!-- (\S+/\S+\.\w+) -->\n```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
VERSION = re.compile(r"^project\(Holos VERSION (\S+)", re.MULTILINE)
ENTRY = re.compile(r"^## (\S+)", re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s#]*)(?:#([^)\s]*))?\)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
CODE = re.compile(r"^( *)```.*?^\1```$", re.MULTILINE | re.DOTALL)
LICENSE = re.compile(r"^(//|#) SPDX-License-Identifier: .*\n")


def anchors(page):
    """The parts of a page that links may name, as GitHub and GitLab name them."""
    headings = HEADING.findall(CODE.sub("", page.read_text()))
    texts = (re.sub(r"\]\([^)]*\)", "", heading) for heading in headings)
    return {re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-") for text in texts}


def broken_links(root):
    folders = (folder for folder in root.iterdir() if folder.is_dir() and folder.name not in ("build", ".git"))
    for page in sorted([*root.glob("*.md"), *(page for folder in folders for page in folder.rglob("*.md"))]):
        for path, part in LINK.findall(CODE.sub("", page.read_text())):
            if "://" in path:
                continue
            aim = page.parent / path if path else page
            if not aim.exists():
                yield f"{page.relative_to(root)} links to {path}, which is not there"
            elif part and aim.suffix == ".md" and part not in anchors(aim):
                yield f"{page.relative_to(root)} links to {path}#{part}, a heading that is not there"


def main():
    parser = argparse.ArgumentParser(usage=__doc__, add_help=False)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).parent.parent)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    root, problems, count = arguments.root.resolve(), [], 0
    for page in sorted(root.glob("docs/*.md")):

        def as_it_is(match):
            text = LICENSE.sub("", (root / match[1]).read_text())
            return f"<!-- {match[1]} -->\n```{match[2]}\n{text}```"

        text = page.read_text()
        for match in SHOWN.finditer(text):
            count += 1
            if not (root / match[1]).is_file():
                sys.exit(f"{page.relative_to(root)} shows {match[1]}, which is not there")
            if match[0] != as_it_is(match) and not arguments.write:
                problems.append(f"{page.relative_to(root)} does not show {match[1]} as it is: run scripts/check_pages.py --write")
        if arguments.write:
            page.write_text(SHOWN.sub(as_it_is, text))
    version, entry = VERSION.search((root / "CMakeLists.txt").read_text()), ENTRY.search((root / "CHANGELOG.md").read_text())
    if not entry or not version or entry[1] != version[1]:
        problems.append("CHANGELOG.md does not begin with the version that CMakeLists.txt has")
    problems += broken_links(root)
    print("\n".join(problems) if problems else f"pages show {count} sources as they are, and their links lead somewhere")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
