# SPDX-License-Identifier: BSD-3-Clause
"""Experiments of Holos as data frames, arrays and pictures.

    import holos
    run = holos.read("run")                   # the folder of a recording, or a .cubex, .cube file
    run                                       # in a notebook: what costs time, and the metrics
    run.frame("mpi_latesender")               # pandas: call paths × locations
    run.array("time")                         # xarray: the same with names of dimensions, and the unit
    run.by_call_path("time").nlargest(10)
    run.plot("time")
    (new - old).total("time")
    holos.events("run", "waits", begin=1, end=2)      # pandas: calls, messages, waits, readings of the trace
    holos.query("run", "SELECT region, sum(own) FROM calls GROUP BY 1")
    holos.predict("run", "network=ideal")["predictedSeconds"]

Values are NaN where they are not defined: a ratio of nothing by nothing, or an expression that cannot be evaluated, for which
`Experiment.why_not_evaluated` has the reason. Wrong files raise `holos.Error`, unknown metrics `KeyError`.
pandas, xarray and matplotlib are loaded when they are needed.
"""
from __future__ import annotations

import functools
import html
import json
import os
import pathlib
import subprocess
import tempfile
import warnings

from . import _holos
from ._holos import Error, __version__

__all__ = ["Error", "Experiment", "Panes", "analyze", "diff", "events", "maximum", "mean", "merge", "minimum", "predict", "query", "read",
           "standard_deviation", "sum", "__version__"]


