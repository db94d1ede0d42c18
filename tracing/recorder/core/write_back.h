// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// What is recorded survives the process at once, because the kernel has it; a node that is lost takes with
/// it what the kernel did not yet write to the disk or file server.
namespace holos::tracing::core {

/// Starts a thread of the recorder that has all files of the recording written every `HOLOS_WRITE_BACK`
/// nanoseconds, if that is set. Called once, when the recording has begun.
void startWritingBack() noexcept;

/// Ends it, before the recording ends.
void stopWritingBack() noexcept;

}  // namespace holos::tracing::core
