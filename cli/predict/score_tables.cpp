// SPDX-License-Identifier: BSD-3-Clause

#include "base/csv.h"
#include "base/json.h"
#include "cli/predict/score_formats.h"

namespace holos::cli {
namespace {

using Json = nlohmann::ordered_json;

Json jsonOf(const score::Totals& totals) {
    return {{"trace_bytes", totals.bytes.trace},
            {"recording_bytes", totals.bytes.recording},
            {"visits", totals.visits},
            {"time", totals.time}};
}

std::size_t shownRegions(const ScoreReport& report) {
    const std::size_t all = report.score.regions.size();
    return report.top.of(all);
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
