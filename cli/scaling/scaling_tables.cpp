// SPDX-License-Identifier: BSD-3-Clause
#include "base/csv.h"
#include "base/json.h"
#include "cli/scaling/scaling_formats.h"

namespace holos::cli {

using namespace algebra::scaling;

namespace {

using Json = nlohmann::ordered_json;

Json jsonOf(const ScalingReport& report, const SizeRow& row) {
    Json parameters = Json::object(), names = Json::array();
    for (std::size_t i = 0; i < row.group.at.size(); ++i)
        parameters[report.study.parameters()[i]] = row.group.at[i];
    for (const std::size_t run : row.group.runs) names.push_back(report.study.runs()[run].name);
    Json json{{"parameters", std::move(parameters)},
              {"processes", row.group.processes},
              {"threads", row.group.threads},
              {"experiments", std::move(names)},
              {"runtime", row.runtime},
              {"speedup", row.speedup},
              {"global", row.global},
              {"parallel", row.efficiencies.parallel}};
    if (const auto& mpi = row.efficiencies.mpi) {
        json["mpi"] = mpi->parallel;
        json["mpi_load_balance"] = mpi->loadBalance;
        json["mpi_serialisation"] = mpi->serialisation;
        json["mpi_transfer"] = mpi->transfer;
    }
    if (const auto& openMp = row.efficiencies.openMp) json["openmp"] = openMp->parallel;
    json["computation"] = row.computation;
    json["instructions"] = orNull(row.instructions);
    json["instructions_per_cycle"] = orNull(row.perCycle);
    json["frequency"] = orNull(row.frequency);
    return json;
}

Json jsonOf(const ScalingReport& report, const Growing& growing) {
    const ModelChoice& choice = growing.model;
    Json json{{"metric", growing.metric}};
    if (growing.path) json["call_path"] = nameOf(growing, report.study.program());
    json["measured"] = growing.measured;
    json["predicted"] = growing.predicted.value;
    json["low"] = growing.predicted.low;
    json["high"] = growing.predicted.high;
    json["share"] = growing.share;
    json["law"] = choice.model().text(report.study.parameters());
    json["fits"] = choice.quality().fits;
    json["r_squared"] = orNull(choice.quality().explained);
    json["cross_error_percent"] = choice.quality().crossError;
    return json;
}

Json modelsOf(const ScalingReport& report) {
    if (!report.models) return {{"missing", report.withoutModels}};
    Json at = Json::object(), metrics = Json::array(), paths = Json::array();
    for (std::size_t i = 0; i < report.models->at.size(); ++i)
        at[report.study.parameters()[i]] = report.models->at[i];
    for (const Growing& each : report.models->metrics) metrics.push_back(jsonOf(report, each));
    for (const Growing& each : listedPaths(report)) paths.push_back(jsonOf(report, each));
    return {{"at", std::move(at)}, {"metrics", std::move(metrics)}, {"call_paths", std::move(paths)}};
}

std::string sizesCsv(const ScalingReport& report) {
    std::string text;
    for (const std::string& parameter : report.study.parameters())
        if (parameter != "processes" && parameter != "threads") text += csvField(parameter) + ',';
    text +=
        "processes,threads,runs,runtime,speedup,global,parallel,mpi_load_balance,mpi_serialisation,"
        "mpi_transfer,openmp,computation,instructions,instructions_per_cycle,frequency\n";
    const double none = std::nan("");
    for (const SizeRow& row : report.table->rows) {
        for (std::size_t i = 0; i < row.group.at.size(); ++i)
            if (report.study.parameters()[i] != "processes" && report.study.parameters()[i] != "threads")
                text += csvField(row.group.at[i]) + ',';
        const auto& mpi = row.efficiencies.mpi;
        const auto& openMp = row.efficiencies.openMp;
        text += std::to_string(row.group.processes) + ',' + std::to_string(row.group.threads) + ',' +
                std::to_string(row.group.runs.size());
        for (const double value :
             {row.runtime, row.speedup, row.global, row.efficiencies.parallel, mpi ? mpi->loadBalance : none,
              mpi ? mpi->serialisation : none, mpi ? mpi->transfer : none, openMp ? openMp->parallel : none,
              row.computation, row.instructions.value_or(none), row.perCycle.value_or(none),
              row.frequency.value_or(none)})
            text += ',' + csvField(value);
        text += '\n';
    }
    return text;
}

std::string modelLine(const ScalingReport& report, const Growing& growing) {
    std::string text = csvField(growing.metric) + ',' + csvField(nameOf(growing, report.study.program()));
    for (const double value :
         {growing.measured.back(), growing.predicted.value, growing.predicted.low, growing.predicted.high,
          growing.share, growing.model.quality().explained.value_or(std::nan("")),
          growing.model.quality().crossError})
        text += ',' + csvField(value);
    return text + ',' + csvField(growing.model.law(report.study.parameters())) + '\n';
}

}  // namespace

std::string scalingCsv(const ScalingReport& report, bool sizes) {
    if (sizes) return sizesCsv(report);
    std::string text =
        "metric,call_path,largest,predicted,low,high,share,r_squared,cross_error_percent,law\n";
    if (!report.models) return text;
    for (const Growing& each : report.models->metrics) text += modelLine(report, each);
    for (const Growing& each : listedPaths(report)) text += modelLine(report, each);
    return text;
}

std::string scalingJson(const ScalingReport& report) {
    Json json = Json::object();
    if (report.table) {
        Json sizes = Json::array();
        for (const SizeRow& row : report.table->rows) sizes.push_back(jsonOf(report, row));
        json = {{"scaling", report.table->scaling == Scaling::Strong ? "strong" : "weak"},
                {"scaling_found", report.table->isFound},
                {"threads_grew", report.table->threadsGrew},
                {"work_grew", report.table->workGrew},
                {"sizes", std::move(sizes)}};
    } else {
        json["without_sizes"] = report.withoutTable;
    }
    json["models"] = modelsOf(report);
    return jsonText(json, 2) + '\n';
}

}  // namespace holos::cli
