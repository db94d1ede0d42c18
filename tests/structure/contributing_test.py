#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""CONTRIBUTING.md names files that are there, and commits that show what it says. One argument: the name of a test."""
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).parents[2]
PAGE = (ROOT / "CONTRIBUTING.md").read_text()
RECIPES = PAGE.split("\n## ")[1:]


class Contributing(unittest.TestCase):
    def test_filesOfRecipes_areThere(self):
        named = re.findall(r"\]\(([^)]+)\)", PAGE) + re.findall(r"`((?:[\w-]+/)+[\w.*-]*)`", PAGE)
        self.assertGreater(len(named), 20)
        for path in named:
            with self.subTest(path=path):
                self.assertTrue(list(ROOT.glob(path.rstrip("/"))), f"CONTRIBUTING.md names {path}")

    def test_recipes_nameACommitThatShowsThem(self):
        subjects = [re.search(r"Shown by: \*([^*]+)\*", " ".join(recipe.split())) for recipe in RECIPES]
        self.assertEqual(len(RECIPES), 6)
        self.assertNotIn(None, subjects)
        log = subprocess.run(["git", "-C", ROOT, "log", "--format=%s"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                             encoding="utf-8", check=False)
        commits = log.stdout.splitlines()
        if len(commits) < 1000:
            self.skipTest("the history is not here")
        for subject in subjects:
            self.assertTrue(subject[1] in commits, f"no commit is called: {subject[1]}")

    def test_namesThatMacrosMakeOfTables_areFoundByTags(self):
        rules = re.findall(r"^--regex-C\+\+=/(.*)/([^/]*)/T/$", (ROOT / ".ctags.d/holos.ctags").read_text(), re.MULTILINE)
        lines = "\n".join(path.read_text() for path in ROOT.glob("*/**/*.def") if not path.is_relative_to(ROOT / "build"))
        names = {found.expand(name) for rule, name in rules for found in re.finditer(rule, lines, re.MULTILINE)}
        for name in ("mpiSend", "MpiSend", "polls", "kLateSenderPattern", "makeFoldedFormat", "MPI_Allgather"):
            self.assertIn(name, names)


if __name__ == "__main__":
    unittest.main()
