// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace holos::tracing {

/// A thread of the runtime system that is in no team works for the program, as LLVM's helper threads do on
/// what `target nowait` makes: between these two it records, at a location of its own. False for other
/// threads.
bool beginHelp() noexcept;
void endHelp() noexcept;

/// The level of a team that the calling thread makes now: one below that of the team that it is in.
std::uint32_t levelOfNextTeam() noexcept;

}  // namespace holos::tracing

/// Whether LLVM's OpenMP tells the recorder what it does (OMPT), and what is said where it does not.
namespace holos::tracing::core {

/// LLVM's OpenMP has asked for a tool, and got this one.
void openMpReports() noexcept;

/// LLVM's OpenMP starts a thread: by now it would have asked.
void noteOpenMpThread() noexcept;

/// At the end of the program: whether it had been told not to ask.
void noteUnreportedOpenMp() noexcept;

}  // namespace holos::tracing::core
