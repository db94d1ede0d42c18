// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "algebra/insight/summary/measures.h"

namespace holos::algebra {

/// A process or thread, and its value.
struct Member {
    std::string name;
    double value = 0.0;
    std::vector<LocationId> locations;
    std::size_t node = 0;
    bool isAtBorder = false;  ///< of a topology
};

/// How values are spread over processes or threads.
struct Spread {
    enum class Shape : std::uint8_t {
        Even,      ///< all have about the same
        One,       ///< one has more
        Node,      ///< those of one node have more
        Border,    ///< those at the border of a topology have more
        Parity,    ///< every second one has more
        Gradient,  ///< it grows or falls with their number
        Few,       ///< several have more, about the same
        Irregular
    };
    Shape shape = Shape::Even;
    std::vector<std::size_t> members;  ///< that have more; of a gradient and without shape the one with most
    double theirs = 0.0;               ///< their mean
    double others = 0.0;               ///< that of the rest
};

/// A word for scripts: `one`, `few`, `node`, …
const char* wordOf(Spread::Shape shape);

/// The simplest shape that explains most of how the values differ (80 % of their variance at least).
/// `areNumbered`: where members stand among the others may say what they do; else every second one, or one
/// more with each number, is chance.
Spread spreadOf(const std::vector<Member>& members, bool areNumbered = true);

/// Processes with the values of the threads that lead them, or all threads; those of which events are missing
/// are left out, but where that is so of all.
std::vector<Member> processMembers(const Measures& measures, const std::vector<double>& perLocation);
std::vector<Member> threadMembers(const Measures& measures, const std::vector<double>& perLocation);

/// `MPI Rank 3 has 12.1 s, the others 6.0 s on average`; `does` stands between name and value.
std::string spreadText(const Spread& spread, const std::vector<Member>& members,
                       const Experiment& experiment);

}  // namespace holos::algebra
