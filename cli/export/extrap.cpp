// SPDX-License-Identifier: BSD-3-Clause
// Runs of different sizes as Extra-P reads them (its JSON lines): a line for each run, metric and call path,
// with the mean over the run's threads of the call path alone:
//
//     {"params":{"processes":8},"callpath":"main->solve->MPI_Recv","metric":"time","value":0.25}
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <cmath>
#include <set>

#include "algebra/model/call_names.h"
#include "base/json.h"
#include "base/wrong_request.h"
#include "cli/export/export_format.h"
#include "cli/scaling/scaling.h"

namespace holos::cli {

using namespace algebra;

namespace {

/// A name without what stands between names (`operator->`).
std::string withoutArrows(std::string call) {
    for (std::size_t at = 0; (at = call.find("->", at)) != std::string::npos;) call.replace(at, 2, "-.");
    return call;
}

/// The texts of all call paths, by number; callers stand before what they call.
std::vector<std::string> pathTexts(const Experiment& program) {
    std::vector<std::string> texts;
    for (const CallPathId path : program.callTree.ids()) {
        const auto caller = program.callTree.parent(path);
        texts.push_back((caller ? texts[caller->index()] + "->" : "") +
                        withoutArrows(callText(program, path)));
    }
    return texts;
}

class Extrap : public ExportFormat {
  public:
    std::string word() const override { return "extrap"; }
    bool takesSeveralFiles() const override { return true; }

    std::vector<Option> addOptions(Command& command) override {
        return {
            command.option("--parameter", parameters_,
                           "With --format extrap: another parameter of the runs, such as the problem size: "
                           "NAME=VALUE,VALUE,… with one value per experiment")};
    }

    void write(const ExportRequest& request, ExportOutput& output) const override {
        if (request.zeros || request.communication)
            throw UsageError("--format extrap has all values: --zeros and --communication are for tables");
        StudyFiles files{{request.files.begin(), request.files.end()}, parameters_};
        takeParametersFromInputs(files);
        const scaling::Study study = studyOf(files);
        const std::vector<std::string> metrics = metricsOf(study, request.metrics);
        const std::vector<std::string> paths = pathTexts(study.program());
        for (const scaling::Group& group : study.groups())
            for (const std::size_t run : group.runs)
                for (const std::string& metric : metrics) writeRun(study, group, run, metric, paths, output);
    }

  private:
    /// The named ones, or all that add up over the threads.
    static std::vector<std::string> metricsOf(const scaling::Study& study,
                                              const std::vector<std::string>& named) {
        std::vector<std::string> metrics;
        std::set<std::string> known;
        for (const scaling::SizedRun& run : study.runs())
            for (const MetricId id : run.experiment->metrics.ids()) {
                const Metric& metric = run.experiment->metrics[id];
                if (isSumOfParts(metric) && !metric.ghost && !metric.isVoid &&
                    known.insert(metric.uniqueName).second)
                    metrics.push_back(metric.uniqueName);
            }
        for (const std::string& name : named)
            if (!known.contains(name))
                throw WrongRequest("metric \"" + name +
                                   "\": no run has it, or its values cannot be added up");
        return named.empty() ? metrics : named;
    }

    static void writeRun(const scaling::Study& study, const scaling::Group& group, std::size_t run,
                         const std::string& metric, const std::vector<std::string>& paths,
                         ExportOutput& output) {
        const std::vector<double> values = study.perThreadAndPath(run, metric);
        nlohmann::ordered_json at;
        for (std::size_t parameter = 0; parameter < group.at.size(); ++parameter)
            at[study.parameters()[parameter]] = group.at[parameter];
        const std::string begin = R"({"params":)" + jsonText(at) + R"(,"callpath":)";
        const std::string end = R"(,"metric":)" + jsonString(metric) + R"(,"value":)";
        for (std::size_t path = 0; path < values.size(); ++path)
            if (std::isfinite(values[path]))
                output.write(begin + jsonString(paths[path]) + end + fmt::format("{}}}\n", values[path]));
    }

    std::vector<std::string> parameters_;
};

}  // namespace

std::unique_ptr<ExportFormat> makeExtrapFormat() {
    return std::make_unique<Extrap>();
}

}  // namespace holos::cli
