// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/sampling.h"

#include <algorithm>
#include <ctime>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "tracing/counters/selection.h"
#include "tracing/recorder/core/definition_log.h"
#include "tracing/recorder/core/environment.h"
#include "tracing/recorder/core/events.h"
#include "tracing/recorder/core/helper_thread.h"
#include "tracing/recorder/core/recorded_part.h"
#include "tracing/recorder/core/thread.h"
#include "tracing/recordings/format/settings.h"

namespace holos::tracing::core {
namespace {

constexpr std::int64_t kDefaultInterval = 100'000'000;

/// Never destroyed: the thread may still run while the program ends.
struct Sampler {
    counters::Selection selection;
    std::unique_ptr<counters::Reader> reader;
    Location* location = nullptr;
    std::int64_t interval = kDefaultInterval;
    HelperThread thread;
};
Sampler* sampler = nullptr;

/// One record, unless the program is in a part that is not recorded; false when the recording is over.
bool sample(Sampler& self) noexcept {
    if (!recordingIsOn.load(std::memory_order_relaxed))
        return recordingIsOpen.load(std::memory_order_relaxed);
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

void run(HelperThread& thread, void* data) {
    auto& self = *static_cast<Sampler*>(data);
    bool goesOn = true;
    for (std::int64_t next = nanoseconds(CLOCK_MONOTONIC); sample(self) && goesOn;) {
        next = std::max(next + self.interval, nanoseconds(CLOCK_MONOTONIC));
        goesOn = thread.sleepUntil(next);
    }
    self.location->close();
}

void define(const counters::Selection& selection, const std::vector<std::string>& ofNode) {
    std::uint32_t index = 0;
    for (const auto& counter : selection.counters()) {
        const bool isOfNode = std::find(ofNode.begin(), ofNode.end(), counter.name) != ofNode.end();
        Definition(DefinitionKind::Sampled)
            .add(index++)
            .add(counter.mode)
            .add(counter.values)
            .addText(counter.name)
            .addText(counter.unit)
            .addText(counter.description)
            .add(isOfNode ? counters::Scope::Node : counters::Scope::Process)
            .write();
    }
}

/// Counters of the process come first, so that each kind is a part of the values that follow each other.
std::vector<std::string> inOrder(const counters::Selection& all) {
    auto names = all.namesOf(counters::Scope::Process);
    if (localRank() <= 0)
        for (const auto& name : all.namesOf(counters::Scope::Node)) names.push_back(name);
    return names;
}

void start(const Settings& wanted) {
    const counters::Selection all(counters::splitNames(std::string(wanted.sampledCounters)));
    const auto chosen = inOrder(all);
    if (chosen.empty()) return;
    auto self = std::make_unique<Sampler>();
    self->selection = counters::Selection(chosen);
    self->reader = self->selection.open();
    if (wanted.sampleInterval > 0) self->interval = std::max<std::int64_t>(wanted.sampleInterval, 1'000);
    define(self->selection, all.namesOf(counters::Scope::Node));
    self->location = makeLocation(LocationKind::Samples, kNoLocation, 0, 0, "Samples");
    if (self->location == nullptr || !self->thread.start(&run, self.get()))
        return trouble("counters could not be sampled");
    sampler = self.release();
}

}  // namespace

void startSampling() noexcept {
    if (settings().sampledCounters.empty() || !rankIsWanted()) return;
    try {
        start(settings());
    } catch (const std::exception& error) {
        trouble(error.what());
    }
}

void stopSampling() noexcept {
    if (sampler == nullptr) return;
    sampler->thread.stop();
    sampler = nullptr;
}

}  // namespace holos::tracing::core
