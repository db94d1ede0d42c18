// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/run/reading.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/fnv1a.h"
#include "base/input_file.h"
#include "base/packing.h"
#include "tracing/recordings/archive/code_names/other_builds.h"
#include "tracing/recordings/archive/facts/command_file.h"
#include "tracing/recordings/archive/folder/living.h"
#include "tracing/recordings/archive/folder/local_events.h"
#include "tracing/recordings/archive/folder/many_files.h"
#include "tracing/recordings/archive/folder/ownership.h"
#include "tracing/recordings/archive/process/profile_cells.h"
#include "tracing/recordings/format/definition_kinds.h"
#include "tracing/recordings/format/record.h"

namespace holos::archive {
namespace {

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

/// A process that copies its events has a reserve until the disk is full.
bool findReserve(const fs::path& process, const std::optional<tracing::Status>& status) {
    const bool matters = status && status->isCopied != 0 && status->failure == 0;
    return matters && fs::exists(process / tracing::kReserveFile);
}

struct LocatedChunk {
    std::uint32_t location = 0;
    ChunkPlace place{};
};

/// Below, `Packing` is a `Packer` or an `Unpacker`.
template <class Packing>
void pack(Packing& packing, ChunkPlaces& chunks) {
    std::vector<LocatedChunk> all;
    for (const auto& [location, places] : chunks)
        for (const ChunkPlace& place : places) all.push_back({location, place});
    packing.list(all);
    chunks.clear();
    for (const LocatedChunk& one : all) chunks[one.location].push_back(one.place);
}

template <class Packing>
void pack(Packing& packing, ProcessFiles& files) {
    packing.optional(files.note, [&](std::string& text) { packing.list(text); });
    packing.optional(files.status, [&](tracing::Status& status) { packing.value(status); });
    packing.optional(files.definitions, [&](std::vector<unsigned char>& bytes) { packing.list(bytes); });
    packing.value(files.hasReserve);
    packing.list(files.distantPlace);
    packing.optional(files.chunks, [&](ChunkPlaces& chunks) { pack(packing, chunks); });
}

/// A packed file ends with the sum of what is before.
constexpr std::size_t kSumBytes = sizeof(std::uint64_t);

std::uint64_t sumOf(std::string_view content) {
    return Fnv1a().add(content.data(), content.size()).value();
}

std::string packedText(PackedFiles& files) {
    Packer packer;
    packer.value(std::uint64_t{files.size()});
    for (auto& [name, one] : files) {
        packer.list(name);
        pack(packer, one);
    }
    std::string text = packer.take();
    const std::uint64_t sum = sumOf(text);
    text.append(reinterpret_cast<const char*>(&sum), sizeof sum);
    return text;
}

/// Throws `Error` where it is damaged.
void addFrom(std::string text, PackedFiles& files) {
    std::uint64_t sum = 0;
    if (text.size() < kSumBytes) throw Error("packed files are cut off");
    std::memcpy(&sum, text.data() + text.size() - kSumBytes, kSumBytes);
    text.resize(text.size() - kSumBytes);
    if (sumOf(text) != sum) throw Error("packed files are damaged");
    Unpacker unpacker(std::move(text));
    std::uint64_t left = 0;
    for (unpacker.value(left); left > 0; --left) {
        std::string name;
        unpacker.list(name);
        pack(unpacker, files[name]);
    }
}

}  // namespace

std::optional<std::vector<unsigned char>> readDefinitions(const fs::path& process) {
    const fs::path file = process / "definitions";
    std::error_code unknown;
    return fs::is_regular_file(file, unknown) ? std::optional(readEntries(file)) : std::nullopt;
}

ProcessFiles readFiles(const fs::path& process) {
    ProcessFiles files;
    files.note = readNoteText(process / kNoteOfProcess);
    files.status = readStatus(process);
    files.definitions = readDefinitions(process);
    files.hasReserve = findReserve(process, files.status);
    files.distantPlace = distantPlaceOf(process);
    return files;
}

void writePacked(PackedFiles files, const fs::path& to) try {
    writePlainFile(to, packedText(files));
} catch (const Error&) {
    std::error_code none;
    fs::remove(to, none);
    throw;
}

PackedFiles readPacked(const std::vector<fs::path>& packed) {
    constexpr std::uint64_t kLargest = std::uint64_t{1} << 40;
    PackedFiles files;
    for (const fs::path& file : packed) try {
            addFrom(readText(file, kLargest, "packed files of processes"), files);
        } catch (const Error&) {  // whoever needs them reads the processes' own
        }
    return files;
}

namespace {

namespace fs = std::filesystem;

void takeStatus(const ProcessFiles& files, RecordedProcess& process) {
    process.status = files.status.value_or(tracing::Status{});
    if (!files.status) {
        process.lossIsUnknown = process.damage.empty();
        if (process.lossIsUnknown) process.damage = "its status is missing";
        return;
    }
    const bool gaveUpReserve =
        process.status.isCopied != 0 && process.status.failure == 0 && !files.hasReserve;
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
RecordedProcess withDefinitions(const fs::path& directory, const ProcessFiles& files) {
    RecordedProcess process;
    process.directory = directory;
    process.events = directory / "events";
    if (files.definitions) {
        parseDefinitions(*files.definitions, process);
        prove(*files.definitions, files.status, process);
    }
    if (process.executable.empty()) process.damage = "its definitions are missing";
    return process;
}

/// Events that are on a disk of another machine are missing here.
void takeDistance(const ProcessFiles& files, RecordedProcess& process) {
    if (files.distantPlace.empty()) return;
    process.damage = "its events were kept on " + files.distantPlace + ", and are missing";
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

RecordedProcess processIn(const fs::path& directory, const ProcessFiles& files) {
    RecordedProcess process = withDefinitions(directory, files);
    takeStatus(files, process);
    takeDistance(files, process);
    process.chunks = files.chunks
                         ? *files.chunks
                         : chunkPlaces(process.eventFile(), endOfEvents(process.status), process.proofs);
    process.lossIsUnknown |= process.status.lateFailure != 0 && hasProfile(process);
    takeUnknownLoss(process);
    return process;
}

/// In the opposite order of writing: definitions come before what refers to them, and the status says last
/// that there is no more.
RecordedProcess readProcessAt(const Moment& moment, const fs::path& directory, bool keepsNewest) {
    const bool isAlive = lifeOfRecorded(directory) == Life::Living;
    ProcessFiles files = readFiles(directory);
    RecordedProcess before = withDefinitions(directory, files);
    if (before.syncs.empty()) return before;
    const bool isHere = before.boot == moment.boot && before.clock == moment.clock;
    const std::uint64_t until = isHere ? moment.time.ticks : std::numeric_limits<std::uint64_t>::max();
    if (keepsNewest) {
        before.events = moment.scratch / (directory.filename().string() + ".events");
        copyOverwritten(directory / "events", before.events, before.syncs.front().ticks);
    }
    CommittedEvents committed = committedEvents(before, until);
    files.definitions = readDefinitions(directory);
    RecordedProcess process = withDefinitions(directory, files);
    takeStatus(files, process);
    takeDistance(files, process);
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

struct Folder {
    fs::path path;
    std::optional<ProcessNote> note;
};

/// One name for all programs that a process ran one after another. Other processes may have had its number,
/// in another namespace or at another time.
std::string processName(const Folder& folder) {
    const auto& note = folder.note;
    const std::string name = folder.path.stem().string();
    return note ? name + ' ' + note->boot + ' ' + std::to_string(note->pidNamespace) + ' ' +
                      std::to_string(note->startTime)
                : name;
}
/// Of `HOST.PID.N`.
int programNumber(const Folder& folder) {
    const std::string number = folder.path.extension().string();
    return number.size() > 1 ? std::atoi(number.c_str() + 1) : 0;
}

/// `folders`: of each of the processes.
void markReplaced(std::vector<RecordedProcess>& processes, const std::vector<Folder>& folders) {
    std::map<std::string, int> last;  // number of the program that a process ran at the end
    std::vector<const int*> ends;
    for (const Folder& one : folders) {
        int& number = last[processName(one)];
        number = std::max(number, programNumber(one));
        ends.push_back(&number);
    }
    for (std::size_t i = 0; i < processes.size(); ++i)
        processes[i].replaced = programNumber(folders[i]) < *ends[i];
}

void putInOrder(std::vector<RecordedProcess>& processes) {
    std::ranges::stable_sort(processes, [](const auto& a, const auto& b) {
        const auto begin = [](const RecordedProcess& p) {
            return p.syncs.empty() ? 0 : p.syncs.front().realtime;
        };
        return begin(a) < begin(b);
    });
}

/// What the process says itself, completed by those that waited for it.
ProcessEnd endOf(const RecordedProcess& process, const LifeRecords& lives) {
    using How = ProcessEnd::How;
    const bool isGone = !process.becomes.empty() && process.status.ended == 0;
    if (process.replaced) return {.how = How::Replaced};
    const std::int64_t begin = process.syncs.empty() ? 0 : process.syncs.front().monotonic;
    ProcessEnd end = lives.endOf(process.boot, process.pid, begin).value_or(ProcessEnd{});
    if (isGone) return {.how = How::Replaced, .at = end.at};
    if (process.seenAlive) return {.how = How::GoesOn};
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
    std::vector<Folder> own;
    std::vector<fs::path> strangers;  ///< of another run, which had its recording in this place before
};

std::optional<ProcessNote> noteOf(const fs::path& process, const PackedFiles& packed) {
    const fs::path file = process / kNoteOfProcess;
    const auto found = packed.find(process.filename().string());
    if (found == packed.end()) return readNote(file);
    const auto& text = found->second.note;
    return text ? std::optional(noteIn(*text, file)) : std::nullopt;
}

Folders partition(const fs::path& recording, const PackedFiles& packed) {
    const auto run = readRun(recording);
    Folders folders;
    for (const auto& one : processFolders(recording)) {
        auto note = noteOf(one, packed);
        const bool isStranger = run && note && note->run != run->id;
        if (isStranger)
            folders.strangers.push_back(one);
        else
            folders.own.push_back({one, std::move(note)});
    }
    return folders;
}

template <class ReadProcess>
Recording readAll(const fs::path& recording, Folders folders, ReadProcess readProcess) {
    OtherBuilds others;
    Recording all = unify(folders.own.size(), [&](std::size_t i) {
        RecordedProcess process = readProcess(folders.own[i].path);
        others.mark(process);
        return process;
    });
    markReplaced(all.processes, folders.own);
    putInOrder(all.processes);
    addEnds(recording, all.processes);
    all.notes = others.notes();
    all.strangers = std::move(folders.strangers);
    return all;
}

}  // namespace

Recording readRecording(const fs::path& folder, PackedFiles packed) {
    Folders folders = partition(folder, packed);
    return readAll(folder, std::move(folders), [&](const fs::path& process) {
        const auto found = packed.find(process.filename().string());
        if (found == packed.end()) return processIn(process, readFiles(process));
        return processIn(process, std::exchange(found->second, {}));
    });
}

Recording readRecording(const fs::path& folder, const Moment& moment) {
    const bool keeps = keepsNewest(folder);
    Recording recording = readAll(folder, partition(folder, {}), [&](const fs::path& process) {
        return readProcessAt(moment, process, keeps);
    });
    std::erase_if(recording.processes, [&](const auto& one) { return isLaterThan(moment, one); });
    return recording;
}

namespace {

/// Nothing where something is wrong with them.
std::optional<ProcessFiles> filesToPack(const fs::path& directory) try {
    ProcessFiles files = readFiles(directory);
    RecordedProcess process = processIn(directory, files);
    if (!process.damage.empty()) return std::nullopt;
    files.chunks = std::move(process.chunks);
    return files;
} catch (const Error&) {
    return std::nullopt;
}

}  // namespace

void packFiles(const fs::path& recording, const std::vector<std::string>& processes, const fs::path& to) {
    std::vector<std::optional<ProcessFiles>> all(processes.size());
    forManyFiles(processes.size(), [&](std::size_t i) { all[i] = filesToPack(recording / processes[i]); });
    PackedFiles packed;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i]) packed.emplace(processes[i], std::move(*all[i]));
    writePacked(std::move(packed), to);
}

}  // namespace holos::archive
