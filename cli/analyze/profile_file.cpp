// SPDX-License-Identifier: BSD-3-Clause
#include "cli/analyze/recordings.h"

#include "algebra/files/experiment_file.h"
#include "algebra/operators/derive/derive.h"
#include "algebra/operators/history/provenance.h"
#include "analyzer/analyze.h"
#include "analyzer/profile/profile.h"
#include "analyzer/recorded_facts.h"

namespace holos::cli {

void writeProfile(const std::filesystem::path& folder, const archive::Result& result) {
    algebra::Experiment experiment = analyzer::experimentOf(*result.profile, folder);
    analyzer::addRecordedFacts(experiment, folder);
    std::string notes;
    for (const std::string& note : result.notes) notes += note + '\n';
    if (!notes.empty()) {
        experiment.files[analyzer::kDiagnosesName] = notes;
        experiment.attributes.emplace_back(analyzer::kDiagnosesName, std::to_string(result.notes.size()));
    }
    experiment = algebra::applySpecification(std::move(experiment), "auto");
    algebra::setProvenance(
        experiment, {"record", HOLOS_VERSION, {{"profile", "true"}}, {}, analyzer::recordedRun(folder)});
    algebra::writeExperiment(experiment, folder / archive::kProfileFile, Links::Refused);
}

}  // namespace holos::cli
