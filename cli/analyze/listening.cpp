// SPDX-License-Identifier: BSD-3-Clause
#include "cli/analyze/recordings.h"

#include <cstdio>
#include <string>

#include "base/process.h"
#include "tracing/recordings/archive/archive.h"
#include "tracing/recordings/archive/signs_of_life.h"

namespace holos::cli {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

std::string describeUnknown(const archive::Owners& owners) {
    std::string text = archive::describe(owners.unknown);
    if (owners.unknownCommands.empty()) return text;
    if (!text.empty()) text += " and ";
    return text + "the command 'holos record' of " + archive::describe(owners.unknownCommands);
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
                 archive::describe(owners).c_str(), kWhatIsDone);
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
                     directory.c_str(), archive::describe(owners.unknown).c_str(), seconds(time).c_str());
        owners = archive::listenTo(recording, {time});
    }
    if (owners.anyLives())
        sayWhoLives(directory, owners);
    else if (owners.any())
        sayThatNobodyKnows(directory, owners, time);
    return owners.any();
}

}  // namespace holos::cli
