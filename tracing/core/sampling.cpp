// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/core/sampling.h"

#include <dlfcn.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "tracing/core/definition_log.h"
#include "tracing/core/environment.h"
#include "tracing/core/events.h"
#include "tracing/core/thread.h"
#include "tracing/counters/selection.h"

namespace holos::tracing::core {
namespace {

constexpr std::int64_t kNanosecondsPerSecond = 1'000'000'000;
constexpr std::int64_t kDefaultInterval = 100'000'000;

/// Never destroyed: the thread may still run while the program ends.
struct Sampler {
    counters::Selection selection;
    std::unique_ptr<counters::Reader> reader;
    Location* location = nullptr;
    std::int64_t interval = kDefaultInterval;
    pthread_t thread{};
    std::atomic<std::uint32_t> stop{0};
};
Sampler* sampler = nullptr;

/// The C library's: threads of the recorder are none of the program.
template <class Function>
Function* original(const char* name) {
    return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

/// Until the time is over or `stop` is set.
void sleepUntil(Sampler& self, std::int64_t time) noexcept {
    const std::int64_t rest = time - nanoseconds(CLOCK_MONOTONIC);
    if (rest <= 0) return;
    const timespec timeout{rest / kNanosecondsPerSecond, rest % kNanosecondsPerSecond};
    ::syscall(SYS_futex, &self.stop, FUTEX_WAIT_PRIVATE, 0, &timeout, nullptr, 0);
}

/// One record; false when the recording is over.
bool sample(Sampler& self) noexcept {
    if (!recordingIsOn.load(std::memory_order_relaxed)) return false;
    const std::size_t words = recordWords(RecordKind::Counters, self.selection.counters().size());
    std::uint64_t* place = self.location->reserve(words);
    if (place == nullptr) {
        countLost();
        return false;
    }
    const std::uint64_t ticks = ticksNow();
    if (self.reader->read(place + 1))
        self.location->commit(place, header(RecordKind::Counters, ticks), words);
    else
        std::fill_n(place, words, 0);  // a device that went away, perhaps for a while
    return true;
}

/// Allocates nothing: the program can end in the middle of an allocation, and waits for this thread.
void* run(void* data) {
    auto& self = *static_cast<Sampler*>(data);
    thisThread.state = Thread::kOnePause;
    bool isLast = false;
    for (std::int64_t next = nanoseconds(CLOCK_MONOTONIC); sample(self) && !isLast;) {
        next = std::max(next + self.interval, nanoseconds(CLOCK_MONOTONIC));
        while (self.stop.load() == 0 && nanoseconds(CLOCK_MONOTONIC) < next) sleepUntil(self, next);
        isLast = self.stop.load() != 0;
    }
    self.location->close();
    return nullptr;
}

/// Signals are for the program's threads.
bool startThread(Sampler& self) noexcept {
    sigset_t all;
    sigset_t before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    auto* const create = original<decltype(::pthread_create)>("pthread_create");
    const bool good = create != nullptr && create(&self.thread, nullptr, &run, &self) == 0;
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return good;
}

void define(const counters::Selection& selection, const std::vector<std::string>& ofNode) {
    std::uint32_t index = 0;
    for (const auto& counter : selection.counters()) {
        const bool isOfNode = std::find(ofNode.begin(), ofNode.end(), counter.name) != ofNode.end();
        Definition(DefinitionKind::Sampled)
            .add(index++)
            .add(counter.mode)
            .addText(counter.name)
            .addText(counter.unit)
            .addText(counter.description)
            .add(isOfNode ? counters::Scope::Node : counters::Scope::Process)
            .write();
    }
}

/// Those of the process first, so that each kind is a part of the values that follow each other.
std::vector<std::string> inOrder(const counters::Selection& all) {
    auto names = all.namesOf(counters::Scope::Process);
    if (localRank() <= 0)
        for (const auto& name : all.namesOf(counters::Scope::Node)) names.push_back(name);
    return names;
}

void start(const char* names) {
    const counters::Selection all(counters::splitNames(names));
    const auto chosen = inOrder(all);
    if (chosen.empty()) return;
    auto self = std::make_unique<Sampler>();
    self->selection = counters::Selection(chosen);
    self->reader = self->selection.open();
    if (const char* interval = std::getenv("HOLOS_SAMPLE_INTERVAL"); interval != nullptr)
        self->interval = std::max<std::int64_t>(std::atoll(interval), 1'000);
    define(self->selection, all.namesOf(counters::Scope::Node));
    self->location = makeLocation(LocationKind::Samples, kNoLocation, 0, 0, "Samples");
    if (self->location == nullptr || !startThread(*self)) return trouble("counters could not be sampled");
    sampler = self.release();
}

}  // namespace

void startSampling() noexcept {
    const char* names = std::getenv("HOLOS_SAMPLED");
    if (names == nullptr || *names == '\0') return;
    try {
        start(names);
    } catch (const std::exception& error) {
        trouble(error.what());
    }
}

void stopSampling() noexcept {
    if (sampler == nullptr) return;
    sampler->stop.store(1);
    ::syscall(SYS_futex, &sampler->stop, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
    if (auto* const join = original<decltype(::pthread_join)>("pthread_join"); join != nullptr)
        join(sampler->thread, nullptr);
    sampler = nullptr;
}

}  // namespace holos::tracing::core
