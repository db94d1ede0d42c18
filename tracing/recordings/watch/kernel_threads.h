// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>

namespace holos::watch {

/// What the kernel says of a thread at a moment. Calls that put a thread to sleep are recorded when they have
/// ended, so that events alone do not tell one that sleeps from one that computes.
struct KernelThread {
    bool sleeps = false;      ///< until something wakes it, or a time has passed
    std::uint64_t ready = 0;  ///< nanoseconds since its start, on processors and waiting for one
};

/// Nothing where there is no such thread, or the kernel does not tell.
std::optional<KernelThread> kernelThread(std::uint64_t pid, std::uint64_t thread);

/// All threads of a process at a moment, recorded or not.
struct KernelThreads {
    std::size_t number = 0;
    bool allSleep = true;
};

/// Nothing where there is no such process, or the kernel does not tell.
std::optional<KernelThreads> kernelThreads(std::uint64_t pid);

/// The number that a recorded process has here, by its folder; nothing where it is of another machine or of
/// another namespace, or has ended.
std::optional<std::uint64_t> pidHere(const std::filesystem::path& folder);

}  // namespace holos::watch
