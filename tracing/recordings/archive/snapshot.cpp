// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/snapshot.h"

#include <utility>

#include "base/error.h"
#include "tracing/recordings/archive/facts/host_facts.h"
#include "tracing/recordings/archive/folder/run_identity.h"

namespace holos::archive {
namespace {

Moment now(const fs::path& scratch) {
    tracing::chooseClock();
    return {tracing::synchronizeClocks(), tracing::clockName(), bootId(), scratch};
}

std::string runIn(const fs::path& recording) {
    const auto run = readRun(recording);
    return run ? run->id : "";
}

}  // namespace

/// A recording is taken away by one rename: where it is still there in the end, it was there all the time.
Snapshot::Snapshot(const fs::path& directory, const fs::path& place, std::function<void()> beforeEach) try
    : folder_(place), moment_(now(folder_.path())) {
    const fs::path recording = recordingOf(directory);
    const std::string run = runIn(recording);
    const auto isThere = [&] { return needsFinish(directory) && runIn(recording) == run; };
    fs::create_directory(path());
    try {
        converted_ = convert(recording, path(), {.moment = moment_, .beforeEach = std::move(beforeEach)});
        isWhole_ = isThere();
    } catch (const std::exception&) {
        isWhole_ = isThere();
        if (isWhole_) throw;
    }
} catch (const fs::filesystem_error& error) {
    throw Error(error.code().message(), {.file = error.path1().string()});
}

}  // namespace holos::archive
