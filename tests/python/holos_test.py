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
LAW = """platform law
compute MANY = 2 * visits
finding OFTEN = MANY > 0
describe OFTEN "Often called" "It is called."
"""


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

    def test_questions_haveTheAnswersOfTheCommand(self):
        trace = self.folder / "run"
        for question in ("SELECT * FROM calls", "SELECT region, iteration, count(*) n, avg(duration) FROM calls GROUP BY 1, 2",
                         "SELECT 1 x, NULL, 'a' x UNION ALL SELECT 0.5, NULL, NULL", "SELECT process, culprit_path FROM waits"):
            answer = holos.query(trace, question)
            rows = json.loads(command("query", str(trace), question, "--format", "json"))
            self.assertEqual(list(answer.columns), rows["columns"])
            self.assertEqual([{name: None if pandas.isna(cell) else cell for name, cell in row.items()} for row in answer.to_dict("records")],
                             rows["rows"])
        kinds = holos.query(trace, "SELECT process, iteration, start, region FROM calls LIMIT 0").dtypes
        self.assertEqual([str(kind) for kind in kinds], ["int64", "int64", "float64", "object"])
        holed = holos.query(trace, "SELECT iteration FROM calls WHERE iteration IS NOT NULL UNION ALL SELECT NULL")
        self.assertEqual(str(holed["iteration"].dtype), "Int64")
        with self.assertRaisesRegex(holos.Error, "did you mean 'calls'"):
            holos.query(trace, "SELECT * FROM cals")
        with self.assertRaisesRegex(holos.Error, "numbers and texts"):
            holos.query(trace, "SELECT 1 x UNION ALL SELECT 'a'")

    def test_events_areThoseOfATimeInItsOrder(self):
        trace = self.folder / "run"
        waits = holos.events(trace, "waits")
        for kind, found in waits.groupby("kind"):
            self.assertAlmostEqual(found["duration"].sum(), self.run_.total(kind), places=9)
        self.assertTrue(waits["start"].is_monotonic_increasing)
        middle = holos.query(trace, 'SELECT max("end") FROM calls').iloc[0, 0] / 2
        calls = holos.events(trace)
        then = holos.events(trace, "calls", begin=middle, end=1.1 * middle, where="MPI_")
        self.assertTrue(0 < len(then) < len(calls))
        self.assertTrue(((then["start"] < 1.1 * middle) & (then["end"] > middle) & then["region"].str.startswith("MPI_")).all())
        self.assertEqual(len(holos.events(trace, begin=middle)) + (calls["end"] <= middle).sum(), len(calls))
        self.assertEqual(len(holos.events(trace, "messages")), self.run_.total("comms_send"))
        with self.assertRaisesRegex(holos.Error, "no table nothing"):
            holos.events(trace, "nothing")
        with self.assertRaisesRegex(holos.Error, "nothing"):
            holos.events(trace, where="nothing > 3")

    def test_matrix_hasWhatEachProcessSentToEach(self):
        sent = self.run_.matrix("messages")
        self.assertEqual(sent.shape, (4, 4))
        pairs = holos.query(self.folder / "run", "SELECT sender, receiver, count(*) n FROM messages GROUP BY 1, 2")
        self.assertEqual({(row.sender, row.receiver): row.n for row in pairs.itertuples()},
                         {(a, b): sent.iloc[a, b] for a in range(4) for b in range(4) if sent.iloc[a, b]})
        self.assertEqual(self.run_.matrix().to_numpy().sum(), self.run_.traffic["bytes"].sum())

    def test_predictions_areThoseOfTheCommand(self):
        trace = self.folder / "run"
        answer = holos.predict(trace, "network=ideal", each=True)
        self.assertEqual(answer["conditions"], ["network=ideal"])
        self.assertLessEqual(answer["predictedSeconds"], answer["replayedSeconds"])
        written = json.loads(command("predict", str(trace), "--each", "--format", "json"))["trials"]
        self.assertEqual(answer["trials"]["condition"].tolist()[:len(written)], [trial["condition"] for trial in written])
        with self.assertRaisesRegex(holos.Error, "nothing is known by that name"):
            holos.predict(trace, "wishes")

    def test_findings_needASpecification(self):
        with self.assertRaisesRegex(holos.Error, "no specification"):
            self.run_.findings()
        (self.folder / "law.spec").write_text(LAW)
        command("derive", str(self.file), "--spec", str(self.folder / "law.spec"), "-o", str(self.folder / "derived.cubex"))
        derived = holos.read(self.folder / "derived.cubex")
        shown = json.loads(command("show", str(self.folder / "derived.cubex"), "--findings", "--format", "json"))
        found = derived.findings()
        self.assertEqual([each["title"] for each in found], [each["title"] for each in shown["findings"]])
        self.assertGreater(len(found), 0)
        self.assertEqual(found[0]["values"][0]["condition"], "MANY > 0")
        self.assertIn(found[0]["call_paths"][0], self.run_.call_paths.index)

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
