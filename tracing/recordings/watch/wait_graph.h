// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

namespace holos::watch {

/// Who waits for whom, as numbers from 0.
struct WaitGraph {
    struct Node {
        std::vector<std::size_t> whom;  ///< empty: it waits for nobody who is known
        bool oneIsEnough = false;       ///< else it waits for all of them
        bool isPartlyKnown = false;     ///< it may wait for others, too
        std::vector<std::size_t> perhaps =
            {};  ///< those of `whom` that it may not have to wait for, in order
        /// It stands for a process of several threads, any of which can do what others wait for. Findings
        /// name threads only.
        bool isProcess = false;
    };
    std::vector<Node> nodes;
};

struct WaitFindings {
    /// Each waits for the next one, and the last for the first: none of them can ever go on, unless something
    /// that is not known wakes them. One cycle for each group of those that wait for each other.
    std::vector<std::vector<std::size_t>> cycles;
    /// Cycles in which some of them only perhaps wait for the next one. None of them waits, directly or for
    /// one who does, for one who waits for nobody: that one would explain it.
    std::vector<std::vector<std::size_t>> possibleCycles;
    /// Who is waited for and waits for nobody, with how many wait for it, directly or for one who does; the
    /// one with most first.
    struct Culprit {
        std::size_t who = 0;
        std::size_t waiting = 0;
    };
    std::vector<Culprit> culprits;
    /// How many are in no cycle and wait, directly or for one who does, for one that is.
    std::size_t behindCycles = 0;
};

WaitFindings searchWaits(const WaitGraph& graph);

}  // namespace holos::watch
