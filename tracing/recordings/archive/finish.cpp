// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/finish.h"

#include "base/error.h"
#include "base/text.h"
#include "tracing/recordings/archive/conversion.h"
#include "tracing/recordings/archive/facts/command_file.h"
#include "tracing/recordings/archive/folder/commit.h"
#include "tracing/recordings/archive/folder/folder_lock.h"
#include "tracing/recordings/archive/folder/living.h"
#include "tracing/recordings/archive/folder/local_events.h"
#include "tracing/recordings/archive/folder/many_files.h"
#include "tracing/recordings/archive/folder/measurement_folder.h"
#include "tracing/recordings/archive/helpers.h"

namespace holos::archive {
namespace {

void checkOwners(const fs::path& directory, const Owners& owners, Check check) {
    const bool any = check == Check::Everybody ? owners.any() : !owners.living.empty();
    if (any && check != Check::Nobody)
        throw StillRecorded("is still being recorded: " + ownersText(owners), {.file = directory.string()});
}

/// Of those whose end was taken for granted.
std::vector<std::string> describeUncertain(const Owners& owners) {
    std::vector<ProcessNote> all = owners.living;
    all.insert(all.end(), owners.unknown.begin(), owners.unknown.end());
    if (all.empty()) return {};
    return {"it was not known whether these had ended; what they record later is lost: " +
            processesText(all)};
}

void letHelpersBringHome(Helpers& helpers) {
    Order order;
    order.kind = Order::Kind::BringHome;
    for (std::size_t i = 0; i < helpers.count(); ++i) helpers.send(i, textOf(order));
    for (std::size_t i = 0; i < helpers.count(); ++i) helpers.receive(i);
}

/// Events that nodes kept on disks of their own (`--local`).
void requireEvents(const fs::path& directory, Check check, Helpers* helpers) {
    const fs::path recording = recordingOf(directory);
    bringEventsHome(recording, check == Check::Nobody);
    DistantEvents distant = distantEvents(recording);
    if (distant.processes != 0 && helpers != nullptr) {
        letHelpersBringHome(*helpers);
        distant = distantEvents(recording);
    }
    if (distant.processes != 0 && check != Check::Nobody)
        throw Error("misses events of " + counted(distant.processes, "process") + ", which were kept on " +
                        distant.example +
                        ": as long as they are there, 'holos analyze' on that machine moves them here; "
                        "'holos analyze --finish' makes the trace without them",
                    {.file = directory.string()});
}

/// A process may begin while the others are converted.
Result convertAll(const fs::path& directory, const fs::path& to, Check check, Helpers* helpers) {
    const fs::path recording = recordingOf(directory);
    for (;;) {
        const Owners owners = ownersOf(recording);
        checkOwners(directory, owners, check);
        requireEvents(directory, check, helpers);
        const auto folders = processFolders(recording);
        Result result =
            convert(recording, to, {.notes = describeUncertain(owners), .helpers = helpers}).result;
        if (processFolders(recording) == folders) return result;
        removeAll(to);
        fs::create_directory(to);
    }
}

/// Where events were recorded, too, the trace stays beside the profile.
void makeProfileOfJob(const fs::path& directory, const fs::path& folder, const Result& result,
                      const MakeProfile& makeProfile) {
    if (!makeProfile)
        throw Error("holds a profile, of which no trace can be made", {.file = folder.string()});
    makeProfile(folder, result);
    if (keepsEvents(recordingOf(directory))) return;
    for (const char* name : {"traces.otf2", "traces.def", "traces"}) removeAll(folder / name);
}

void makeProfiles(const fs::path& directory, const fs::path& folder, const Result& result,
                  const MakeProfile& makeProfile) {
    if (result.profile) makeProfileOfJob(directory, folder, result, makeProfile);
    for (std::size_t i = 0; i < result.furtherJobs.size(); ++i)
        if (const Result& job = result.furtherJobs[i]; job.profile)
            makeProfileOfJob(directory, folderOfJob(folder, i + 2), job, makeProfile);
}

Result makeTrace(const fs::path& directory, const std::string& run, Check check,
                 const MakeProfile& makeProfile, Helpers* helpers) {
    requireRoomForTrace(directory);
    const Scratch trace = scratchForTrace(directory, run);
    Result result = convertAll(directory, trace.path(), check, helpers);
    makeProfiles(directory, trace.path(), result, makeProfile);
    publishTrace(trace.path(), directory);
    return result;
}

/// Of a folder where nothing can be written, the trace can be read all the same.
void clearAway(const fs::path& directory, const Tell& tell) noexcept try {
    const FolderLock lock(directory, tell);
    settleLeftovers(directory);
} catch (const std::exception&) {
}

}  // namespace

Result finish(const fs::path& directory, Check check, const MakeProfile& makeProfile, const Tell& tell,
              Helpers* helpers) try {
    if (!needsFinish(directory)) {
        clearAway(directory, tell);
        return {};
    }
    tracing::chooseClock();
    const FolderLock lock(directory, tell);
    settleLeftovers(directory);
    if (!needsFinish(directory)) return {};  // another process finished it in the meantime
    const auto run = readRun(recordingOf(directory));
    Result result;
    if (!run || !hasTraceOf(directory, run->id))
        result = makeTrace(directory, run ? run->id : "", check, makeProfile, helpers);
    removeRecording(directory);
    return result;
} catch (const fs::filesystem_error& error) {
    throw Error(error.code().message(), {.file = error.path1().string()});
}

bool removeEmpty(const fs::path& directory) {
    {
        const FolderLock lock(directory);
        if (!processFolders(recordingOf(directory)).empty()) return false;
        removeRecording(directory);
    }
    std::error_code isNotEmpty;
    fs::remove(directory, isNotEmpty);
    return true;
}

}  // namespace holos::archive
