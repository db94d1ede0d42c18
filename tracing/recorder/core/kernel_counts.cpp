// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/kernel_counts.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "tracing/recorder/core/helper_thread.h"
#include "tracing/recorder/interpose/confinement.h"

namespace holos::tracing::core {
namespace {

constexpr std::int64_t kUnknown = -1;

/// What the file of this name says of a thread, with a zero at its end; false where there is none.
template <std::size_t kBytes>
bool read(pid_t thread, const char* name, char (&text)[kBytes]) noexcept {
    char path[64];
    std::snprintf(path, sizeof path, "/proc/self/task/%d/%s", static_cast<int>(thread), name);
    const int file = ::open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    const ssize_t size = ::read(file, text, kBytes - 1);
    ::close(file);
    text[size > 0 ? size : 0] = '\0';
    return size > 0;
}

/// What it counts as `se.nr_migrations`.
std::int64_t migrationsOf(pid_t thread) noexcept {
    char text[4096];
    const char* const name = read(thread, "sched", text) ? std::strstr(text, "nr_migrations") : nullptr;
    const char* const colon = name != nullptr ? std::strchr(name, ':') : nullptr;
    return colon != nullptr ? std::strtoll(colon + 1, nullptr, 10) : kUnknown;
}

/// The kernel counts it where it counts that the thread got a processor.
std::int64_t waitingOf(pid_t thread) noexcept {
    char text[128];
    if (!read(thread, "schedstat", text)) return kUnknown;
    char* end = text;
    std::strtoll(end, &end, 10);  // on processors, of less use: without the turn that it has now
    const std::int64_t waited = std::strtoll(end, &end, 10);
    const std::int64_t turns = std::strtoll(end, &end, 10);
    return turns > 0 ? waited : kUnknown;
}

/// By the clock of the thread's number. clock_getcpuclockid(3) makes it of handles of the C library, which
/// are not valid any more once a thread has ended.
std::int64_t onProcessorsOf(pid_t thread) noexcept {
    constexpr auto kOfThread = 4U;
    constexpr auto kAsScheduled = 2U;
    constexpr std::int64_t kNanoseconds = 1'000'000'000;
    const auto clock = static_cast<clockid_t>(~static_cast<unsigned>(thread) << 3 | kOfThread | kAsScheduled);
    timespec time{};
    if (::clock_gettime(clock, &time) != 0) return kUnknown;
    return time.tv_sec * kNanoseconds + time.tv_nsec;
}

struct Question {
    pid_t thread;
    KernelCounts counts;
};

void answer(void* data) {
    auto& question = *static_cast<Question*>(data);
    question.counts = countsOf(question.thread);
}

}  // namespace

KernelCounts countsOf(pid_t thread) noexcept {
    if (!interpose::may(interpose::Need::Files)) return {};
    return {migrationsOf(thread), onProcessorsOf(thread), waitingOf(thread)};
}

/// By the flags of the thread, which the kernel writes behind its name in brackets and five numbers.
bool isEnding(pid_t thread) noexcept {
    constexpr unsigned long kExiting = 4;  // PF_EXITING
    constexpr int kWordsBetween = 6;
    char text[512];
    if (!read(thread, "stat", text)) return true;
    const char* at = std::strrchr(text, ')');
    for (int i = 0; at != nullptr && i <= kWordsBetween; ++i) at = std::strchr(at + 1, ' ');
    return at != nullptr && (std::strtoul(at, nullptr, 10) & kExiting) != 0;
}

KernelCounts countsByHelper(pid_t thread) noexcept {
    Question question{thread, {}};
    if (interpose::may(interpose::Need::Files)) runWithOwnFiles(&answer, &question);
    return question.counts;
}

}  // namespace holos::tracing::core
