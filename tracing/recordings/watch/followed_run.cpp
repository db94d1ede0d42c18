// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/watch/followed_run.h"

#include <algorithm>
#include <ctime>

#include "base/error.h"
#include "tracing/recordings/archive/facts/command_file.h"
#include "tracing/recordings/archive/facts/host_facts.h"
#include "tracing/recordings/archive/folder/living.h"
#include "tracing/recordings/archive/folder/measurement_folder.h"
#include "tracing/recordings/archive/folder/ownership.h"
#include "tracing/recordings/measurement/measurement.h"

namespace holos::watch {
namespace {

namespace fs = std::filesystem;

std::string runIn(const fs::path& recording) {
    const auto run = archive::readRun(recording);
    return run ? run->id : "";
}

/// Of `HOST.PID.N`.
int programNumber(const fs::path& folder) {
    const std::string number = folder.extension().string();
    return number.size() > 1 ? std::atoi(number.c_str() + 1) : 0;
}

std::string whyNothingIsFollowed(const fs::path& directory) {
    std::error_code ignored;
    if (!fs::is_directory(directory, ignored)) return "there is no such folder";
    if (fs::exists(directory / measurement::kMeasurementFile, ignored))
        return "the recording has ended; 'holos info' tells what it has";
    return "no recording goes on there";
}

}  // namespace

double FollowedRun::secondsHere() {
    return static_cast<double>(tracing::nanoseconds(CLOCK_MONOTONIC)) * 1e-9;
}

FollowedRun::FollowedRun(fs::path directory, std::function<double()> now)
    : directory_(std::move(directory)), now_(std::move(now)) {
    if (!archive::needsFinish(directory_))
        throw Error(whyNothingIsFollowed(directory_), {.file = directory_.string()});
    tracing::chooseClock();
    look_.clock = tracing::clockName();
    look_.boot = archive::bootId();
    const fs::path recording = archive::recordingOf(directory_);
    run_ = runIn(recording);
    overwrites_ = archive::keepsNewest(recording);
}

const Picture& FollowedRun::look(const std::function<bool()>& meanwhile) {
    const double seconds = now_();
    look_.interval = look_.seconds > 0 ? seconds - look_.seconds : 0;
    look_.seconds = seconds;
    look_.here = tracing::synchronizeClocks();
    look_.meanwhile = meanwhile;
    const fs::path recording = archive::recordingOf(directory_);
    std::error_code none;
    const auto isThere = [&] { return fs::exists(recording, none) && runIn(recording) == run_; };
    try {
        findProcesses();
        for (auto& one : processes_) {
            one->look(look_);
            if (meanwhile && !meanwhile()) return picture_;
        }
    } catch (const Error&) {
        if (isThere()) throw;
    }
    picture_.interval = look_.interval;
    picture_.isFinished = !isThere();
    see();
    return picture_;
}

/// Leaves out processes of another run, which had its recording in this place before.
void FollowedRun::findProcesses() {
    bool isNew = false;
    for (const auto& folder : archive::processFolders(archive::recordingOf(directory_))) {
        if (known_.contains(folder)) continue;
        const auto note = archive::readNote(folder / "alive");
        if (note && !run_.empty() && note->run != run_) continue;
        known_[folder] = processes_.size();
        processes_.push_back(std::make_unique<FollowedProcess>(folder, processes_.size(), overwrites_));
        isNew = true;
    }
    if (isNew) markReplaced();
}

/// A process may run one program after another.
void FollowedRun::markReplaced() {
    for (auto& one : processes_) {
        fs::path next = one->folder();
        next.replace_extension(std::to_string(programNumber(next) + 1));
        if (known_.contains(next)) one->replaced();
    }
}

/// A run may have several MPI jobs, and worlds that others started. Their ranks are not to be mixed: those of
/// the first world that lives are shown, or of the last one.
void FollowedRun::showOneWorld() {
    struct World {
        std::int64_t begin;
        bool lives;
    };
    std::map<std::uint64_t, World> worlds;
    for (const auto& one : processes_) {
        const archive::RecordedProcess& known = one->definitions();
        if (!known.world || known.syncs.empty()) continue;
        const std::int64_t begin = known.syncs.front().realtime;
        World& world = worlds.try_emplace(known.world->key(), World{begin, false}).first->second;
        world.begin = std::min(world.begin, begin);
        world.lives |= one->seen().life == Life::Living || one->seen().life == Life::Unknown;
    }
    const auto isBefore = [](const auto& a, const auto& b) {
        if (a.second.lives != b.second.lives) return a.second.lives;
        return a.second.lives ? a.second.begin < b.second.begin : a.second.begin > b.second.begin;
    };
    const auto shown = std::min_element(worlds.begin(), worlds.end(), isBefore);
    for (const auto& one : processes_)
        one->showRank(shown != worlds.end() && one->definitions().world &&
                      one->definitions().world->key() == shown->first);
    picture_.otherWorlds = worlds.empty() ? 0 : worlds.size() - 1;
}

void FollowedRun::see() {
    showOneWorld();
    picture_.processes.clear();
    picture_.recorded = 0;
    picture_.growth = 0;
    for (const auto& one : processes_) {
        if (one->definitions().executable.empty()) continue;  // it has just begun
        picture_.processes.push_back(one->seen());
        picture_.recorded += one->seen().recorded;
        picture_.growth += one->seen().growth;
    }
    std::ranges::stable_sort(picture_.processes, [](const SeenProcess& a, const SeenProcess& b) {
        if (a.rank && b.rank) return *a.rank < *b.rank;
        return a.rank.has_value() && !b.rank.has_value();
    });
}

}  // namespace holos::watch
