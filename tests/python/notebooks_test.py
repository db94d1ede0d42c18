# SPDX-License-Identifier: BSD-3-Clause
"""The notebooks of examples/notebooks: all cells run, on generated runs.

  notebooks_test.py HOLOS GENERATE_TRACE NOTEBOOKS

The cells run without Jupyter. Where nbclient and ipykernel are there, Jupyter runs them, too.
"""
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    import matplotlib  # noqa: F401
    import pandas  # noqa: F401
    import xarray  # noqa: F401
except ImportError as missing:
    print(missing)
    sys.exit(77)

HOLOS, GENERATE = sys.argv[1:3]
NOTEBOOKS = pathlib.Path(sys.argv[3])


def run_by_jupyter(file, folder):
    import nbclient
    import nbformat

    nbclient.NotebookClient(nbformat.read(file, as_version=4), timeout=60, resources={"metadata": {"path": folder}}).execute()


class Notebooks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        runs = {f"p{size}": (size, 3) for size in (2, 4, 8, 16)} | {"run": (4, 3), "before-1": (4, 3), "after-1": (4, 2)}
        for name, (processes, rounds) in runs.items():
            subprocess.run([GENERATE, "--known", "--processes", str(processes), "--threads", "1", "--rounds", str(rounds),
                            "-o", cls.folder / name], check=True, capture_output=True)
            subprocess.run([HOLOS, "analyze", cls.folder / name], check=True, capture_output=True)
        os.environ |= {"BEFORE": "before-1 before-1", "AFTER": "after-1 after-1"}
        os.chdir(cls.folder)

    @classmethod
    def tearDownClass(cls):
        os.chdir("/")
        cls.temporary.cleanup()

    def variables_of(self, name):
        variables = {}
        for cell in json.loads((NOTEBOOKS / name).read_text())["cells"]:
            if cell["cell_type"] == "code":
                exec(compile("".join(cell["source"]), f"{name} {cell['id']}", "exec"), variables)
                self.assertEqual(cell["outputs"], [], "results are not kept in the notebook")
        return variables

    def test_oneRun_namesItsWaits(self):
        variables = self.variables_of("one-run.ipynb")
        self.assertGreater(len(variables["problems"]), 0)
        self.assertEqual(len(variables["by_rank"]), 4)
        self.assertGreater(variables["by_rank"]["late sender"].sum(), 0)
        self.assertEqual(len(variables["waits"]), 10)
        self.assertGreater(len(variables["changes"]), 0)

    def test_twoVersions_differByARound(self):
        variables = self.variables_of("two-versions.ipynb")
        self.assertLess(variables["change"].total("time"), 0)
        self.assertGreater(len(variables["table"]), 0)

    def test_scaling_beginsWithASpeedupOfOne(self):
        variables = self.variables_of("scaling.ipynb")
        self.assertEqual(list(variables["table"].index), [2, 4, 8, 16])
        self.assertEqual(variables["table"]["speedup"].iloc[0], 1)
        self.assertIn("processes", variables["scaling"].stdout)

    @unittest.skipUnless(importlib.util.find_spec("nbclient") and importlib.util.find_spec("ipykernel"), "no Jupyter here")
    def test_all_runInJupyter(self):
        for file in sorted(NOTEBOOKS.glob("*.ipynb")):
            run_by_jupyter(file, self.folder)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
