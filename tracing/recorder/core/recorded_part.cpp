// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/recorded_part.h"

#include <atomic>
#include <string_view>

#include "tracing/recorder/core/environment.h"
#include "tracing/recorder/core/events.h"
#include "tracing/recorder/core/helper_thread.h"
#include "tracing/recorder/core/process.h"
#include "tracing/recorder/core/process_facts.h"
#include "tracing/recorder/core/profiling.h"
#include "tracing/recordings/format/clock.h"
#include "tracing/recordings/format/settings.h"

namespace holos::tracing::core {
namespace {

/// Written once, before there is a second thread.
std::string_view wantedPhase;
std::string_view tracedPhase;
HelperThread* timer = nullptr;

std::atomic<bool> isOver{false};          ///< the first seconds are
std::atomic<bool> isWanted{true};         ///< by its rank
std::atomic<int> phases{0};               ///< that threads are in
std::atomic<std::uint64_t> instances{0};  ///< of the traced phase, that have begun
std::atomic<std::uint32_t> turns{0};

/// After each change of what it depends on.
void turn() noexcept {
    const bool inPhase = wantedPhase.empty() || phases.load() > 0;
    const bool isOn = recordingIsOpen.load() && isWanted.load() && inPhase && !isOver.load();
    recordingIsOn.store(isOn, std::memory_order_release);
    noteTurn();
}

void stopLater(HelperThread& self, void* end) {
    if (!self.sleepUntil(*static_cast<const std::int64_t*>(end))) return;
    isOver.store(true);
    turn();
    writeStop();
}

void startTimer(std::int64_t duration) noexcept {
    static HelperThread thread;
    static std::int64_t end;
    end = nanoseconds(CLOCK_MONOTONIC) + duration;
    if (thread.start(&stopLater, &end))
        timer = &thread;
    else
        trouble("the recording could not be stopped after the time that was asked for");
}

/// Begins or ends an instance of the traced phase that is chosen.
void trace(bool isOn) noexcept {
    if (isOn) writeSwitch(ticksNow(), true);
    writeEvents(isOn);
    if (!isOn) writeSwitch(ticksNow(), false);
}

void judge(unsigned rank) noexcept {
    const std::string_view list = settings().ranks;
    if (list.empty() || listHasRank(list, rank).value_or(true)) return;
    if (isWanted.exchange(false)) writeNotWanted();
}

}  // namespace

void startSelected() noexcept {
    wantedPhase = settings().phase;
    tracedPhase = settings().tracePhase;
    if (const long rank = launcherRank(); rank >= 0) judge(static_cast<unsigned>(rank));
    turn();
    if (!wantedPhase.empty()) writeSwitch(ticksNow(), false);
    if (!tracedPhase.empty()) trace(false);
    if (settings().first > 0 && isWanted.load()) startTimer(settings().first);
}

void stopSelected() noexcept {
    if (timer != nullptr) timer->stop();
    timer = nullptr;
}

void rankIsKnown(unsigned rank) noexcept {
    judge(rank);
    turn();
}

bool rankIsWanted() noexcept {
    return isWanted.load();
}

std::uint32_t timesTurned() noexcept {
    return turns.load(std::memory_order_relaxed);
}

void noteTurn() noexcept {
    turns.fetch_add(1, std::memory_order_relaxed);
}

bool isWantedPhase(const char* name) noexcept {
    return (!wantedPhase.empty() && name == wantedPhase) || (!tracedPhase.empty() && name == tracedPhase);
}

/// No event is older than the switch that lets it be recorded.
void beginPhase() noexcept {
    if (phases.fetch_add(1) != 0) return;
    if (!tracedPhase.empty()) {
        if (settings().traced.has(instances.fetch_add(1) + 1)) trace(true);
        return;
    }
    writeSwitch(ticksNow(), true);
    turn();
}

void endPhase() noexcept {
    if (phases.fetch_sub(1) != 1) return;
    if (!tracedPhase.empty()) {
        if (eventsAreWritten()) trace(false);
        return;
    }
    turn();
    writeSwitch(ticksNow(), false);
}

}  // namespace holos::tracing::core
