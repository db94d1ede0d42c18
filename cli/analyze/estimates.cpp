// SPDX-License-Identifier: BSD-3-Clause
#include "cli/analyze/recordings.h"

#include "algebra/files/experiment_file.h"
#include "base/error.h"
#include "report/tables/estimates.h"
#include "tracing/recordings/archive/archive.h"
#include "tracing/recordings/archive/record_settings.h"

namespace holos::cli {
namespace {

namespace fs = std::filesystem;

/// The name of the phase; empty where none was chosen.
std::string tracedPhaseOf(const fs::path& folder) try {
    return archive::readSettings(folder).tracedPhaseName();
} catch (const Error&) {  // not of this recorder, or not asked for
    return "";
}

}  // namespace

std::string addEstimates(algebra::Experiment& analysis, const fs::path& folder) {
    constexpr std::size_t kShown = 5;
    const std::string phase = tracedPhaseOf(folder);
    if (phase.empty() || !fs::exists(folder / archive::kProfileFile)) return "";
    const algebra::Experiment profile = algebra::readExperiment(folder / archive::kProfileFile);
    const algebra::WaitEstimates estimates =
        tables::estimateWaits(algebra::periodWaitsOf(analysis), tables::wholePhase(profile, phase), phase,
                              tables::callTimesOf(analysis, profile, phase));
    if (estimates.waits.empty()) return "";
    analysis.files[algebra::kEstimatesFile] = algebra::waitEstimatesText(estimates);
    return tables::estimatesText(analysis, estimates, kShown);
}

}  // namespace holos::cli
