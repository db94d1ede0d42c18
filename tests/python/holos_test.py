# SPDX-License-Identifier: BSD-3-Clause
"""The package `holos`: its values are those of the commands, for a generated trace.

  holos_test.py HOLOS GENERATE_TRACE
"""
import csv
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy
    import pandas
    import xarray  # noqa: F401
    import matplotlib  # noqa: F401
except ImportError as missing:
    print(missing)
    sys.exit(77)
import holos

HOLOS, GENERATE = sys.argv[1:3]


def command(*arguments):
    return subprocess.run([HOLOS, *arguments], check=True, capture_output=True, text=True).stdout


class PythonPackage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        folder = pathlib.Path(cls.temporary.name)
        subprocess.run([GENERATE, "--known", "--processes", "4", "--threads", "2", "--rounds", "3", "-o", folder / "run"],
                       check=True, capture_output=True)
        command("analyze", str(folder / "run"))
        cls.folder, cls.file = folder, folder / "run/analysis.cubex"
        cls.run_ = holos.read(folder / "run")

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def exported(self, metric):
        command("export", str(self.file), "--metric", metric, "-o", str(self.folder / f"{metric}.csv"))
        with open(self.folder / f"{metric}.csv", newline="") as rows:
            return list(csv.DictReader(rows))

    def test_values_areThoseOfTheExport(self):
        places = list(zip(self.run_.locations["rank"], self.run_.locations["thread"]))
        for metric in ("time", "mpi_latesender", "visits"):
            values = self.run_.values(metric)
            self.assertEqual(values.shape, (len(self.run_.call_paths), len(self.run_.locations)))
            found = numpy.zeros_like(values)
            for row in self.exported(metric):
                found[int(row["call_path_id"]), places.index((int(row["rank"]), int(row["thread"])))] = float(row["value"])
            self.assertGreater(abs(found).sum(), 0)
            numpy.testing.assert_allclose(values, found, rtol=1e-12)

    def test_totals_areThoseThatShowPrints(self):
        for line in json.loads(command("show", str(self.file), "--format", "json"))["metrics"]:
            if line["value"] is not None:
                self.assertAlmostEqual(self.run_.total(line["metric"]), line["value"], places=9)

    def test_sumsAlongTrees_areConsistent(self):
        exclusive, inclusive = self.run_.by_call_path("time"), self.run_.by_call_path("time", calls=True)
        roots = self.run_.call_paths["parent"].isna().to_numpy()
        self.assertAlmostEqual(exclusive.sum(), inclusive[roots].sum())
        self.assertAlmostEqual(self.run_.by_location("time").sum(), self.run_.total("time"))
        numpy.testing.assert_allclose(self.run_.values("time", calls=True).sum(axis=1), inclusive)

    def test_framesAndArrays_holdTheValuesWithNames(self):
        frame, array = self.run_.frame("time"), self.run_.array("time")
        self.assertEqual(frame.shape, array.shape)
        self.assertEqual(array.attrs["unit"], "sec")
        numpy.testing.assert_array_equal(frame.to_numpy(), array.to_numpy())
        self.assertIsInstance(self.run_.metrics, pandas.DataFrame)

    def test_analysisInPlace_isThatOfTheCommand(self):
        analyzed = holos.analyze(self.folder / "run")
        self.assertEqual(analyzed.problems, [])

        def by_text(run):  # call paths of a file are in the order of the file
            return {run.call_path_text(path): tuple(row) for path, row in enumerate(run.values("time"))}
        self.assertEqual(by_text(analyzed), by_text(self.run_))

    def test_operators_leaveTheirInputs(self):
        before = self.run_.total("time")
        self.assertEqual((self.run_ - self.run_).total("time"), 0)
        self.assertAlmostEqual(holos.mean(self.run_, self.run_).total("time"), before)
        self.assertAlmostEqual(holos.sum([self.run_, self.run_]).total("time"), 2 * before)
        self.assertAlmostEqual(self.run_.scale(1000, "ms").total("time"), 1000 * before)
        for smaller in (self.run_.flatten(), self.run_.collapse("one"), self.run_.cut(depth=1)):
            self.assertAlmostEqual(smaller.total("time"), before)
        self.assertEqual(self.run_.total("time"), before)
        self.run_.collapse("processes").write(self.folder / "small.cubex")
        self.assertEqual(len(holos.read(self.folder / "small.cubex").locations), 4)

    def test_resultsOfOperators_areNamedAsThoseOfTheCommands(self):
        twice = holos.sum(self.run_, self.run_)
        for operation, result in (("sum", twice), ("min", holos.minimum(self.run_, twice)), ("diff", self.run_ - twice),
                                  ("cut", self.run_.cut(depth=1)), ("scale", self.run_.scale(-1))):
            made = json.loads(result.attributes["holos::provenance"])
            self.assertEqual(made["operation"], operation)
            self.assertTrue(all("from" in one for one in made["inputs"]), made)
            # A sum takes longer than each of the runs, a difference has negative times: that contradicts nothing.
            self.assertEqual(result.contradictions(), [])

    def test_resultsThatContradictEachOther_areSaidWhenTheyAreWritten(self):
        self.assertEqual(self.run_.contradictions(), [])
        (self.run_ - self.run_.scale(2)).write(self.folder / "change.cube")
        text = (self.folder / "change.cube").read_text()
        self.assertIn("holos::provenance", text)
        (self.folder / "broken.cube").write_text(text.replace("holos::provenance", "history"))
        broken = holos.read(self.folder / "broken.cube")
        self.assertTrue(any("is negative somewhere" in one for one in broken.contradictions()), broken.contradictions())
        with self.assertWarnsRegex(UserWarning, "results contradict each other"):
            broken.write(self.folder / "broken.cubex")
        self.assertEqual(broken.contradictions(), holos.read(self.folder / "broken.cubex").contradictions())

    def test_summaryAndDisplay_sayWhatShowSays(self):
        summary = self.run_.summary()
        shown = json.loads(command("show", str(self.file), "--format", "json"))["summary"]
        self.assertEqual([problem["what"] for problem in summary["problems"]], [problem["what"] for problem in shown["problems"]])
        self.assertIn("<ol>", self.run_._repr_html_())
        self.assertIsNone((self.run_ - self.run_).summary())
        self.assertEqual(len(self.run_.plot("time", top=5).patches), 5)
        self.run_.heatmap("time")

    def test_panes_areAPageOfTheirOwn_withTheValuesOfEach(self):
        panes = self.run_.panes(self.run_ - self.run_, names=["run", "nothing, <b>"])
        text = panes._repr_html_()
        self.assertTrue(text.startswith("<iframe ") and 'sandbox="allow-scripts"' in text)
        self.assertNotIn("<script", text)  # all of the page is one attribute
        start = panes.page.index('class="holos-data">') + len('class="holos-data">')
        carried = json.loads(panes.page[start:panes.page.index("</script>", start)])
        self.assertEqual([each["name"] for each in carried], ["run", "nothing  <b>"])
        names = [each["uniqueName"] for each in carried[0]["metrics"]]
        time = names.index("time")
        parts = [at for at, each in enumerate(carried[0]["metrics"]) if at == time or self.isBelow(carried[0]["metrics"], at, time)]
        found = sum(sum(row[2::2]) for at in parts for row in carried[0]["values"][at])
        self.assertAlmostEqual(found, self.run_.total("time"), places=9)
        self.assertIn("holos-data", panes.page.split("</head>")[1])
        self.assertNotIn("http", panes.page.split("<script>")[-1])

    @staticmethod
    def isBelow(metrics, at, above):
        while at >= 0 and at != above:
            at = metrics[at]["parent"]
        return at == above

    def test_module_isTheCommand(self):
        module = subprocess.run([sys.executable, "-m", "holos", "info", str(self.file)], capture_output=True, text=True)
        self.assertEqual(module.stdout, command("info", str(self.file)))
        self.assertEqual(subprocess.run([sys.executable, "-m", "holos", "nothing"], capture_output=True).returncode, 2)

    def test_errors_areExceptionsThatSayWhatIsWrong(self):
        with self.assertRaisesRegex(holos.Error, "/nowhere"):
            holos.read("/nowhere")
        with self.assertRaisesRegex(KeyError, "no metric tme"):
            self.run_.values("tme")
        with self.assertRaises(ValueError):
            self.run_.collapse("threads")
        with self.assertRaises(holos.Error):
            holos.merge()


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
