// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Whether LLVM's OpenMP tells the recorder what it does (OMPT), and what is said where it does not.
namespace holos::tracing::core {

/// LLVM's OpenMP has asked for a tool, and got this one.
void openMpReports() noexcept;

/// LLVM's OpenMP starts a thread: by now it would have asked.
void noteOpenMpThread() noexcept;

/// At the end of the program: whether it had been told not to ask.
void noteUnreportedOpenMp() noexcept;

}  // namespace holos::tracing::core
