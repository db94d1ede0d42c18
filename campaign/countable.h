// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "metric-specs/specification.h"

namespace holos::campaign {

/// Why a machine cannot count these events together; nothing when it can.
using WhyNotCounted = std::function<std::optional<std::string>(const std::vector<std::string>&)>;

/// Events that a machine refuses, with its reason.
using Refused = std::map<std::string, std::string>;

/// A specification for a machine that cannot count some events: what follows from them alone is left out, so
/// that its alternatives are planned instead. `unavailable` are these events and the metrics left without any
/// definition.
struct Countable {
    specs::Specification specification;
    std::set<std::string> unavailable;
};
Countable withoutEvents(specs::Specification specification, const Refused& refused);

}  // namespace holos::campaign
