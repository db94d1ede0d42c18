// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/run/reading.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <utility>

#include "base/error.h"
#include "base/input_file.h"
#include "tracing/recordings/archive/code_names/other_builds.h"
#include "tracing/recordings/archive/facts/command_file.h"
#include "tracing/recordings/archive/folder/living.h"
#include "tracing/recordings/archive/folder/local_events.h"
#include "tracing/recordings/archive/folder/run_identity.h"
#include "tracing/recordings/archive/process/committed_events.h"
#include "tracing/recordings/archive/process/definitions_parser.h"
#include "tracing/recordings/archive/process/profile_cells.h"
#include "tracing/recordings/format/word_sum.h"

namespace holos::archive {
namespace {

namespace fs = std::filesystem;

/// A process's own records are a few kilobytes; a file that has more is not one of ours.
constexpr std::uintmax_t kLargestDefinitions = std::uintmax_t{1} << 30;

/// No entry of them is larger.
constexpr std::uint32_t kLargestEntry = 1u << 26;

/// Whether it is known that these bytes have all entries, of which the first one that was not looked at is at
/// `at`: they end with a length of 0.
bool haveAllEntries(const std::vector<unsigned char>& bytes, std::size_t& at) {
    std::uint32_t length = 0;
    for (; at + sizeof length <= bytes.size(); at += tracing::entryBytes(length)) {
        std::memcpy(&length, bytes.data() + at, sizeof length);
        length &= ~tracing::kUnfinished;
        if (length == 0 || length > kLargestEntry) return true;
    }
    return false;
}

/// As far as its entries go: behind them a file may have next to nothing, and be very large.
std::vector<unsigned char> readEntries(const fs::path& path) {
    constexpr std::size_t kPortion = std::size_t{1} << 18;
    const Descriptor file = openRegular(path);
    if (!file) throw Error("cannot be read: " + std::string(std::strerror(errno)), {.file = path.string()});
    std::vector<unsigned char> bytes;
    std::size_t at = 0;
    for (std::size_t portion = kPortion; !haveAllEntries(bytes, at) && bytes.size() < kLargestDefinitions;
         portion = std::max(portion, bytes.size())) {
        const std::size_t before = bytes.size();
        bytes.resize(before + portion);
        const std::size_t more = readAt(file, bytes.data() + before, portion, before);
        bytes.resize(before + more);
        if (more < portion) break;
    }
    return bytes;
}

void takeStatus(const std::optional<tracing::Status>& status, RecordedProcess& process) {
    process.status = status.value_or(tracing::Status{});
    if (!status) {
        process.lossIsUnknown = process.damage.empty();
        if (process.lossIsUnknown) process.damage = "its status is missing";
        return;
    }
    const bool gaveUpReserve = process.status.isCopied != 0 && process.status.failure == 0 &&
                               !fs::exists(process.directory / tracing::kReserveFile);
    if (gaveUpReserve) process.status.failure = ENOSPC;  // else the status says why
    process.lossIsUnknown |= gaveUpReserve;
}

/// Of a process that ended in order it is known how they were then.
void prove(const std::vector<unsigned char>& definitions, const std::optional<tracing::Status>& status,
           RecordedProcess& process) {
    if (!status || status->ended == 0 || status->definitionBytes == 0) return;
    const bool isWhole =
        definitions.size() >= status->definitionBytes &&
        tracing::sumOfBytes(definitions.data(), status->definitionBytes) == status->definitionSum;
    if (isWhole) return;
    process.damage =
        "its definitions are not those that it wrote: a part of them was lost on the way to the disk";
    process.lossIsUnknown = true;
}

/// Without events and status.
RecordedProcess readDefinitions(const fs::path& directory, const std::optional<tracing::Status>& status) {
    RecordedProcess process;
    process.directory = directory;
    process.events = directory / "events";
    const fs::path definitions = directory / "definitions";
    std::error_code unknown;
    if (fs::is_regular_file(definitions, unknown)) {
        const auto bytes = readEntries(definitions);
        parseDefinitions(bytes, process);
        prove(bytes, status, process);
    }
    if (process.executable.empty()) process.damage = "its definitions are missing";
    return process;
}

/// Events that are on a disk of another machine are missing here.
void takeDistance(RecordedProcess& process) {
    const std::string place = distantPlaceOf(process.directory);
    if (place.empty()) return;
    process.damage = "its events were kept on " + place + ", and are missing";
    process.lossIsUnknown = true;
}

/// The file is larger than what is used of it. Only of a process that ended in order it is certain how far
/// that is: of others the machine may have failed before all was on the disk.
std::uint64_t endOfEvents(const tracing::Status& status) {
    const bool isKnown = status.ended != 0 && status.isCopied == 0 && status.eventBytes != 0;
    return isKnown ? status.eventBytes : std::numeric_limits<std::uint64_t>::max();
}

/// Of a process that copied its events and did not come to the end of that: it was killed, or forbade the
/// thread that copies to go on. Its status is older than its end.
void takeUnknownLoss(RecordedProcess& process) {
    process.lossIsUnknown |= process.mayMissTheLast();
}

RecordedProcess readProcess(const fs::path& directory) {
    const auto status = readStatus(directory);
    RecordedProcess process = readDefinitions(directory, status);
    takeStatus(status, process);
    takeDistance(process);
    process.chunks = chunkPlaces(process.eventFile(), endOfEvents(process.status), process.proofs);
    process.lossIsUnknown |= process.status.lateFailure != 0 && hasProfile(process);
    takeUnknownLoss(process);
    return process;
}

/// In the opposite order of writing: definitions come before what refers to them, and the status says last
/// that there is no more.
RecordedProcess readProcessAt(const Moment& moment, const fs::path& directory, bool keepsNewest) {
    const bool isAlive = lifeOfRecorded(directory) == Life::Living;
    const auto status = readStatus(directory);
    RecordedProcess before = readDefinitions(directory, status);
    if (before.syncs.empty()) return before;
    const bool isHere = before.boot == moment.boot && before.clock == moment.clock;
    const std::uint64_t until = isHere ? moment.time.ticks : std::numeric_limits<std::uint64_t>::max();
    if (keepsNewest) {
        before.events = moment.scratch / (directory.filename().string() + ".events");
        copyOverwritten(directory / "events", before.events, before.syncs.front().ticks);
    }
    CommittedEvents committed = committedEvents(before, until);
    RecordedProcess process = readDefinitions(directory, status);
    takeStatus(status, process);
    takeDistance(process);
    process.events = before.events;
    process.chunks = std::move(committed.chunks);
    process.newest = committed.newest;
    const bool endedLater = process.status.ended != 0 && process.syncs.back().ticks > until;
    if (endedLater) process.status.ended = 0;
    if (isHere && (isAlive || endedLater)) process.seenAlive = until;
    takeUnknownLoss(process);
    return process;
}

/// It had not begun.
bool isLaterThan(const Moment& moment, const RecordedProcess& process) {
    if (process.executable.empty() || process.syncs.empty()) return true;
    return process.boot == moment.boot && process.clock == moment.clock &&
           process.syncs.front().ticks > moment.time.ticks;
}

/// One name for all programs that a process ran one after another. Other processes may have had its number,
/// in another namespace or at another time.
std::string processName(const RecordedProcess& process) {
    const auto note = readNote(process.directory / "alive");
    const std::string name = process.directory.stem().string();
    return note ? name + ' ' + note->boot + ' ' + std::to_string(note->pidNamespace) + ' ' +
                      std::to_string(note->startTime)
                : name;
}
/// Of `HOST.PID.N`.
int programNumber(const RecordedProcess& process) {
    const std::string number = process.directory.extension().string();
    return number.size() > 1 ? std::atoi(number.c_str() + 1) : 0;
}

void markReplaced(std::vector<RecordedProcess>& processes) {
    std::map<std::string, int> last;  // number of the program that a process ran at the end
    std::vector<const int*> ends;
    for (const auto& one : processes) {
        int& number = last[processName(one)];
        number = std::max(number, programNumber(one));
        ends.push_back(&number);
    }
    for (std::size_t i = 0; i < processes.size(); ++i)
        processes[i].replaced = programNumber(processes[i]) < *ends[i];
}

void putInOrder(std::vector<RecordedProcess>& processes) {
    std::ranges::stable_sort(processes, [](const auto& a, const auto& b) {
        const auto begin = [](const RecordedProcess& p) {
            return p.syncs.empty() ? 0 : p.syncs.front().realtime;
        };
        return begin(a) < begin(b);
    });
    markReplaced(processes);
}

/// What the process says itself, completed by those that waited for it.
ProcessEnd endOf(const RecordedProcess& process, const LifeRecords& lives) {
    using How = ProcessEnd::How;
    const bool isGone = !process.becomes.empty() && process.status.ended == 0;
    if (process.replaced || isGone) return {.how = How::Replaced};
    if (process.seenAlive) return {.how = How::GoesOn};
    const std::int64_t begin = process.syncs.empty() ? 0 : process.syncs.front().monotonic;
    ProcessEnd end = lives.endOf(process.boot, process.pid, begin).value_or(ProcessEnd{});
    if (process.status.ended == 0 || end.how == How::Signal) return end;
    const auto way = static_cast<tracing::ExitWay>(process.status.exitWay);
    end.how = way == tracing::ExitWay::AtOnce    ? How::AtOnce
              : way == tracing::ExitWay::Quickly ? How::Quickly
                                                 : How::Exit;
    const bool saysCode = way == tracing::ExitWay::Exit || way == tracing::ExitWay::AtOnce;
    if (saysCode) end.code = static_cast<int>(process.status.exitCode);
    return end;
}

void addEnds(const fs::path& recording, std::vector<RecordedProcess>& processes) {
    const LifeRecords lives(recording);
    for (RecordedProcess& process : processes) process.end = endOf(process, lives);
}

struct Folders {
    std::vector<fs::path> own;
    std::vector<fs::path> strangers;  ///< of another run, which had its recording in this place before
};

Folders partition(const fs::path& recording) {
    const auto run = readRun(recording);
    Folders folders;
    for (auto& one : processFolders(recording)) {
        const auto note = readNote(one / "alive");
        const bool isStranger = run && note && note->run != run->id;
        (isStranger ? folders.strangers : folders.own).push_back(std::move(one));
    }
    return folders;
}

}  // namespace

Recording readRecording(const fs::path& folder) {
    Folders folders = partition(folder);
    OtherBuilds others;
    Recording recording = unify(folders.own.size(), [&](std::size_t i) {
        RecordedProcess process = readProcess(folders.own[i]);
        others.mark(process);
        return process;
    });
    putInOrder(recording.processes);
    addEnds(folder, recording.processes);
    recording.notes = others.notes();
    recording.strangers = std::move(folders.strangers);
    return recording;
}

Recording readRecording(const fs::path& folder, const Moment& moment) {
    Folders folders = partition(folder);
    const bool keeps = keepsNewest(folder);
    OtherBuilds others;
    Recording recording = unify(folders.own.size(), [&](std::size_t i) {
        RecordedProcess process = readProcessAt(moment, folders.own[i], keeps);
        others.mark(process);
        return process;
    });
    putInOrder(recording.processes);
    addEnds(folder, recording.processes);
    recording.notes = others.notes();
    recording.strangers = std::move(folders.strangers);
    std::erase_if(recording.processes, [&](const auto& one) { return isLaterThan(moment, one); });
    return recording;
}

}  // namespace holos::archive
