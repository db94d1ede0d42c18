// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "metric-specs/error.h"
#include "tracing/archive/archive.h"
#include "tracing/archive/host_facts.h"
#include "tracing/archive/measurement.h"
#include "tracing/archive/moves.h"
#include "tracing/archive/trace_writer.h"

namespace holos::archive {
namespace {

/// Held while a recording is converted; ends with the process that holds it, whatever happens to that.
class Lock {
  public:
    explicit Lock(const fs::path& path) : file_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
        if (file_ < 0) throw Error(std::strerror(errno), {.file = path.string()});
        while (::flock(file_, LOCK_EX) != 0 && errno == EINTR) continue;
    }
    ~Lock() { ::close(file_); }
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;

  private:
    int file_;
};

/// Removes what an interrupted conversion left, and its own results unless they were moved away.
class Scratch {
  public:
    explicit Scratch(fs::path path) : path_(std::move(path)) {
        fs::remove_all(path_);
        fs::create_directory(path_);
    }
    ~Scratch() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    const fs::path& path() const { return path_; }

  private:
    fs::path path_;
};

/// `traces.otf2` comes last: where it is, the trace is complete.
void moveResults(const fs::path& from, const fs::path& to) {
    for (const char* name : {"traces", "traces.def", "measurement.json", "traces.otf2"}) {
        fs::remove_all(to / name);
        fs::rename(from / name, to / name);
    }
}

void addLostSamples(const std::vector<RecordedProcess>& processes, Result& result) {
    std::uint64_t lost = 0;
    for (const auto& process : processes) lost += process.status.lostSamples;
    if (lost != 0)
        result.notes.push_back(std::to_string(lost) +
                               " samples of the call stack are missing: they came while an event was being "
                               "written, or on a stack that is not the thread's own");
}

Result convert(const fs::path& directory, const fs::path& recording) {
    Recording recorded = readRecording(recording);
    const auto& processes = recorded.processes;
    TracePlan plan = planTrace(recorded, savedFilter(recording));
    const bool sameClock = processes.front().clock == tracing::clockName();
    const Timeline timeline(processes, sameClock ? bootId() : "", tracing::synchronizeClocks());
    if (!timeline.allMeasured())
        plan.notes.push_back(
            "the length of a clock tick is unknown, as the program was killed at once: times are "
            "in ticks, not nanoseconds");
    plan.hardware = savedHardware(recording);
    const Scratch scratch(recording / "trace.tmp");
    Result result = writeTrace(scratch.path(), plan, timeline);
    for (auto& missed : missedParts(recording, plan)) result.notes.push_back(std::move(missed));
    for (const auto& process : processes) result.lostEvents += process.status.lostEvents;
    addLostSamples(processes, result);
    result.moves = describeMoves(plan);
    writeMeasurement(scratch.path(), recording, plan, result);
    moveResults(scratch.path(), directory);
    return result;
}

}  // namespace

fs::path recordingOf(const fs::path& directory) {
    return directory / "recording";
}

bool needsFinish(const fs::path& directory) {
    std::error_code error;
    return fs::is_directory(recordingOf(directory), error);
}

Result finish(const fs::path& directory) try {
    const fs::path recording = recordingOf(directory);
    tracing::chooseClock();
    const Lock lock(recording / "lock");
    if (!fs::exists(recording / "lock")) return {};  // another process finished it in the meantime
    Result result = convert(directory, recording);
    fs::remove_all(recording);
    return result;
} catch (const fs::filesystem_error& error) {
    throw Error(error.code().message(), {.file = error.path1().string()});
}

bool removeEmpty(const fs::path& directory) {
    const fs::path recording = recordingOf(directory);
    if (!readRecording(recording).processes.empty()) return false;
    fs::remove_all(recording);
    std::error_code isNotEmpty;
    fs::remove(directory, isNotEmpty);
    return true;
}

}  // namespace holos::archive
