// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"

namespace holos::validation {

/// What one process counted.
struct Counted {
    std::vector<double> events;     ///< within the window, of each event that was asked for
    double nanosecondsARead = 0.0;  ///< of all of them, as a mean over many
};

/// Runs a microbenchmark in this process, which should be a fresh one, and counts these events at the same
/// time. Ends the process by SIGALRM when it takes too long. Throws Error when they cannot be counted here.
Counted countHere(const std::vector<std::string>& events, const std::string& microbenchmark,
                  std::uint64_t size);

/// `countHere` in a process of its own: `holos` is the program that runs `countHere` and prints its answer.
/// Throws Error with what that process said.
Counted countInFreshProcess(const std::string& holos, const std::vector<std::string>& events,
                            const std::string& microbenchmark, std::uint64_t size);

/// How `countInFreshProcess` calls the program, together with `--format json`.
inline constexpr const char* kFreshProcessOption = "--in-this-process";

/// The answer: a JSON object of `countHere`'s result, or of the error that it threw.
std::string answerText(const Counted& counted);
std::string answerText(const Error& error);

}  // namespace holos::validation
