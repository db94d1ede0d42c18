// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/shortage.h"

#include <dlfcn.h>
#include <sys/resource.h>

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

ProcessorReading readNow(std::int64_t time) noexcept {
    rusage used{};
    ::getrusage(RUSAGE_THREAD, &used);
    return {time, nanoseconds(CLOCK_THREAD_CPUTIME_ID), used.ru_nvcsw, used.ru_nivcsw};
}

}  // namespace

void noteShortage(MarkHistory& mark, Location& location, std::uint64_t ticks) noexcept {
    *markOfThread() = reinterpret_cast<std::uint64_t>(&markedSequence);
    const bool mayAsk = mayAskKernel() && interpose::may(interpose::Need::Counters);
    if (!mayAsk || !eventsAreWritten()) return;
    const std::int64_t now = nanoseconds(CLOCK_MONOTONIC_RAW);
    if (mark.mayBeMissed(now)) return;
    const std::optional<TimeOff> off = mark.timeOff(readNow(now));
    if (!off) return;
    std::uint64_t* const place = location.reserve(recordWords(RecordKind::Shortage, 0));
    if (place != nullptr) put<RecordKind::Shortage>(location, place, ticks, off->nanoseconds, off->sleeps);
}

}  // namespace holos::tracing::core
