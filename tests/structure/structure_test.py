#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Small trees of folders, tried with scripts/check_structure.py. One argument: the name of a test."""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).parents[2] / "scripts" / "check_structure.py"
MARKS = "<!-- picture of scripts/structure.txt -->\n<!-- end of the picture -->\n"


class Structure(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.write("docs/architecture.md", MARKS)
        for room in ("low", "high"):
            self.write(f"{room}/CMakeLists.txt", "")
            self.write(f"{room}/{room}.h", "#include <vector>\n")

    def write(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def check(self, listed):
        """The exit code and what was printed."""
        self.write("scripts/structure.txt", listed)
        command = [sys.executable, SCRIPT, "--root", self.root]
        subprocess.run([*command, "--draw"], stdout=subprocess.DEVNULL, check=False)
        result = subprocess.run(command, stdout=subprocess.PIPE, encoding="utf-8", check=False)
        return result.returncode, result.stdout

    def test_foldersThatIncludeWhatIsListed_areRight(self):
        self.write("high/high.h", '#include "low/low.h"\n')
        self.assertEqual(self.check("low:\nhigh: low\n")[0], 0)

    def test_includeThatIsNotListed_isSaidWithItsLine(self):
        self.write("high/high.h", '\n#include "low/low.h"\n')
        code, printed = self.check("low:\nhigh:\n")
        self.assertEqual(code, 1)
        self.assertEqual(printed, "high/high.h:2 includes from low, which scripts/structure.txt does not allow high\n")

    def test_includeBesideItsFile_countsAsWell(self):
        self.write("high/high.h", '#include "../low/low.h"\n')
        self.assertIn("high/high.h:1 includes from low", self.check("low:\nhigh:\n")[1])

    def test_circle_mustBeMarkedInTheList(self):
        self.write("high/high.h", '#include "low/low.h"\n')
        self.write("low/low.h", '#include "high/high.h"\n')
        code, printed = self.check("low: high\nhigh: low\n")
        self.assertEqual(code, 1)
        self.assertIn("low stands below high, which it includes", printed)
        self.assertEqual(self.check("low: [high]\nhigh: low\n")[0], 0)

    def test_markOfACircleThatIsNone_isSaid(self):
        self.write("low/low.h", '#include "high/high.h"\n')
        self.assertIn("[high] on the line of low closes no circle", self.check("low: [high]\nhigh:\n")[1])
        self.assertIn("it needs no brackets", self.check("high:\nlow: [high]\n")[1])

    def test_entryThatNothingNeeds_isSaid(self):
        self.assertIn("high does not include low any more", self.check("low:\nhigh: low\n")[1])
        self.assertIn("there are no sources in gone", self.check("low:\nhigh:\ngone:\n")[1])

    def test_folderWithoutALine_isSaid(self):
        self.assertIn("no line for high", self.check("low:\n")[1])

    def test_includeOfATest_isNotAllowed(self):
        self.write("tests/help.h", "")
        self.write("low/low.h", '#include "tests/help.h"\n')
        self.assertIn("low/low.h:1 includes from tests", self.check("low:\nhigh:\n")[1])

    def test_lineThatALawForbids_isSaid_alsoInFoldersBelow(self):
        self.write("low/deep/deep.h", "int one;  // may throw\nthrow one;\n")
        code, printed = self.check("low:\nlow/deep:\nhigh:\nnever low: \\bthrow\\b\n")
        self.assertEqual(code, 1)
        self.assertEqual(printed, "low/deep/deep.h:2 has 'throw', which scripts/structure.txt forbids in low\n")
        self.assertEqual(self.check("low:\nlow/deep:\nhigh:\nnever high: \\bthrow\\b\n")[0], 0)

    def test_lawOfAFolderThatIsGone_isSaid(self):
        self.assertIn("no sources in gone, which has a law", self.check("low:\nhigh:\nnever gone: x\n")[1])

    def test_commentThatNeedsItsNeighbours_isSaid_alsoBehindCodeAndInTests(self):
        self.write("tests/CMakeLists.txt", "")
        self.write("low/low.h", "/// Those of a room.\nint one;  ///< The same for one\n")
        self.write("tests/low.js", "/** So many. */\n")
        listed = "low:\nhigh:\nopening The same\nopening Those\nopening So\n"
        code, printed = self.check(listed)
        self.assertEqual(code, 1)
        self.assertEqual([line.split(" has")[0] for line in printed.splitlines()],
                         ["low/low.h:1", "low/low.h:2", "tests/low.js:1"])
        self.write("low/low.h", "/// Is of a room.\n/// Those of a house count.\nint one;  ///< Some of them\n")
        self.write("tests/low.js", "/** Sorted. */\nconst text = 'So // far';\n")
        self.assertEqual(self.check(listed)[0], 0)

    @unittest.skipUnless(shutil.which("git"), "there is no git")
    def test_entryOfTheRootThatIsNotListed_isSaid_onlyIfGitKnowsIt(self):
        listed = "low:\nhigh:\nbeside docs scripts\n"
        self.write("run.otf2", "")
        self.write("notes/first.txt", "")
        self.assertEqual(self.check(listed)[0], 0)
        for arguments in (["init", "--quiet"], ["add", "low", "high", "docs", "scripts", "notes"]):
            subprocess.run(["git", "-C", self.root, *arguments], check=True)
        code, printed = self.check(listed)
        self.assertEqual(code, 1)
        self.assertEqual(printed, "notes stands in the root folder, where scripts/structure.txt does not know it: "
                         "remove it, or put it on a line of 'beside'\n")
        self.assertEqual(self.check(listed + "beside notes\n")[0], 0)
        self.assertIn("there is no gone beside the rooms", self.check(listed + "beside notes gone\n")[1])

    def test_pictureOfAnotherList_isSaid(self):
        self.write("high/high.h", '#include "low/low.h"\n')
        self.check("low:\nhigh: low\n")
        self.write("docs/architecture.md", MARKS)
        command = [sys.executable, SCRIPT, "--root", self.root]
        result = subprocess.run(command, stdout=subprocess.PIPE, encoding="utf-8", check=False)
        self.assertIn("docs/architecture.md does not draw", result.stdout)


if __name__ == "__main__":
    unittest.main()
