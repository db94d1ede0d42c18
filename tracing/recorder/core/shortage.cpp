// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/shortage.h"

#include <dlfcn.h>
#include <sys/resource.h>

#include <algorithm>
#include <utility>

#include "tracing/recorder/core/confining.h"
#include "tracing/recorder/core/definition_log.h"
#include "tracing/recorder/core/thread.h"
#include "tracing/recorder/interpose/confinement.h"
#include "tracing/recordings/format/clock.h"

#if __has_include(<sys/rseq.h>) && (defined(__x86_64__) || defined(__aarch64__))
#include <sys/rseq.h>
#endif

namespace holos::tracing::core {

RestartableSequence markedSequence{};
std::ptrdiff_t markOffset = 0;

#ifdef RSEQ_SIG

namespace {

/// Where the sequence would stand, if it were code. The kernel wants the signature before the place at which
/// it would go on.
struct Nowhere {
    std::uint32_t signature;
    std::uint32_t abort;
    std::uint32_t sequence;
};
constexpr Nowhere kNowhere{RSEQ_SIG, 0, 0};

}  // namespace

void prepareMark() noexcept {
    const auto* const offset = static_cast<const std::ptrdiff_t*>(::dlsym(RTLD_DEFAULT, "__rseq_offset"));
    const auto* const size = static_cast<const unsigned*>(::dlsym(RTLD_DEFAULT, "__rseq_size"));
    if (offset == nullptr || size == nullptr || *size == 0 || eventsAreAdded()) return;
    markedSequence.begin = reinterpret_cast<std::uint64_t>(&kNowhere.sequence);
    markedSequence.length = sizeof kNowhere.sequence;
    markedSequence.abort = reinterpret_cast<std::uint64_t>(&kNowhere.abort);
    markOffset = *offset + static_cast<std::ptrdiff_t>(offsetof(struct rseq, rseq_cs));
    Definition(DefinitionKind::WatchesShortage).write();
}

#else

void prepareMark() noexcept {}

#endif

namespace {

constexpr std::int64_t kShortest = 10'000;  // of what a change of threads itself takes, a few
constexpr std::int64_t kMoment = 200'000;   // shorter than what a thread has a processor at a time
constexpr std::uint32_t kCalm = 512;

ProcessorReading readNow(std::int64_t time) noexcept {
    rusage used{};
    ::getrusage(RUSAGE_THREAD, &used);
    return {time, nanoseconds(CLOCK_THREAD_CPUTIME_ID), used.ru_nvcsw, used.ru_nivcsw};
}

/// Nothing is to be expected but a moment of sleep.
bool mayBeMissed(MarkHistory& mark, std::int64_t now) noexcept {
    const std::int64_t since = now - std::exchange(mark.lost, now);
    if (mark.calm < kCalm || since >= kMoment) return false;
    mark.missed += since;
    return true;
}

}  // namespace

void noteShortage(MarkHistory& mark, Location& location, std::uint64_t ticks) noexcept {
    *markOfThread() = reinterpret_cast<std::uint64_t>(&markedSequence);
    const bool mayAsk = mayAskKernel() && interpose::may(interpose::Need::Counters);
    if (!mayAsk || !eventsAreWritten()) return;
    const std::int64_t now = nanoseconds(CLOCK_MONOTONIC_RAW);
    if (mayBeMissed(mark, now)) return;
    const std::int64_t missed = std::exchange(mark.missed, 0);
    const ProcessorReading before = std::exchange(mark.last, readNow(now));
    const std::int64_t off = now - before.time - (mark.last.onProcessor - before.onProcessor) - missed;
    const bool wasTaken = mark.last.losses != before.losses && off >= kMoment;
    mark.calm = wasTaken ? 0 : std::min(mark.calm + 1, kCalm);
    if (before.time == 0 || off < kShortest) return;
    std::uint64_t* const place = location.reserve(recordWords(RecordKind::Shortage, 0));
    if (place == nullptr) return;
    const long sleeps = mark.last.sleeps - before.sleeps;
    put<RecordKind::Shortage>(location, place, ticks, off, missed == 0 ? sleeps : std::max(sleeps, 1L));
}

}  // namespace holos::tracing::core
