// SPDX-License-Identifier: BSD-3-Clause
#include "report/serve/live.h"

#include "analyzer/trace/anchor.h"
#include "base/error.h"
#include "base/stopped.h"
#include "report/tables/recorded_so_far.h"

namespace holos::serve {

namespace {

constexpr int kTimesAsLong = 9;

}  // namespace

Subject recordedSoFar(const std::filesystem::path& folder, const std::function<void()>& check) {
    tables::RecordedSoFar so = tables::recordedSoFar(folder, check);
    return {.name = folder.string(),
            .experiment = std::make_shared<const algebra::Experiment>(std::move(so.experiment)),
            .trace = so.isWholeRun ? analyzer::trace::findAnchor(folder) : std::filesystem::path(),
            .live = so.text};
}

LiveRuns::LiveRuns(std::vector<Run> runs, Uses uses) : runs_(std::move(runs)), uses_(std::move(uses)) {
    if (!runs_.empty()) thread_ = std::thread([this] { work(); });
}

LiveRuns::~LiveRuns() {
    {
        const std::lock_guard lock(mutex_);
        isOver_ = true;
    }
    isOverNow_.notify_all();
    if (thread_.joinable()) thread_.join();
}

/// False when this object goes.
bool LiveRuns::rest(std::chrono::nanoseconds time) {
    std::unique_lock lock(mutex_);
    return !isOverNow_.wait_for(lock, time, [this] { return isOver_; });
}

bool LiveRuns::renewed(const Run& run) {
    try {
        const Subject subject = recordedSoFar(run.folder, [this] {
            const std::lock_guard lock(mutex_);
            if (isOver_) throw Stopped();
        });
        uses_.renew(run.number, subject);
        return !subject.live.empty();
    } catch (const Stopped&) {
        return false;
    } catch (const std::exception&) {  // what was there before stays, and says what it is
        return true;
    }
}

void LiveRuns::work() {
    auto pause = std::chrono::nanoseconds(uses_.leastRest);
    while (!runs_.empty() && rest(pause)) {
        if (!uses_.isLookedAt()) continue;
        const auto begin = std::chrono::steady_clock::now();
        std::erase_if(runs_, [this](const Run& run) { return !renewed(run); });
        pause = std::max<std::chrono::nanoseconds>(uses_.leastRest,
                                                   kTimesAsLong * (std::chrono::steady_clock::now() - begin));
    }
}

}  // namespace holos::serve
