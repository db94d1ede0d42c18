// SPDX-License-Identifier: BSD-3-Clause
// Threads that the C library starts for a notification (SIGEV_THREAD), as when a timer expires: a new one
// each time, so that they share locations, one for as many as there are at a time.
#include "tracing/recorder/threads/notifications.h"

#include <mqueue.h>
#include <signal.h>
#include <time.h>

#include <array>
#include <atomic>

#include "tracing/code/loaded/runtimes.h"
#include "tracing/recorder/core/binding.h"
#include "tracing/recorder/core/call_paths.h"
#include "tracing/recorder/core/callers.h"
#include "tracing/recorder/core/counting.h"
#include "tracing/recorder/core/events.h"
#include "tracing/recorder/core/process.h"
#include "tracing/recorder/core/process_facts.h"
#include "tracing/recorder/core/thread.h"
#include "tracing/recorder/interpose/next_function.h"

namespace holos::tracing::core {
namespace {

using Notify = void(sigval);

/// What the program wants to be called. Never freed: the C library may still be about to call it.
struct Notification {
    std::atomic<Notify*> function{nullptr};
    void* value = nullptr;
    std::atomic<bool> isReady{false};
    RegionRef region = 0;
};
constexpr std::size_t kMostNotifications = 256;
std::array<Notification, kMostNotifications> notifications;

/// Of threads that run at the same time.
constexpr std::size_t kMostAtATime = 64;
struct SharedLocation {
    std::atomic<bool> isTaken{false};
    Location* location = nullptr;
    std::int64_t onProcessors = 0;  ///< of the threads before
};
std::array<SharedLocation, kMostAtATime> shared;

thread_local SharedLocation* ownLocation __attribute__((tls_model("initial-exec"))) = nullptr;

/// The one with this function and value, which is the same for each use; null where there are too many.
Notification* notificationOf(Notify* function, void* value) noexcept {
    for (Notification& one : notifications) {
        Notify* known = nullptr;
        if (one.function.compare_exchange_strong(known, function)) {
            one.value = value;
            one.region = defineRegionAt(reinterpret_cast<const void*>(function),
                                        {"notification", nullptr, 0, 0, Paradigm::Pthread, Role::Function});
            one.isReady.store(true, std::memory_order_release);
            return &one;
        }
        if (known == function && one.isReady.load(std::memory_order_acquire) && one.value == value)
            return &one;
    }
    return nullptr;
}

SharedLocation* takeLocation() noexcept {
    for (SharedLocation& one : shared) {
        if (one.isTaken.exchange(true, std::memory_order_acquire)) continue;
        if (one.location == nullptr)
            one.location = makeLocation(LocationKind::Thread, kNoLocation, 0, 0, "Notifications");
        return &one;
    }
    return nullptr;
}

void beginNotified(Thread& thread) noexcept {
    const Busy busy(thread);
    ownLocation = takeLocation();
    if (ownLocation == nullptr || ownLocation->location == nullptr) return;
    thread.location = ownLocation->location;
    beginSharing(thread, *ownLocation->location);
    moveCounters(thread, nullptr, thread.location);
    stacks::startThread(thread);
}

void call(sigval data) {
    const auto& notification = *static_cast<const Notification*>(data.sival_ptr);
    Notify* const function = notification.function.load(std::memory_order_relaxed);
    sigval value{};
    value.sival_ptr = notification.value;
    if (!recordingIsOpen.load(std::memory_order_relaxed)) return function(value);
    watchEnd(thisThread);
    beginNotified(thisThread);
    const bool isEntered = enter(notification.region);
    Calling::replace(reinterpret_cast<const char*>(function) + 1);
    function(value);
    if (isEntered) leave(notification.region);
}

/// `event` with the recorder's function in place of the program's; the program's own one where it is not to
/// be recorded.
class Replaced {
  public:
    Replaced(const sigevent* event, const void* caller) noexcept : event_(event) {
        begin();
        const bool isThread = event != nullptr && event->sigev_notify == SIGEV_THREAD;
        if (!isThread || !recordingIsOpen.load(std::memory_order_relaxed) || code::isRuntime(caller)) return;
        Notification* const notification =
            notificationOf(event->sigev_notify_function, event->sigev_value.sival_ptr);
        if (notification == nullptr) return;
        own_ = *event;
        own_.sigev_notify_function = &call;
        own_.sigev_value.sival_ptr = notification;
        event_ = &own_;
    }
    Replaced(const Replaced&) = delete;
    Replaced& operator=(const Replaced&) = delete;

    const sigevent* event() const noexcept { return event_; }

  private:
    sigevent own_{};
    const sigevent* event_;
};

constinit interpose::Next<int(clockid_t, const sigevent*, timer_t*)> nextTimer("timer_create");
constinit interpose::Next<int(mqd_t, const sigevent*)> nextNotify("mq_notify");

}  // namespace

void endNotified(Thread& thread) noexcept {
    SharedLocation* const ended = std::exchange(ownLocation, nullptr);
    if (ended == nullptr) return;
    if (thread.location != nullptr) {
        constexpr std::int64_t kUnknown = -1;
        ended->onProcessors += nanoseconds(CLOCK_THREAD_CPUTIME_ID);
        endSharing(*thread.location);
        writeProcessorTime(thread.location->ref, ended->onProcessors, kUnknown);
    }
    ended->isTaken.store(false, std::memory_order_release);
}

}  // namespace holos::tracing::core

using namespace holos::tracing::core;

HOLOS_INTERPOSED int timer_create(clockid_t clock, sigevent* event, timer_t* timer) noexcept {
    const void* const caller = HOLOS_CALLER();
    const Replaced replaced(event, caller);
    return nextTimer.behind(caller)(clock, replaced.event(), timer);
}
HOLOS_INTERPOSED int mq_notify(mqd_t queue, const sigevent* event) noexcept {
    const void* const caller = HOLOS_CALLER();
    const Replaced replaced(event, caller);
    return nextNotify.behind(caller)(queue, replaced.event());
}
