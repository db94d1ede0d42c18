// SPDX-License-Identifier: BSD-3-Clause
#include "cli/analyze/recordings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "algebra/files/experiment_file.h"
#include "algebra/operators/derive/derive.h"
#include "algebra/operators/history/provenance.h"
#include "analyzer/analyze.h"
#include "analyzer/profile/profile.h"
#include "analyzer/recorded_facts.h"
#include "base/error.h"
#include "base/process.h"
#include "base/text.h"
#include "cli/terminal/terminal.h"
#include "cli/write_result.h"
#include "report/tables/estimates.h"
#include "report/tables/notes.h"
#include "tracing/recordings/archive/account/result.h"
#include "tracing/recordings/archive/folder/living.h"
#include "tracing/recordings/archive/folder/measurement_folder.h"
#include "tracing/recordings/measurement/measurement.h"

namespace holos::cli {
namespace {

namespace fs = std::filesystem;

/// The name of the phase; empty where none was chosen.
std::string tracedPhaseOf(const fs::path& folder) try {
    return measurement::readSettings(folder).tracedPhaseName();
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

namespace {

using std::chrono::milliseconds;

std::string describeUnknown(const archive::Owners& owners) {
    std::string text = archive::processesText(owners.unknown);
    if (owners.unknownCommands.empty()) return text;
    if (!text.empty()) text += " and ";
    return text + "the command 'holos record' of " + archive::processesText(owners.unknownCommands);
}

/// `10 s`
std::string seconds(milliseconds time) {
    char text[32];
    std::snprintf(text, sizeof text, "%g s", std::chrono::duration<double>(time).count());
    return text;
}

constexpr const char* kWhatIsDone = "analyzing a snapshot, which leaves the recording as it is";

void sayWhoLives(const fs::path& directory, const archive::Owners& owners) {
    std::fprintf(stderr, "holos: %s: is still being recorded: %s: %s\n", directory.c_str(),
                 archive::ownersText(owners).c_str(), kWhatIsDone);
}

void sayThatNobodyKnows(const fs::path& directory, const archive::Owners& owners, milliseconds time) {
    const std::string duration = owners.unknown.empty() ? "" : " for " + seconds(time);
    std::fprintf(stderr,
                 "holos: %s: no sign of life%s from %s. Each may have ended, or have been stopped, or its "
                 "machine may hang: %s. Once it is certain that they ended, 'holos analyze --finish %s' "
                 "makes the trace\n",
                 directory.c_str(), duration.c_str(), describeUnknown(owners).c_str(), kWhatIsDone,
                 shellLine({directory.string()}).c_str());
}

}  // namespace

bool isBeingRecorded(const fs::path& directory, milliseconds time) {
    const fs::path recording = archive::recordingOf(directory);
    archive::Owners owners = archive::ownersOf(recording);
    if (!owners.anyLives() && !owners.unknown.empty()) {
        std::fprintf(stderr, "holos: %s: listening for signs of life of %s, for up to %s\n",
                     directory.c_str(), archive::processesText(owners.unknown).c_str(),
                     seconds(time).c_str());
        owners = archive::listenTo(recording, {time});
    }
    if (owners.anyLives())
        sayWhoLives(directory, owners);
    else if (owners.any())
        sayThatNobodyKnows(directory, owners, time);
    return owners.any();
}

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
        experiment, {"record", HOLOS_VERSION, {{"profile", "true"}}, {}, measurement::recordedRun(folder)});
    writeTested(experiment, folder / archive::kProfileFile, Links::Refused);
}

void sayWhatIsIn(const archive::Snapshot& snapshot) {
    constexpr std::size_t kMostNotes = 10;
    const archive::Result& result = snapshot.result();
    complain(fmt::format("{}, {}, {} until {}", counted(result.processes, "process"),
                         counted(result.locations, "location"), counted(result.events, "event"),
                         tables::snapshotText(snapshot)));
    const std::size_t shown = std::min(result.notes.size(), kMostNotes);
    for (std::size_t i = 0; i < shown; ++i) complain(result.notes[i]);
    if (result.notes.size() > shown)
        std::fprintf(stderr, "holos: and %zu more notes\n", result.notes.size() - shown);
}

}  // namespace holos::cli
