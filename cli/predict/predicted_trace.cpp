// SPDX-License-Identifier: BSD-3-Clause
#include "cli/predict/predicted_trace.h"

#include "base/error.h"
#include "base/json.h"
#include "base/output_file.h"
#include "base/temporary_folder.h"

namespace holos::cli {

namespace fs = std::filesystem;

namespace {

/// What the recorder said of the run holds for the predicted one, but for its times.
void describeRun(const PredictedTrace& trace, const fs::path& folder) {
    constexpr const char* kName = "measurement.json";
    std::error_code ignored;
    if (!fs::exists(trace.recorded / kName, ignored)) return;
    nlohmann::ordered_json run = readJson(trace.recorded / kName);
    run["predictedWith"] = trace.conditions;
    writeFile(folder / kName, jsonText(run, 2) + '\n');
}

}  // namespace

void requireNewFolder(const fs::path& folder) {
    std::error_code error;
    if (!fs::exists(folder, error)) return;
    if (!fs::is_directory(folder, error) || !fs::is_empty(folder, error))
        throw Error("is there already, and is not an empty folder: name another one for the predicted trace",
                    {.file = folder.string()});
}

std::uint64_t writePredictedTrace(const PredictedTrace& trace, const analyzer::Predictor& predictor,
                                  const analyzer::Prediction& prediction,
                                  const analyzer::AnalysisOptions& options) {
    requireNewFolder(trace.folder);
    const fs::path target = fs::absolute(trace.folder / "").parent_path();
    const TemporaryFolder beside(target.parent_path());
    const fs::path made = beside.path() / "predicted";
    std::error_code error;
    fs::create_directory(made, error);
    if (error) throw Error("no folder can be made there: " + error.message(), {.file = made.string()});
    const std::uint64_t leftOut = predictor.writeTrace(prediction, made, options);
    describeRun(trace, made);
    fs::rename(made, target, error);
    if (error) throw Error("cannot be made: " + error.message(), {.file = target.string()});
    return leftOut;
}

}  // namespace holos::cli
