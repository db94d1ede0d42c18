// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "tracing/recordings/format/definition_kinds.h"

/// What the definitions file says of the process as a whole.
namespace holos::tracing::core {

/// Host, program and arguments, clock, rank.
void writeProcessFacts(const char* executable) noexcept;

/// Where a file of code lies in memory. Safe in a signal handler.
void writeLoadedFile(std::uint64_t begin, std::uint64_t end, const char* path, const char* buildId) noexcept;

/// A call path: one more call behind that to its caller, by the address that it returns to. Safe in a signal
/// handler.
void writeCallPath(std::uint32_t path, std::uint32_t caller, std::uint64_t returnAddress) noexcept;

/// A Python function, by whose number call paths and samples name it. Safe in a signal handler.
void writePythonFunction(std::uint32_t number, std::uint32_t firstLine, const char* file,
                         const char* name) noexcept;

/// A pair of clock values at this moment. Safe in a signal handler.
void writeClockSync() noexcept;
/// A pair more where the process has recorded for twice as long as at the last one: one that is killed has
/// pairs of nearly all its time. For what is rare and takes a while. Safe in a signal handler.
void writeClockSyncInTime() noexcept;

/// Writes that no event is recorded from this moment on, because no more were wanted. Allocates nothing.
void writeStop() noexcept;

/// Writes that events of all threads are recorded from these ticks on, or no longer are. Allocates nothing.
void writeSwitch(std::uint64_t ticks, bool isOn) noexcept;

/// Writes that no event of this process is wanted. Allocates nothing.
void writeNotWanted() noexcept;

/// Writes that a counter was counted this part of the time in a thread, and what it would have counted all
/// the time with the standard deviation of that; below 0 where this is not estimated. Allocates nothing.
void writeActiveShare(std::uint32_t counter, double share, double estimate, double deviation) noexcept;

/// Writes that this part of the readings of a counter took a thread no system call. Allocates nothing.
void writeUserSpaceShare(std::uint32_t counter, double share) noexcept;

inline constexpr std::size_t kMostMaskWords = 128;

/// How often the kernel has moved the thread of a location, or -1, and a mask of the processors that it may
/// use, of at most `kMostMaskWords` words. Allocates nothing.
void writeBinding(std::uint32_t location, std::int64_t migrations, const std::uint64_t* mask,
                  std::uint32_t words) noexcept;

/// How many nanoseconds the thread of a location has been on processors, and has waited for one, or -1.
/// Allocates nothing.
void writeProcessorTime(std::uint32_t location, std::int64_t on, std::int64_t waiting) noexcept;

/// A thread that has no location: nanoseconds as in `writeProcessorTime`, what the kernel calls it, and the
/// file of the code that started it. Allocates nothing.
void writeOtherThread(std::int32_t id, ThreadOrigin origin, std::int64_t on, std::int64_t waiting,
                      const char* name, const char* starter) noexcept;

/// How long the process has been on processors until now. Allocates nothing.
void writeProcessTime() noexcept;

/// What limits the processors that it may use on average, and how long it was stopped because of that.
/// Nothing where nothing does. Allocates nothing.
void writeProcessorLimit() noexcept;

/// How long the machine's processors have been in use until now, by whomever. Nothing where the kernel does
/// not tell. Allocates nothing.
void writeMachineUse() noexcept;

/// How long children that the process has waited for had processors, recorded or not. Allocates nothing.
void writeChildrenTime() noexcept;

/// Writes that the process is about to become this program, as which user; with an empty name, that it could
/// not. Allocates nothing.
void writeExec(const char* program) noexcept;

}  // namespace holos::tracing::core
