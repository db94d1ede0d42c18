#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The recipes of CONTRIBUTING.md are followed with something that there is not, as far as no whole project has to be built.

  recipes_test.py [CASE]     HOLOS_BUILD: the build folder

A changed table lies in a folder of its own, which compilers look through before the project: nothing of the project changes.
"""
import json
import os
import pathlib
import shlex
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("HOLOS_BUILD", ROOT / "build/dev"))


class Recipes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, path, text):
        (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / path).write_text(text)

    def change(self, path, old, new, to=None):
        """A file of the project with a part replaced, under another name if one is given."""
        text = (ROOT / path).read_text()
        self.assertIn(old, text)
        self.write(to or path, text.replace(old, new))

    def compile(self, source, like, *options):
        """Compiles a source of the folder, or else of the project, as another one is. What the compiler says, if it fails."""
        entries = json.loads((BUILD / "compile_commands.json").read_text())
        words = next((shlex.split(one["command"]) for one in entries if one["file"].endswith("/" + like)), None)
        if words is None:
            self.skipTest(f"{like} is not built in {BUILD}")
        left = {words.index(option) + at for option in ("-o", "-c") for at in (0, 1)}
        words = [word for at, word in enumerate(words) if at not in left and not word.startswith(("-O", "-W", "-fsanitize"))]
        file = self.folder / source if (self.folder / source).exists() else ROOT / source
        run = subprocess.run([words[0], f"-I{self.folder}", *words[1:], "-O0", "-w", *options, file], cwd=BUILD,
                             stderr=subprocess.PIPE, encoding="utf-8", check=False)
        return run.stderr if run.returncode else ""

    def object(self, source, like):
        """The names that a source defines, and those that it takes from others."""
        file = self.folder / (pathlib.Path(source).name + ".o")
        self.assertEqual(self.compile(source, like, "-c", "-o", file), "")
        lines = subprocess.run(["nm", "-C", file], check=True, capture_output=True, text=True).stdout.splitlines()
        names = [line.split(maxsplit=2) if line[0] != " " else ["", *line.split(maxsplit=1)] for line in lines]
        return {name for _, kind, name in names if kind != "U"}, {name for _, kind, name in names if kind == "U"}

    def test_optionOfRecord_isALineThatEveryoneKnows(self):
        self.write("use.cpp", """
#include "tracing/recordings/launch/recorder_settings.h"
using namespace holos;
using tracing::core::Thinning;
Thinning asked(const launch::RecordRequest& request) { return request.invented; }
Thinning told(const tracing::core::Settings& settings) { return settings.invented; }
int main() {
    tracing::core::Settings settings;
    settings.invented = Thinning::Each;
    return tracing::core::encode(settings).find("invented=each") == std::string::npos;
}
""")
        like = "tracing/recordings/format/settings.cpp"
        self.assertIn("invented", self.compile("use.cpp", like, "-fsyntax-only"))
        table = "tracing/recordings/format/record_options.def"
        self.change(table, "HOLOS_RECORDER_OPTION(\"--locks\"",
                    "HOLOS_RECORDER_OPTION(\"--invented\", Thinning, invented, Thinning::Thin, InProgram, \"\", option, \"As usual\")\n"
                    "HOLOS_RECORDER_OPTION(\"--locks\"")
        for source in ("use.cpp", like):
            self.assertEqual(self.compile(source, like, "-c", "-o", self.folder / (pathlib.Path(source).stem + ".o")), "")
        program = self.folder / "use"
        subprocess.run(["c++", self.folder / "use.o", self.folder / "settings.o", "-o", program, "-ldl"], check=True)
        self.assertEqual(subprocess.run([program], check=False).returncode, 0)

    def test_event_isALineAndADeclaration(self):
        table = "tracing/recordings/format/events.def"
        self.change(table, "\n#undef HOLOS_RECORD\n",
                    "\nHOLOS_EVENT(Invented, User, 1, Now, invented, (std::uint64_t value), value != 0, value)\n#undef HOLOS_RECORD\n")
        self.change("tracing/recorder/core/events.h", "void metricValue(",
                    "void invented(std::uint64_t value) noexcept;\nvoid metricValue(")
        self.write("use.cpp", """