class Experiment:
    """Metrics × call paths × locations of a run, or of several that were combined. Does not change.

    Values of a metric are, unless said otherwise, those of the metric with its parts (`parts=True`: inclusive along the tree
    of metrics). `calls` says whether a call path's value includes what it calls.
    """

    def __init__(self, native: _holos.Experiment, source: str = "", problems=()):
        self._native = native
        self._source = source
        #: What was damaged in the trace that was analyzed, a sentence each.
        self.problems = list(problems)

    # --- what there is -------------------------------------------------------------------------------------------------

    @functools.cached_property
    def metrics(self):
        """A data frame of the metrics by unique name: display_name, unit, parent, description, incomplete, is_group."""
        return _frame(self._native.metrics()).set_index("metric")

    @functools.cached_property
    def call_paths(self):
        """A data frame of the call paths by number: parent (or missing), call (name with the place of the call), region, file,
        begin_line, call_line (-1: not known), paradigm, role, depth. Callers stand before what they call."""
        frame = _frame(self._native.call_paths())
        frame["parent"] = frame["parent"].astype("Int64")
        frame.index.name = "call_path"
        return frame

    @functools.cached_property
    def locations(self):
        """A data frame of the locations by number: location, thread, process, rank, node, kind (`thread`, `metric` for places that
        only carry counters, `accelerator stream`)."""
        frame = _frame(self._native.locations())
        frame.index.name = "location_id"
        return frame

    @property
    def attributes(self) -> dict:
        """What is known of the run: processor, compiler, command, and so on."""
        return dict(self._native.attributes())

    def call_path_text(self, call_path: int) -> str:
        """All calls from the root: `main/solve @main.c:10/MPI_Send @solver.c:120`."""
        return self._native.call_path_text(call_path)

    # --- values --------------------------------------------------------------------------------------------------------

    def values(self, metric: str, *, parts: bool = True, calls: bool = False):
        """numpy, float64, [call path, location]. The array is new: it may be changed."""
        return self._native.values(metric, parts, calls)

    def frame(self, metric: str, *, parts: bool = True, calls: bool = False):
        """A data frame of `values`: one row for each call path, one column for each location (process, location)."""
        import pandas
        columns = pandas.MultiIndex.from_frame(self.locations[["process", "location"]])
        return pandas.DataFrame(self.values(metric, parts=parts, calls=calls), index=self._call_path_index(), columns=columns)

    def array(self, metric: str, *, parts: bool = True, calls: bool = False):
        """xarray of `values` with the dimensions call_path and location; coordinates region, rank, thread; attribute unit."""
        import xarray
        paths, locations = self.call_paths, self.locations
        return xarray.DataArray(
            self.values(metric, parts=parts, calls=calls), dims=("call_path", "location"), name=metric,
            coords={"call_path": paths.index, "region": ("call_path", paths["region"].to_numpy()),
                    "location": locations.index.to_numpy(), "rank": ("location", locations["rank"].to_numpy()),
                    "thread": ("location", locations["thread"].to_numpy())},
            attrs={"unit": self.metrics.loc[metric, "unit"]})

    def by_call_path(self, metric: str, *, parts: bool = True, calls: bool = False):
        """A series: one value for each call path, of all locations together."""
        import pandas
        return pandas.Series(self._native.per_call_path(metric, parts, calls), index=self._call_path_index(), name=metric)

    def by_location(self, metric: str, *, parts: bool = True):
        """A series: one value for each location, of the whole program."""
        import pandas
        index = pandas.MultiIndex.from_frame(self.locations[["process", "location"]])
        return pandas.Series(self._native.per_location(metric, parts), index=index, name=metric)

    @functools.cached_property
    def traffic(self):
        """A data frame with a row for each pair of processes of which one sent something to the other: sender, receiver, messages,
        bytes, late_sender and late_receiver (seconds that the other one waited), bytes_put, bytes_got."""
        return _frame(self._native.traffic())

    def matrix(self, number: str = "bytes"):
        """A data frame of one of the numbers of `traffic`: a row for each sender, a column for each receiver."""
        names = list(dict.fromkeys(self.locations["process"]))
        pairs = self.traffic.pivot_table(index="sender", columns="receiver", values=number, aggfunc="sum", fill_value=0.0)
        return pairs.reindex(index=names, columns=names, fill_value=0.0)

    def total(self, metric: str, *, parts: bool = True) -> float:
        """The value of the whole program."""
        return self._native.total(metric, parts)

    def why_not_evaluated(self, metric: str) -> str | None:
        """Why a metric has no values here; None where it has."""
        return self._native.why_not_evaluated(metric)

    # --- sentences -----------------------------------------------------------------------------------------------------

    def summary(self) -> dict | None:
        """What costs time and why, as `holos show` begins: run, problems (what, where, who, why, helps, gain, cost in seconds of all
        threads, percent …), notes, doubts. None for what is not of a run, such as a difference."""
        return self._native.summary()

    def contradictions(self) -> list[str]:
        """Which laws that hold of the results of every run do not hold here, a sentence each, with both numbers: the summary tells
        nothing that rests on them."""
        return self._native.contradictions()

    def findings(self) -> list[dict]:
        """What the counters show, as `holos show --findings`: name, title, explanation, time and percent (of the call paths where it
        applies), values (name, condition, unit, value), call_paths (numbers, the one with most time first). `holos.Error` where the
        experiment was not derived with a specification, or is of several runs."""
        return self._native.findings()

    # --- operators -----------------------------------------------------------------------------------------------------

    def __sub__(self, other: Experiment) -> Experiment:
        return diff(self, other)

    def cut(self, *, roots=(), prune=(), depth: int | None = None) -> Experiment:
        """A smaller call tree: only `roots` (names of regions), without what is below `prune`, down to a `depth`."""
        return Experiment(_holos.cut(self._native, list(roots), list(prune), depth))

    def flatten(self) -> Experiment:
        """One call path for each region."""
        return Experiment(_holos.flatten(self._native))

    def collapse(self, to: str = "processes") -> Experiment:
        """One location for each of the `processes`, for each of the `nodes`, or `one` for all."""
        return Experiment(_holos.collapse(self._native, to))

    def scale(self, factor: float, unit: str = "") -> Experiment:
        """Every value times the factor."""
        return Experiment(_holos.scale(self._native, factor, unit))

    def write(self, file: str | os.PathLike) -> None:
        """Writes a .cubex file, or a .cube file where the name says so. Warns of results that contradict each other."""
        for text in self._native.write(os.fspath(file)):
            warnings.warn(text, stacklevel=2)

    # --- pictures ------------------------------------------------------------------------------------------------------

    def plot(self, metric: str = "time", *, top: int = 15, axes=None):
        """The call paths that have most of a metric, each without what it calls, as bars: matplotlib's axes."""
        axes = axes or _new_axes()
        values = self.by_call_path(metric)
        largest = values.reindex(values.abs().nlargest(top).index)[::-1]
        axes.barh([self._call(path) for path in largest.index.get_level_values("call_path")], largest.to_numpy())
        axes.set_xlabel(self._label(metric))
        return axes

    def heatmap(self, metric: str, *, top: int = 30, axes=None):
        """The call paths that have most of a metric × locations, as colours: matplotlib's axes."""
        axes = axes or _new_axes()
        values = self.values(metric)
        order = abs(values).sum(axis=1).argsort()[::-1][:top]
        picture = axes.imshow(values[order], aspect="auto", interpolation="nearest")
        axes.set_yticks(range(len(order)), [self._call(path) for path in order])
        axes.set_xlabel("location")
        axes.figure.colorbar(picture, label=self._label(metric))
        return axes

    # --- display -------------------------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        return (f"<holos.Experiment {self._source}: {len(self.metrics)} metrics, {len(self.call_paths)} call paths, "
                f"{len(self.locations)} locations>").replace(" : ", " ")

    def _repr_html_(self) -> str:
        summary = self.summary()
        text = html.escape(repr(self))
        if summary:
            text = f"<p>{html.escape(' '.join([*summary['first'], summary['run']]))}</p><ol>"
            for problem in summary["problems"]:
                rows = "".join(f"<br><small>{name}: {html.escape(problem[name])}</small>"
                               for name in ("where", "who", "why", "helps", "gain", "but") if problem[name])
                text += f"<li>{html.escape(problem['what'])} ({problem['percent']:.1f} %){rows}</li>"
            text += "</ol>"
        metrics = self.metrics.loc[~self.metrics["is_group"], ["display_name", "unit"]].copy()
        metrics["value"] = [self.total(metric) for metric in metrics.index]
        return text + f"<details><summary>{len(metrics)} metrics</summary>{metrics.to_html()}</details>"

    def panes(self, *others: Experiment, names=(), height: int = 800, values: int = 500_000) -> Panes:
        """Metrics, call paths, system and flame graph to click on, in a notebook: those of `holos serve`, without a server. `others`
        are a choice in them; of experiments that have more `values` other than zero, sums of processes or nodes are shown. Needs the
        command `holos`."""
        return Panes([self, *others], names, height, values)

    def _call(self, call_path: int) -> str:
        return self.call_paths.loc[call_path, "call"]

    def _label(self, metric: str) -> str:
        row = self.metrics.loc[metric]
        return f"{row['display_name']} [{row['unit']}]"

    def _call_path_index(self):
        import pandas
        paths = self.call_paths
        return pandas.MultiIndex.from_arrays([paths.index, paths["call"]], names=["call_path", "call"])


