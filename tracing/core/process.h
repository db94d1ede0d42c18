// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "tracing/core/record.h"

/// The recording of this process: whether it records, where its files are, and its begin and end.
namespace holos::tracing::core {

/// True between the begin and the end of the recording: things are defined.
extern std::atomic<bool> recordingIsOpen;
/// True in between, where events are wanted. Read by every event.
extern std::atomic<bool> recordingIsOn;

/// Begins the recording when the environment asks for it (`HOLOS_RECORDING`) and the process is one that
/// belongs into a trace (see `environment.h`). Called when the library is loaded, and does nothing later.
void begin() noexcept;

/// Writes the end of the program and stops. Called at exit; harmless when called again.
void end() noexcept;

/// `DIR/recording/HOST.PID.N`, or empty while nothing records.
const char* directory() noexcept;

/// The page that a reader finds even after a crash; never null (a private one until the recording begins).
Status& status() noexcept;

/// Counts an event that is not in the trace; not after the recording has ended in order.
void countLost() noexcept;

/// The same of a sample of the call stack. Async-signal-safe.
void countLostSample() noexcept;

/// Stops the recording for good because of an error; the first `error` is kept.
void fail(int error) noexcept;

/// Allocates from pages that nothing else uses, never freed: safe where the program's `malloc` is not.
/// Null when there is no memory.
void* allocate(std::size_t bytes) noexcept;

}  // namespace holos::tracing::core