#include "tracing/recorder/core/events.h"
#include "tracing/recordings/format/record.h"
using namespace holos::tracing;
static_assert(recordWords(RecordKind::Invented, 0) == 2 && groupOf(RecordKind::Invented) == RecordGroup::User);
void use() { invented(1); }
""")
        like = "tracing/recorder/core/events.cpp"
        _, wanted = self.object("use.cpp", like)
        defined, _ = self.object(like, like)
        self.assertIn("holos::tracing::invented(unsigned long)", wanted & defined)

    def test_waitState_isAFileAndALine(self):
        self.change("analyzer/patterns/barrier.cpp", "kBarrierPattern", "kInventedPattern", to="analyzer/patterns/invented.cpp")
        self.change("analyzer/patterns/list.def", "HOLOS_PATTERN(Barrier)", "HOLOS_PATTERN(Barrier)\nHOLOS_PATTERN(Invented)")
        _, wanted = self.object("analyzer/patterns/list.cpp", "analyzer/patterns/list.cpp")
        defined, _ = self.object("analyzer/patterns/invented.cpp", "analyzer/patterns/list.cpp")
        self.assertIn("holos::analyzer::patterns::kInventedPattern", wanted & defined)

    def test_metricOfAClass_isALineOfTheCatalog(self):
        catalog = "analyzer/assemble/metric_catalog.cpp"
        self.change(catalog, '    {"comp", "file_io", "File I/O",',
                    '    {"comp", "invented", "Invented", "Time in files, once more.", FromClass{TimeClass::FileIo}, nullptr, Needs::Files},\n'
                    '    {"comp", "file_io", "File I/O",')
        self.write("use.cpp", """
#include "analyzer/assemble/catalog_values.h"
#include "analyzer/patterns/list.h"
using namespace holos;
using namespace holos::analyzer;
std::span<const patterns::Pattern* const> patterns::allPatterns() { return {}; }
/// 5 ticks in a function that reads files.
int main() {
    paths::MergedTree merged;
    merged.tree.add(algebra::RegionId(0), std::nullopt);
    merged.classes.emplace_back().set(trace::TimeClass::FileIo);
    const assemble::BaseValues base{{5}, {1}, {}, {}};
    const assemble::Catalog& catalog = assemble::metricCatalog();
    const assemble::LocationValues values = assemble::CatalogValues(merged, catalog).evaluate(0, base, {});
    for (std::size_t entry = 0; entry < catalog.size(); ++entry) {
        const patterns::Metric& metric = *catalog[entry];
        if (std::string_view(metric.uniqueName) != "invented" || !assemble::Present(merged.classes).has(metric.needs)) continue;
        return values.of(entry).size() != 1 || values.of(entry).front().value != 5;
    }
    return 1;
}
""")
        sources = ("use.cpp", catalog, "analyzer/assemble/catalog_values.cpp")
        objects = [self.folder / (pathlib.Path(source).stem + ".o") for source in sources]
        for source, file in zip(sources, objects):
            self.assertEqual(self.compile(source, "analyzer/patterns/list.cpp", "-ffunction-sections", "-fdata-sections", "-c", "-o", file), "")
        program = self.folder / "use"
        subprocess.run(["c++", "-Wl,--gc-sections", *objects, "-o", program], check=True)  # without the rest of the analyzer
        self.assertEqual(subprocess.run([program], check=False).returncode, 0)

    def test_formatOfExport_isAFileAndALine(self):
        self.change("cli/export/folded.cpp", "makeFoldedFormat", "makeInventedFormat", to="cli/export/invented.cpp")
        self.change("cli/export/formats.def", "HOLOS_EXPORT_FORMAT(Folded)",
                    "HOLOS_EXPORT_FORMAT(Folded)\nHOLOS_EXPORT_FORMAT(Invented)")
        _, wanted = self.object("cli/export/export_format.cpp", "cli/export/export_format.cpp")
        defined, _ = self.object("cli/export/invented.cpp", "cli/export/export_format.cpp")
        self.assertIn("holos::cli::makeInventedFormat()", wanted & defined)

    def test_platform_isAFile(self):
        holos = BUILD / "bin/holos"
        if not holos.exists():
            self.skipTest(f"holos is not built in {BUILD}")

        def run(*words):
            return subprocess.run([holos, "spec", *words], capture_output=True, text=True, check=False,
                                  env={**os.environ, "HOLOS_SPECS_PATH": str(self.folder)})

        self.write("invented.spec", """
platform INVENTED = Holos family 1
registers = 2
measure cycles = INVENTED_CYCLES
describe cycles "Cycles of a processor that there is not."
unit cycles = cyc
aggroup all = INVENTED_CYCLES
""")
        checked = run("check", str(self.folder / "invented.spec"))
        self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)
        self.assertIn("invented", run("list").stdout)


if __name__ == "__main__":
    unittest.main()
