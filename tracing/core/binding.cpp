// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/core/binding.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tracing/core/clock.h"
#include "tracing/core/helper_thread.h"
#include "tracing/core/process_facts.h"
#include "tracing/core/separate_files.h"
#include "tracing/system/confinement.h"

namespace holos::tracing::core {
namespace {

constexpr std::int64_t kUnknown = -1;

/// What the kernel counts as `se.nr_migrations`; -1 where it does not tell.
std::int64_t migrationsOf(pid_t thread) noexcept {
    if (system::isConfined()) return kUnknown;
    char path[64];
    std::snprintf(path, sizeof path, "/proc/self/task/%d/sched", static_cast<int>(thread));
    const int file = ::open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return kUnknown;
    char text[4096] = {};
    const ssize_t read = ::read(file, text, sizeof text - 1);
    ::close(file);
    const char* const name = read > 0 ? std::strstr(text, "nr_migrations") : nullptr;
    const char* const colon = name != nullptr ? std::strchr(name, ':') : nullptr;
    return colon != nullptr ? std::strtoll(colon + 1, nullptr, 10) : kUnknown;
}

struct Question {
    pid_t thread;
    std::int64_t migrations;
};

void answer(HelperThread&, void* data) {
    auto& question = *static_cast<Question*>(data);
    if (separateFiles()) question.migrations = migrationsOf(question.thread);
}

/// In files of its own: the number that a file gets here for a moment may be one that the program has just
/// closed and still uses, or waits for.
std::int64_t migrationsByHelper(pid_t thread) noexcept {
    Question question{thread, kUnknown};
    HelperThread helper;
    if (!system::isConfined() && helper.start(&answer, &question)) helper.stop();
    return question.migrations;
}

void write(const Location& location, pid_t thread, std::int64_t migrations) noexcept {
    std::uint64_t mask[kMostMaskWords] = {};
    const long bytes = ::syscall(SYS_sched_getaffinity, thread, sizeof mask, mask);
    std::uint32_t words = bytes > 0 ? static_cast<std::uint32_t>(bytes / sizeof(std::uint64_t)) : 0;
    while (words > 0 && mask[words - 1] == 0) --words;
    writeBinding(location.ref, migrations, mask, words);
}

bool isAlive(pid_t thread) noexcept {
    char path[64];
    std::snprintf(path, sizeof path, "/proc/self/task/%d", static_cast<int>(thread));
    return ::access(path, F_OK) == 0;
}

}  // namespace

void noteBinding(Location& location) noexcept {
    if (location.threadId.load(std::memory_order_relaxed) != 0) return;
    const int saved = errno;
    const auto thread = static_cast<pid_t>(::syscall(SYS_gettid));
    location.threadId.store(thread, std::memory_order_relaxed);
    location.since = nanoseconds(CLOCK_MONOTONIC);
    const bool isNew = thread != ::getpid();  // nothing has moved it before this recording
    write(location, thread, isNew ? 0 : migrationsOf(thread));
    errno = saved;
}

void noteEndedBinding(Location& location) noexcept {
    constexpr std::int64_t kLong = 10'000'000;
    const pid_t thread = location.threadId.exchange(0, std::memory_order_relaxed);
    if (thread == 0) return;
    if (!location.hasMoved && nanoseconds(CLOCK_MONOTONIC) - location.since < kLong) return;
    const int saved = errno;
    if (isAlive(thread)) write(location, thread, migrationsByHelper(thread));
    errno = saved;
}

void noteFinalBindings() noexcept {
    const int saved = errno;
    for (Location* location = newestLocation(); location != nullptr; location = location->older) {
        const pid_t thread = location->threadId.exchange(0, std::memory_order_relaxed);
        if (thread != 0 && isAlive(thread)) write(*location, thread, migrationsOf(thread));
    }
    errno = saved;
}

}  // namespace holos::tracing::core
