// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "algebra/model/experiment.h"

namespace holos::algebra {

/// The operands of an operator: `merge({a, b, c})`. They must outlive the call only.
using Inputs = std::vector<std::reference_wrapper<const Experiment>>;

/// When parts of several experiments are the same.
struct Matching {
    /// Regions and calls match only if their lines agree. Otherwise lines only tell apart what else is alike.
    bool lines = false;
    /// Regions whose names differ by what compilers make of them are the same (`plainName`), and so are
    /// modules in other folders.
    bool loosely = false;
    enum class Systems : std::uint8_t {
        Ranks,      ///< processes by rank, wherever they ran
        Structure,  ///< by place: the first process of the second node with the same one of the other system
    };
    Systems systems = Systems::Ranks;
};

/// Gives regions of these names others, so that a function that got a new name in the next version of the
/// program pairs up with itself. Names that do not occur have no effect.
inline void renameRegions(Experiment& experiment, const std::map<std::string, std::string>& names) {
    for (Region& region : experiment.regions)
        if (const auto found = names.find(region.name); found != names.end()) region.name = found->second;
}

}  // namespace holos::algebra
