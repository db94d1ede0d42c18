// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/study/planted_fault.h"

namespace holos::testing::study {

/// What the summary of one run is worth.
struct Verdict {
    bool areFirst = false;                ///< all faults are named before anything else
    std::vector<std::string> falsehoods;  ///< what it says and is not so, in words
    std::string said;                     ///< all that it says, a line each
    bool addsUp = true;                   ///< its problems cost no more together than it says is lost
};

/// Simulates the program, analyzes its trace, and compares each sentence of the summary with the truth. The
/// gain of a fault is told by the same run without it.
Verdict judge(const Scene& scene, bool isBusy, std::uint64_t seed);

}  // namespace holos::testing::study
