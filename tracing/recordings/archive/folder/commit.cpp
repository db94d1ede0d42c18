// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/folder/commit.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "tracing/recordings/archive/folder/local_events.h"
#include "tracing/recordings/archive/folder/many_files.h"
#include "tracing/recordings/archive/folder/measurement_folder.h"
#include "tracing/recordings/archive/folder/ownership.h"

namespace holos::archive {
namespace {

/// Each is followed by a dot and the id of a run.
constexpr std::string_view kNewRecording = "recording.new";
constexpr std::string_view kNewTrace = "traces.new";
constexpr std::string_view kReadyTrace = "traces.ready";  ///< complete, on the way to its place
constexpr std::string_view kRemoved = "recording.done";

std::string named(std::string_view what, const std::string& run) {
    return std::string(what) + '.' + run;
}

/// Folders of such a name.
std::vector<fs::path> foldersOf(const fs::path& directory, std::string_view what) {
    constexpr std::size_t kDigits = 32;
    std::vector<fs::path> found;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(directory, none)) {
        const std::string name = entry.path().filename().string();
        const bool isOurs = name.size() == what.size() + 1 + kDigits && name.starts_with(named(what, "")) &&
                            isRunId(name.substr(what.size() + 1));
        if (isOurs && fs::is_directory(entry.symlink_status(none))) found.push_back(entry.path());
    }
    return found;
}

/// Traces of a folder that cannot be written are left to who can.
std::string idFor(const std::string& run) {
    constexpr std::size_t kDigits = 32;
    return isRunId(run) && run.size() == kDigits ? run : newRunId();
}

[[noreturn]] void failInTheWay(const fs::path& directory, const std::vector<std::string>& names) {
    throw Error(
        "has " + listed(names) +
            ", where its recording has to put its trace: move that away, and 'holos analyze' makes the "
            "trace",
        {.file = directory.string()});
}

/// Not every file system can rename without replacing.
void moveToFreeName(const fs::path& from, const fs::path& to) {
    if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return;
    if (errno == EEXIST || isThere(to)) failInTheWay(to.parent_path(), {to.filename().string()});
    fs::rename(from, to);
}

/// What was moved by a process that was killed is no longer here.
void moveIntoPlace(const fs::path& ready, const fs::path& directory) {
    for (const fs::path& job : foldersNamedAsJobs(ready)) moveToFreeName(job, directory / job.filename());
    for (const char* name : kFilesOfTrace)
        if (isThere(ready / name)) moveToFreeName(ready / name, directory / name);
    sync(directory);
    removeAll(ready);
}

}  // namespace

RunIdentity beginRecording(const fs::path& directory, const Job& job) {
    RunIdentity run = newRun(job);
    const Scratch made(directory / named(kNewRecording, run.id));
    writeRun(made.path(), run);
    moveToFreeName(made.path(), recordingOf(directory));
    return run;
}

bool hasTraceOf(const fs::path& directory, const std::string& run) {
    return (fs::exists(directory / kFilesOfTrace.back()) || hasOnlyProfile(directory)) &&
           recordedRun(directory) == run;
}

void requireRoomForTrace(const fs::path& directory) {
    if (isThere(directory / kFilesOfTrace.back()))
        throw Error("holds a recording and the trace of another run: move one of them away",
                    {.file = directory.string()});
    std::vector<std::string> names;
    for (const char* name : kFilesOfTrace)
        if (isThere(directory / name)) names.emplace_back(name);
    if (!names.empty()) failInTheWay(directory, names);
}

void publishTrace(const fs::path& from, const fs::path& directory) {
    syncAll(from);
    const fs::path ready = directory / named(kReadyTrace, from.extension().string().substr(1));
    moveToFreeName(from, ready);
    moveIntoPlace(ready, directory);
}

void removeRecording(const fs::path& directory) {
    const fs::path recording = recordingOf(directory);
    if (!isThere(recording)) return;
    const auto run = readRun(recording);
    const fs::path removed = directory / named(kRemoved, idFor(run ? run->id : ""));
    removeAll(removed);
    removeLocalEvents(recording);
    moveToFreeName(recording, removed);
    // Network file systems keep files that are open, as that of this command. The next one clears them away.
    std::error_code later;
    removeAll(removed, later);
}

/// By one rename each, so that no part loses what says whose it is.
void removeMeasurement(const fs::path& directory) {
    const InTheWay found = inTheWay(directory);
    removeRecording(directory);
    const Scratch removed(directory / named(kRemoved, newRunId()));
    for (auto name = found.ofHolos.rbegin(); name != found.ofHolos.rend(); ++name) {
        const fs::path path = directory / *name;
        const std::string last = path.has_filename() ? path.filename() : path.parent_path().filename();
        if (isThere(directory / last)) fs::rename(directory / last, removed.path() / last);
    }
}

bool hasLeftovers(const fs::path& directory) {
    for (const auto what : {kNewRecording, kNewTrace, kReadyTrace, kRemoved})
        if (!foldersOf(directory, what).empty()) return true;
    return false;
}

void settleLeftovers(const fs::path& directory) {
    for (const auto what : {kNewRecording, kNewTrace, kRemoved})
        for (const auto& path : foldersOf(directory, what)) removeAll(path);
    for (const auto& ready : foldersOf(directory, kReadyTrace)) moveIntoPlace(ready, directory);
}

Scratch::Scratch(fs::path path) : path_(std::move(path)) {
    constexpr mode_t kAsTheUserLets = 0777;
    if (::mkdir(path_.c_str(), kAsTheUserLets) != 0)
        throw Error("cannot be made as a folder: " + std::string(std::strerror(errno)),
                    {.file = path_.string()});
}

Scratch::~Scratch() {
    std::error_code ignored;
    removeAll(path_, ignored);
}

Scratch scratchForTrace(const fs::path& directory, const std::string& run) {
    return Scratch(directory / named(kNewTrace, idFor(run)));
}

}  // namespace holos::archive
