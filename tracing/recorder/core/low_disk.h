// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// What happens when others, or the recording, have used up the disk that it is on (`Settings::diskReserve`,
/// `whenDiskLow`).
namespace holos::tracing::core {

/// Whether no more events may be written, because less is free than the reserve and what the trace will take.
/// Looks at the disk now and then, and no more where there is no reserve. At the first time that too little
/// is free, the recording stops, or goes on as a profile, and what happened is noted for people. Called
/// before a chunk is begun.
bool diskIsLow() noexcept;

}  // namespace holos::tracing::core
