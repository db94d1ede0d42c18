// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace holos::tracing::core {

/// Gives the calling thread files of its own, none of the program's: a thread of the recorder must not take
/// numbers that the program expects to get, nor keep open what the program closes, and nobody writes to its
/// files by mistake. The first three numbers are of no file of the recording. False, and nothing is done,
/// where the kernel refuses.
bool separateFiles() noexcept;

}  // namespace holos::tracing::core
