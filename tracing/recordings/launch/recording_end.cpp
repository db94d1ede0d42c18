// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/launch/recording_end.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/host_name.h"
#include "tracing/recordings/launch/node_helpers.h"

namespace holos::launch {

namespace fs = std::filesystem;

FollowedFolder::FollowedFolder(fs::path folder)
    : folder_(std::move(folder)), descriptor_(::open(folder_.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)) {
    if (!descriptor_) throw Error(std::strerror(errno), {.file = folder_.string()});
}

fs::path FollowedFolder::now() const {
    struct stat own {};
    struct stat other {};
    const bool isKnown = ::fstat(descriptor_.number(), &own) == 0;
    const auto isHere = [&](const fs::path& path) {
        return ::stat(path.c_str(), &other) == 0 && own.st_ino == other.st_ino && own.st_dev == other.st_dev;
    };
    if (isKnown && isHere(folder_)) return folder_;
    std::error_code error;
    fs::path moved = fs::read_symlink(link(), error);
    if (isKnown && !error && isHere(moved)) return moved;
    if (::stat(folder_.c_str(), &other) != 0 && errno != ENOENT && errno != ENOTDIR)
        throw Error(std::string("cannot be reached any more (") + std::strerror(errno) +
                        "): what was recorded may not be complete",
                    {.file = folder_.string()});
    throw Error("was removed, or moved to another disk, while the program ran: the recording is not complete",
                {.file = folder_.string()});
}

std::string FollowedFolder::link() const {
    return "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(descriptor_.number());
}

namespace {

/// Nothing when a signal came first. `place`: where the folder was last.
std::optional<archive::Result> makeTrace(const FollowedFolder& folder, const EndingSteps& steps,
                                         fs::path& place) {
    for (place = folder.now(); waitForProcesses(archive::recordingOf(place), steps.announce);) try {
            const fs::path before = std::exchange(place, folder.now());
            if (place != before) continue;
            const LastWords words(steps.lastWords(place));
            NodeHelpers nodes(place, hostName());
            return archive::finish(place, archive::Check::LivingProcesses, steps.makeProfile, steps.announce,
                                   &nodes);
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

void useAllProcessors() {
    cpu_set_t all;
    CPU_ZERO(&all);
    for (int i = 0; i < CPU_SETSIZE; ++i) CPU_SET(i, &all);
    ::sched_setaffinity(0, sizeof all, &all);  // the system takes those that there are
}

RecordingEnd finishRecording(const FollowedFolder& folder, const Ending& ofProgram,
                             const EndingSteps& steps) {
    const bool hasFailed = ofProgram.signal != 0 || ofProgram.status != 0;
    RecordingEnd end;
    end.command = ofProgram;
    try {
        useAllProcessors();
        end.trace = makeTrace(folder, steps, end.folder);
        end.stays = !end.trace;
    } catch (const std::exception& error) {
        end.trouble = error.what();
        const bool isThere = !end.folder.empty();  // else nobody knows where it is
        const bool nothingComes = hasFailed || dynamic_cast<const archive::NeverRecorded*>(&error) != nullptr;
        end.stays =
            isThere && archive::needsFinish(end.folder) && !(nothingComes && removedEmpty(end.folder));
        if (!hasFailed) end.command = {1, 0};
    }
    return end;
}

}  // namespace holos::launch
