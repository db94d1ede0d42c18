// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/archive/snapshot.h"

#include <string_view>

#include "base/error.h"
#include "tracing/archive/living.h"

namespace holos::archive {
namespace {

constexpr std::string_view kDefinitions = "definitions";

void copyFiles(const fs::path& from, const fs::path& to) {
    fs::create_directories(to);
    for (const auto& entry : fs::directory_iterator(from))
        if (entry.is_regular_file() && entry.path().filename() != kDefinitions)
            fs::copy_file(entry.path(), to / entry.path().filename());
}

/// Definitions come after the events, which refer to them.
void copyProcess(const fs::path& from, const fs::path& to) {
    copyFiles(from, to);
    if (fs::exists(from / kDefinitions)) fs::copy_file(from / kDefinitions, to / kDefinitions);
}

void copyRecording(const fs::path& from, const fs::path& to) {
    copyFiles(from, to);
    for (const auto& folder : processFolders(from)) copyProcess(folder, to / folder.filename());
}

}  // namespace

Snapshot::Snapshot(const fs::path& directory) try : lock_(directory), copy_(scratchForSnapshot(directory)) {
    const fs::path recording = recordingOf(directory);
    if (!needsFinish(directory)) throw Error("holds no recording", {.file = directory.string()});
    const Owners owners = ownersOf(recording);
    living_ = owners.living.size();
    unknown_ = owners.unknown.size();
    copyRecording(recording, recordingOf(copy_.path()));
    finish(copy_.path(), Check::Nobody);
} catch (const fs::filesystem_error& error) {
    throw Error(error.code().message(), {.file = error.path1().string()});
}

}  // namespace holos::archive
