// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "metric-specs/formula.h"
#include "metric-specs/specification.h"

namespace holos::specs {

/// What becomes of a metric, given what was measured (paper, sections 2.1 and 2.3).
enum class State : std::uint8_t {
    Measured,  ///< by the event of its name or by an alias; wins over any formula
    Composed,  ///< the sum of the terms that are available
    Computed,  ///< by a formula all of whose terms are available and complete
    Unavailable,
};

struct HierarchyNode {
    std::string name;
    State state = State::Unavailable;
    bool incomplete =
        false;          ///< a composition of which a term is unavailable or incomplete: shown as `~NAME`
    std::string event;  ///< of a measured metric: the name of the measurement
    /// Of a composed or computed metric. A composition has its available terms only; every term is the name
    /// of an available node.
    Formula formula;
    std::optional<std::size_t> parent;  ///< index of the first composition of the file that has it as a term
    std::string unit;                   ///< given, or that of the first term with one; else empty
    std::string description;            ///< given, or empty
};

/// The metrics of a specification and the measurements that it does not mention.
struct Hierarchy {
    /// Available ones and unavailable ones that the file defines; parents before their children, otherwise in
    /// the order of the file. Measurements that no hierarchy places follow as roots.
    std::vector<HierarchyNode> nodes;

    std::optional<std::size_t> find(std::string_view name) const;
    /// Indices of the composed and computed nodes, those first that others are made of.
    std::vector<std::size_t> evaluationOrder;
};

/// Decides for every metric where its values come from, given the names of what was measured.
Hierarchy resolve(const Specification& specification, const std::vector<std::string>& measured);

}  // namespace holos::specs