class Panes:
    """Experiments to click on. `page` is one HTML page that needs nothing else, which notebooks show in a frame."""

    def __init__(self, experiments, names, height: int, values: int):
        names = list(names) or [each._source or f"experiment {at}" for at, each in enumerate(experiments, 1)]
        with tempfile.TemporaryDirectory() as folder:
            files = [os.path.join(folder, f"{at}.cubex") for at in range(len(experiments))]
            for experiment, file in zip(experiments, files):
                experiment._native.write(file)
            report = pathlib.Path(folder, "report.html")
            _command("report", "-o", str(report), "--browsable", str(values),
                     "--names", ",".join(name.replace(",", " ") for name in names), "--", *files)
            text = report.read_text(encoding="utf-8")
        style = text[text.index("<style>"):text.index("</style>")]
        panes = text[text.index('<script type="application/json"'):]
        self.page = (f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Holos</title>{style}'
                     f"body {{ margin: 0; padding: 0; max-width: none; }}</style></head><body>{panes}")
        self.height = height

    def _repr_html_(self) -> str:
        return (f'<iframe title="Holos" sandbox="allow-scripts" style="width: 100%; height: {int(self.height)}px; border: 0" '
                f'srcdoc="{html.escape(self.page)}"></iframe>')


def read(file: str | os.PathLike) -> Experiment:
    """The experiment of a file, or of the folder that `holos analyze`, `holos campaign`, Score-P or Scalasca wrote it to."""
    return Experiment(_holos.read(os.fspath(file)), os.fspath(file))


def analyze(trace: str | os.PathLike, *, threads: int = 0, causes: bool = True, specification: str = "auto") -> Experiment:
    """Finds the wait states of a trace and their causes, as `holos analyze` does, without writing a file. `threads=0`: as many as
    there are processors. What was damaged in the trace is in `problems` of the result."""
    native, problems = _holos.analyze(os.fspath(trace), threads, causes, specification)
    return Experiment(native, os.fspath(trace), problems)


