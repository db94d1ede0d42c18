// SPDX-License-Identifier: BSD-3-Clause
#include "cli/predict/score_formats.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/csv.h"
#include "base/json.h"
#include "base/printable.h"
#include "base/short_name.h"
#include "base/text.h"

namespace holos::cli {
namespace {

using score::RegionScore;
using score::Totals;

std::string largestAndMean(const std::vector<score::ProcessScore>& processes, double all) {
    if (processes.empty()) return {};
    const auto largest = std::ranges::max_element(
        processes, [](const auto& a, const auto& b) { return a.bytes.trace < b.bytes.trace; });
    return fmt::format("; largest process {} ({}), mean {}", sizeText(largest->bytes.trace), largest->name,
                       sizeText(all / static_cast<double>(processes.size())));
}

double largestThread(const std::vector<score::ProcessScore>& processes) {
    double largest = 0;
    for (const score::ProcessScore& process : processes) largest = std::max(largest, process.largestThread);
    return largest;
}

double percentOf(double part, double whole) {
    return whole > 0 ? 100 * part / whole : 0;
}

std::string line(const std::string& name, const std::string& kind, const Totals& totals, const Totals& all) {
    const double perVisit = totals.visits > 0 ? totals.time / totals.visits * 1e6 : 0;
    const double bytesPerVisit = totals.visits > 0 ? totals.bytes.trace / totals.visits : 0;
    return fmt::format("{:<12}{:>12} {:>6.1f}{:>15.0f} {:>9.1f} {:>12.3f} {:>6.1f} {:>14.2f}  {}\n", kind,
                       sizeText(totals.bytes.trace), percentOf(totals.bytes.trace, all.bytes.trace),
                       totals.visits, bytesPerVisit, totals.time, percentOf(totals.time, all.time), perVisit,
                       name);
}

std::string heading(const char* last) {
    return fmt::format("{:<12}{:>12} {:>6}{:>15} {:>9} {:>12} {:>6} {:>14}  {}\n", "kind", "trace", "%",
                       "visits", "B/visit", "time in s", "%", "time/visit us", last);
}

/// Where calls that may find nothing have much of the events.
std::string pollsLine(const score::Score& score, bool areThinned) {
    constexpr double kMuch = 5;
    constexpr std::size_t kNamed = 3;
    Totals polls;
    std::string names;
    std::size_t kinds = 0;
    for (const RegionScore& region : score.regions) {
        if (!score::isPoll(region.name)) continue;
        polls += region.totals;
        if (kinds++ < kNamed) names += (names.empty() ? "" : ", ") + region.name;
    }
    const double percent = percentOf(polls.visits, score.all.visits);
    if (percent < kMuch) return {};
    if (kinds > kNamed) names += fmt::format(" and {} more", kinds - kNamed);
    return fmt::format(
        "Polls       {:.1f} % of the visits and {} of the trace are calls that may find nothing: {}. {}\n",
        percent, sizeText(polls.bytes.trace), names,
        areThinned ? "Those in a row are one record, unless --polls each is given"
                   : "With counters each is recorded for itself");
}

std::string summaryLines(const ScoreReport& report) {
    const score::Score& score = report.score;
    const Totals& all = score.all;
    std::string text =
        fmt::format("{}: {}, {} with events\n", report.file, counted(score.processes.size(), "process"),
                    counted(score.regions.size(), "region"));
    text += fmt::format("Trace       {} of events ({}){}\n", sizeText(all.bytes.trace),
                        score.isMeasured ? "size of its files" : "estimate",
                        largestAndMean(score.processes, all.bytes.trace));
    text += fmt::format("Recording   {}; largest thread {}, which is what --buffer has to hold\n",
                        sizeText(all.bytes.recording), sizeText(largestThread(score.processes)));
    const double overhead = score.overhead + score.startAndEnd;
    text += fmt::format(
        "Overhead    {:.3g} s of {:.3g} s ({:.2g} %): {:.3g} s in the visits, {:.3g} s to start, to end and "
        "to make the\n            trace; an estimate from measured costs (docs/performance.md)\n",
        overhead, all.time, percentOf(overhead, all.time), score.overhead, score.startAndEnd);
    if (report.counters > 0)
        text += fmt::format(
            "Counters    {} add at most {:.0f} bytes to each visit of the trace; they are "
            "included\n",
            report.counters, score.ofCounters.trace);
    text +=
        fmt::format("Call paths  add {:.0f} bytes to a visit that comes from another place than expected\n",
                    score.ofCallPath);
    return text + pollsLine(score, report.counters == 0);
}

std::string kindTable(const score::Score& score) {
    std::string text = heading("what") + line("everything", "ALL", score.all, score.all);
    for (std::size_t i = 0; i < score::kRegionKinds; ++i)
        if (score.kinds[i].visits > 0 || score.kinds[i].bytes.trace > 0)
            text += line(score::meaningOf(static_cast<score::RegionKind>(i)),
                         score::nameOf(static_cast<score::RegionKind>(i)), score.kinds[i], score.all);
    return text;
}

std::size_t shownRegions(const ScoreReport& report) {
    return report.top.of(report.score.regions.size());
}

std::string regionTable(const ScoreReport& report) {
    const std::vector<RegionScore>& regions = report.score.regions;
    std::vector<std::string> names;
    for (const RegionScore& region : regions) names.push_back(region.name);
    const ShortNames shortNames(names);
    const std::size_t shown = shownRegions(report);
    std::string text = heading("region");
    for (std::size_t i = 0; i < shown; ++i)
        text += line(printable(shortNames.of(regions[i].name)), score::nameOf(regions[i].kind),
                     regions[i].totals, report.score.all);
    if (shown < regions.size())
        text += fmt::format("and {} more; --top 0 lists all\n", regions.size() - shown);
    return text;
}

std::string filterPart(const ScoreReport& report) {
    if (!report.filter) return {};
    std::string text = '\n' + filterComment(report);
    if (report.filter->excluded.empty()) return text;
    if (!report.filterFile.empty()) return text + report.filterFile + '\n';
    return text + score::filterText(*report.filter);
}

}  // namespace

std::string sizeText(double bytes) {
    constexpr const char* kUnits[] = {"B", "KB", "MB", "GB", "TB", "PB"};
    std::size_t unit = 0;
    for (; bytes >= 1024 && unit + 1 < std::size(kUnits); ++unit) bytes /= 1024;
    return unit == 0 ? fmt::format("{:.0f} B", bytes) : fmt::format("{:.1f} {}", bytes, kUnits[unit]);
}

std::string filterComment(const ScoreReport& report) {
    const score::FilterChoice& choice = *report.filter;
    const std::string most = sizeText(report.mostBytes);
    if (choice.isEnough && choice.excluded.empty())
        return fmt::format("# No filter is needed for {}.\n", most);
    if (choice.isEnough)
        return fmt::format("# Without {} the trace has about {}; --max is {}.\n",
                           counted(choice.excluded.size(), "region"), sizeText(choice.bytesLeft), most);
    return fmt::format(
        "# No filter brings the trace below {0}: {1} of it belong to what filters cannot leave out\n"
        "# (MPI, OpenMP, threads). holos record --first, --phase, --ranks, --mpi and --buffer record "
        "less of them.\n",
        most, sizeText(choice.bytesLeft));
}

std::string scoreText(const ScoreReport& report) {
    return summaryLines(report) + '\n' + kindTable(report.score) + '\n' + regionTable(report) +
           filterPart(report);
}

namespace {

using Json = nlohmann::ordered_json;

Json jsonOf(const score::Totals& totals) {
    return {{"trace_bytes", totals.bytes.trace},
            {"recording_bytes", totals.bytes.recording},
            {"visits", totals.visits},
            {"time", totals.time}};
}

std::string csvLine(const std::string& name, const char* kind, const score::Totals& totals) {
    return csvField(kind) + ',' + csvField(name) + ',' + csvField(totals.bytes.trace) + ',' +
           csvField(totals.bytes.recording) + ',' + csvField(totals.visits) + ',' + csvField(totals.time) +
           '\n';
}

Json kindsOf(const score::Score& score) {
    Json kinds = Json::object();
    kinds["ALL"] = jsonOf(score.all);
    for (std::size_t i = 0; i < score::kRegionKinds; ++i)
        kinds[score::nameOf(static_cast<score::RegionKind>(i))] = jsonOf(score.kinds[i]);
    return kinds;
}

Json regionsOf(const ScoreReport& report) {
    Json regions = Json::array();
    for (std::size_t i = 0; i < shownRegions(report); ++i) {
        const score::RegionScore& region = report.score.regions[i];
        Json entry{{"name", region.name}, {"kind", score::nameOf(region.kind)}};
        entry.update(jsonOf(region.totals));
        regions.push_back(std::move(entry));
    }
    return regions;
}

Json processesOf(const score::Score& score) {
    Json processes = Json::array();
    for (const score::ProcessScore& process : score.processes)
        processes.push_back({{"name", process.name},
                             {"trace_bytes", process.bytes.trace},
                             {"recording_bytes", process.bytes.recording},
                             {"largest_thread_bytes", process.largestThread}});
    return processes;
}

Json filterOf(const ScoreReport& report) {
    Json names = Json::array();
    for (const score::RegionScore& region : report.filter->excluded) names.push_back(region.name);
    return {{"max_bytes", report.mostBytes},
            {"is_enough", report.filter->isEnough},
            {"trace_bytes", report.filter->bytesLeft},
            {"excluded", std::move(names)}};
}

}  // namespace

std::string scoreCsv(const ScoreReport& report) {
    std::string text = "kind,region,trace_bytes,recording_bytes,visits,time\n";
    text += csvLine("", "ALL", report.score.all);
    for (std::size_t i = 0; i < score::kRegionKinds; ++i)
        text += csvLine("", score::nameOf(static_cast<score::RegionKind>(i)), report.score.kinds[i]);
    for (std::size_t i = 0; i < shownRegions(report); ++i) {
        const score::RegionScore& region = report.score.regions[i];
        text += csvLine(region.name, score::nameOf(region.kind), region.totals);
    }
    return text;
}

std::string scoreJson(const ScoreReport& report) {
    Json json{{"file", report.file},
              {"is_measured", report.score.isMeasured},
              {"overhead_estimate", report.score.overhead + report.score.startAndEnd},
              {"start_and_end_estimate", report.score.startAndEnd},
              {"kinds", kindsOf(report.score)},
              {"processes", processesOf(report.score)},
              {"regions", regionsOf(report)}};
    if (report.filter) json["filter"] = filterOf(report);
    return jsonText(json, 2) + '\n';
}

}  // namespace holos::cli
