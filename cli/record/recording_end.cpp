// SPDX-License-Identifier: BSD-3-Clause
#include "cli/record/recording_end.h"

#include <sched.h>

#include <cstdio>
#include <optional>
#include <string>
#include <utility>

#include "base/counted.h"
#include "base/shell.h"
#include "cli/analyze/profile_file.h"
#include "cli/terminal/terminal.h"
#include "tracing/archive/archive.h"
#include "tracing/launch/interruption.h"
#include "tracing/launch/waiting.h"

namespace holos::cli {

using namespace launch;
namespace {

namespace fs = std::filesystem;

void report(const fs::path& directory, const archive::Result& result) {
    if (result.processes == 0) return;  // another rank's command made the trace
    if (result.profile)
        std::fprintf(stderr, "holos: %s: added up\n", (directory / archive::kProfileFile).c_str());
    const std::string events =
        archive::hasOnlyProfile(directory) ? "" : ", " + counted(result.events, "event");
    std::fprintf(stderr, "holos: %s: %s, %s%s\n", directory.c_str(),
                 counted(result.processes, "process").c_str(), counted(result.locations, "location").c_str(),
                 events.c_str());
    constexpr std::size_t kMostNotes = 10;
    for (std::size_t i = 0; i < result.notes.size() && i < kMostNotes; ++i) complain(result.notes[i]);
    if (result.notes.size() > kMostNotes)
        std::fprintf(stderr, "holos: %zu more notes in %s\n", result.notes.size() - kMostNotes,
                     (directory / "measurement.json").c_str());
    if (!result.moves.empty()) complain(result.moves);
}

/// A launcher may have bound this rank to one processor. The other ranks' processors have nothing to do any
/// more.
void useAllProcessors() {
    cpu_set_t all;
    CPU_ZERO(&all);
    for (int i = 0; i < CPU_SETSIZE; ++i) CPU_SET(i, &all);
    ::sched_setaffinity(0, sizeof all, &all);  // the system takes those that there are
}

/// Nothing when a signal came first. `place`: where the folder was last.
std::optional<archive::Result> makeTrace(const FollowedFolder& folder, fs::path& place) {
    for (place = folder.now(); waitForProcesses(archive::recordingOf(place), complain);) try {
            const fs::path before = std::exchange(place, folder.now());
            if (place != before) continue;
            const LastWords words(whatStays(place));
            return archive::finish(place, archive::Check::LivingProcesses, writeProfile);
        } catch (const archive::StillRecorded&) {  // by a process that began in the meantime
        }
    return std::nullopt;
}

/// What succeeded may have been a launcher that comes back before the program begins.
bool removedEmpty(const fs::path& directory) noexcept try {
    return archive::removeEmpty(directory);
} catch (const std::exception&) {
    return false;
}

}  // namespace

std::string whatStays(const fs::path& directory) {
    return "holos: the recording stays there; 'holos analyze " + shellLine({directory.string()}) +
           "' makes the trace later\n";
}

Ending endRecording(const FollowedFolder& folder, const Ending& ofProgram) {
    const bool hasFailed = ofProgram.signal != 0 || ofProgram.status != 0;
    fs::path place;
    try {
        useAllProcessors();
        if (const auto result = makeTrace(folder, place))
            report(place, *result);
        else
            std::fputs(whatStays(place).c_str(), stderr);
        return ofProgram;
    } catch (const std::exception& error) {
        complain(error.what());
        if (archive::needsFinish(place) && !(hasFailed && removedEmpty(place)))
            std::fputs(whatStays(place).c_str(), stderr);
        return hasFailed ? ofProgram : Ending{1, 0};
    }
}

}  // namespace holos::cli