def query(run: str | os.PathLike, statement: str, *, threads: int = 0, memory: int = 1 << 30, seconds: float = 600):
    """A data frame of the answer to a question in SQL about each call, message, wait and value of a run, as `holos query` has it.
    `run`: the folder of a recording, its trace, or an experiment. `memory` (bytes) and `seconds` are limits of the question. What
    is not known is missing; warns where the trace is damaged."""
    columns, damage = _holos.ask(os.fspath(run), statement, threads, memory, seconds)
    for text in damage:
        warnings.warn("the answer is not complete: " + text, stacklevel=2)
    found = {}
    for name, kind, values, rest in columns:
        number, unique = 1, name
        while unique in found:
            number += 1
            unique = f"{name}:{number}"
        found[unique] = _column(kind, values, rest)
    return _frame(found)


def events(run: str | os.PathLike, table: str = "calls", *, begin: float | None = None, end: float | None = None, where: str = "",
           threads: int = 0):
    """A data frame of the `calls`, `messages`, `waits` or `readings` of a trace that are there at some time between `begin` and `end`
    (seconds since its start), in the order of time. `where`: what the browser's table takes, `"MPI_Send, duration > 1 ms"`."""
    infinite = float("inf")
    statement = _holos.statement(os.fspath(run), table, -infinite if begin is None else begin, infinite if end is None else end, where)
    return query(run, statement, threads=threads)


def predict(run: str | os.PathLike, *conditions: str, each: bool = False) -> dict:
    """How long a run would take under other conditions: what `holos predict --format json` writes. `conditions` are those of `--if`:
    `"network=ideal"`, `"balance solve"`. With `each`, `trials` is a data frame of what each change by itself would bring. Needs
    the command `holos`."""
    options = [f"--if={condition}" for condition in conditions] + (["--each", "--top", "0"] if each else [])
    answer = json.loads(_command("predict", "--format", "json", *options, "--", os.fspath(run)))
    if each:
        answer["trials"] = _frame(answer["trials"])
    return answer


def diff(first: Experiment, second: Experiment) -> Experiment:
    """The first minus the second; `first - second` is the same."""
    return Experiment(_holos.diff(first._native, second._native))


def merge(*experiments: Experiment) -> Experiment:
    """Unifies experiments of one program that measured different things."""
    return Experiment(_holos.merge(_natives(experiments)))


def mean(*experiments: Experiment) -> Experiment:
    """The mean of each value over repeated runs."""
    return Experiment(_holos.mean(_natives(experiments)))


def sum(*experiments: Experiment) -> Experiment:  # noqa: A001 (the operator's name)
    """The sum of each value."""
    return Experiment(_holos.sum(_natives(experiments)))


def minimum(*experiments: Experiment) -> Experiment:
    """The smallest of each value."""
    return Experiment(_holos.minimum(_natives(experiments)))


def maximum(*experiments: Experiment) -> Experiment:
    """The largest of each value."""
    return Experiment(_holos.maximum(_natives(experiments)))


def standard_deviation(*experiments: Experiment) -> Experiment:
    """The standard deviation of each value over repeated runs."""
    return Experiment(_holos.standard_deviation(_natives(experiments)))


def _natives(experiments):
    if len(experiments) == 1 and not isinstance(experiments[0], Experiment):
        experiments = tuple(experiments[0])  # a list of them
    return [experiment._native for experiment in experiments]


def _frame(columns):
    import pandas
    return pandas.DataFrame(columns)


def _column(kind, values, rest):
    """`rest`: of texts those that the values are places of, of whole numbers which are missing."""
    import pandas
    if kind == "text":
        return pandas.Series([*rest, None], dtype=object).take(values).reset_index(drop=True)  # the last one is that at -1
    if rest is not None:
        return pandas.arrays.IntegerArray(values, rest.astype(bool))
    return values


def _command(*arguments: str) -> str:
    """What the command `holos` prints."""
    from .__main__ import command  # here: `python3 -m holos` runs that module by itself
    program = command()
    if program is None:
        raise Error("the command holos is neither beside the package nor in PATH")
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Error(done.stderr.strip())
    return done.stdout


def _new_axes():
    import matplotlib.pyplot
    return matplotlib.pyplot.subplots(layout="constrained")[1]
