// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
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

}  // namespace holos::algebra
