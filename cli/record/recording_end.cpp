// SPDX-License-Identifier: BSD-3-Clause
#include "cli/record/record_parts.h"

#include <cstdio>

#include "base/process.h"
#include "base/text.h"
#include "cli/analyze/recordings.h"
#include "cli/terminal/terminal.h"
#include "tracing/recordings/archive/archive.h"
#include "tracing/recordings/archive/jobs.h"
#include "tracing/recordings/launch/recording_end.h"

namespace holos::cli {

using namespace launch;
namespace {

namespace fs = std::filesystem;

void reportJob(const fs::path& directory, const archive::Result& result) {
    if (result.processes == 0) return;  // another rank's command made the trace
    if (result.profile)
        std::fprintf(stderr, "holos: %s: added up\n", (directory / archive::kProfileFile).c_str());
    const std::string events =
        archive::hasOnlyProfile(directory) ? "" : ", " + counted(result.events, "event");
    std::fprintf(stderr, "holos: %s: %s, %s%s\n", directory.c_str(),
                 counted(result.processes, "process").c_str(), counted(result.locations, "location").c_str(),
                 events.c_str());
    for (const archive::Law& law : result.laws)
        if (!law.holds)
            complain("the recording is not complete or not consistent: " + law.name + ": " + law.says);
    if (!result.endedWell) complain(result.ends);
    constexpr std::size_t kMostNotes = 10;
    for (std::size_t i = 0; i < result.notes.size() && i < kMostNotes; ++i) complain(result.notes[i]);
    if (result.notes.size() > kMostNotes)
        std::fprintf(stderr, "holos: %zu more notes in %s\n", result.notes.size() - kMostNotes,
                     (directory / "measurement.json").c_str());
    if (!result.moves.empty()) complain(result.moves);
}

void report(const fs::path& directory, const archive::Result& result) {
    reportJob(directory, result);
    for (std::size_t i = 0; i < result.furtherJobs.size(); ++i)
        reportJob(archive::folderOfJob(directory, i + 2), result.furtherJobs[i]);
}

}  // namespace

std::string whatStays(const fs::path& directory) {
    return "holos: the recording stays there; 'holos analyze " + shellLine({directory.string()}) +
           "' makes the trace later\n";
}

Ending endRecording(const FollowedFolder& folder, const Ending& ofProgram) {
    const RecordingEnd end = finishRecording(folder, ofProgram, {complain, writeProfile, whatStays});
    if (end.trace) report(end.folder, *end.trace);
    if (!end.trouble.empty()) complain(end.trouble);
    if (end.stays) std::fputs(whatStays(end.folder).c_str(), stderr);
    return end.command;
}

}  // namespace holos::cli
