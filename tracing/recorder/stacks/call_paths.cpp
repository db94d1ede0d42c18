// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/call_paths.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>

#include "tracing/code/loaded/file_table.h"
#include "tracing/code/loaded/runtimes.h"
#include "tracing/recorder/core/confining.h"
#include "tracing/recorder/core/events.h"
#include "tracing/recorder/memory/heap.h"
#include "tracing/recorder/stacks/known_stack.h"
#include "tracing/recorder/stacks/sampler.h"
#include "tracing/recorder/stacks/thread_stack.h"
#include "tracing/recorder/stacks/walk/stack_walk.h"
#include "tracing/recordings/format/settings.h"

namespace holos::tracing::stacks {

/// What a thread needs for its paths.
struct ThreadPaths {
    code::Stack stack;
    KnownStack known;
};

namespace {

using core::CallPathExtent;
CallPathExtent wanted = CallPathExtent::None;

constexpr std::uint64_t kEndOfMemory = ~std::uint64_t{0} - sizeof(std::uint64_t);

/// How much of a stack is used at most until a path is known, with what follows in the recorder.
constexpr std::uint64_t kNeededStack = 6144;

/// Memory of threads that have ended, for the next ones.
std::array<std::atomic<ThreadPaths*>, 64> spare;

ThreadPaths* takeSpare() noexcept {
    for (auto& one : spare)
        if (one.load(std::memory_order_relaxed) != nullptr)
            if (ThreadPaths* const taken = one.exchange(nullptr, std::memory_order_acquire)) return taken;
    return nullptr;
}

void keepAsSpare(ThreadPaths* paths) noexcept {
    for (auto& one : spare) {
        ThreadPaths* none = nullptr;
        if (one.compare_exchange_strong(none, paths, std::memory_order_release)) return;
    }
    heap::release(paths);
}

inline WantedPart partOf(const core::Thread& thread) noexcept {
    return {innermostFunction(), StackBound(thread.taskCalls.end), thread.taskCalls.creation};
}

[[gnu::noinline]] PathNumber newPathTo(std::uint64_t pc, std::uint64_t sp, std::uint64_t fp) noexcept {
    if (!core::mayAskKernel()) return kUnknownCallers;
    core::Thread& thread = core::thisThread;
    const core::BusyOnce busy(thread);
    ThreadPaths& paths = *thread.paths;
    const Place here{pc, sp, fp};
    // Of another stack, as a signal's or a coroutine's, nobody knows where it ends: the recorder's caller is
    // certainly on it.
    if (!paths.stack.contains(here.sp))
        return paths.known.siteOf(here, {here.sp, kEndOfMemory}, kUnknownCallers);
    if (here.sp - paths.stack.low < kNeededStack) return kUnknownCallers;
    const code::Stack used{here.sp, paths.stack.high};
    if (wanted == CallPathExtent::Site) return paths.known.siteOf(here, used, kNoPath);
    return paths.known.pathOf(here, used, partOf(thread));
}

}  // namespace

void preparePaths() noexcept {
    const CallPathExtent asked = core::settings().callPaths;
    if (asked == CallPathExtent::None || whyNoSamples() != nullptr) return;
    prepareFileTable();
    wanted = asked;
}

void startPaths(core::Thread& thread) noexcept {
    if (wanted == CallPathExtent::None || thread.paths != nullptr) return;
    const int saved = errno;
    const code::Stack stack = stackOfThread(thread.stackBytes);
    errno = saved;
    void* memory = takeSpare();
    if (memory == nullptr) memory = heap::allocateAligned(alignof(ThreadPaths), sizeof(ThreadPaths));
    if (memory == nullptr) return;
    thread.paths = new (memory) ThreadPaths;
    thread.paths->stack = stack;
    core::watchEnd(thread);
}

void stopPaths(core::Thread& thread) noexcept {
    if (ThreadPaths* const paths = thread.paths; paths != nullptr) {
        paths->known.release();
        keepAsSpare(paths);
    }
    thread.paths = nullptr;
}

void abandonPaths() noexcept {
    code::FileTableUse::abandon();
    if (ThreadPaths* const paths = core::thisThread.paths; paths != nullptr) paths->known.abandon();
}

bool areOnOwnStack(const void* one, const void* other) noexcept {
    const std::size_t bytes = core::thisThread.stackBytes;
    if (bytes == 0 && ::getpid() != ::gettid()) return false;  // asking for it would allocate memory
    const code::Stack own = stackOfThread(bytes);
    const auto isThere = [&own](const void* place) {
        const auto address = reinterpret_cast<std::uint64_t>(place);
        return address >= own.low && address < own.high;
    };
    return isThere(one) && isThere(other);
}

bool isCalledByLoader() noexcept {
    std::array<Frame, 128> frames;
    const code::Stack own = stackOfThread(core::thisThread.stackBytes);
    const Walked walked = walkStack(registersHere(), own, frames.data(), frames.size());
    return std::any_of(frames.begin(), frames.begin() + walked.count, [](const Frame& frame) {
        code::LoadedFile file;
        return code::findLoadedFile(frame.address, file) && code::isLoaderFile(file.path);
    });
}

/// Calls nothing where the path is that of the thread's last event.
PathNumber pathTo(std::uint64_t pc, std::uint64_t sp, std::uint64_t fp) noexcept {
    core::Thread& thread = core::thisThread;
    PathNumber path = kNoPath;
    {
        const core::BusyOnce busy(thread);
        path = thread.paths->known.pathAgain({pc, sp, fp}, partOf(thread));
    }
    return path != kNoPath ? path : newPathTo(pc, sp, fp);
}

}  // namespace holos::tracing::stacks
