// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/trace/part_of_run.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "base/wrong_request.h"

namespace holos::analyzer::trace {

/// Compared as floating-point numbers: what was asked for may be more than ticks can count.
PartOfRun partOfRun(const Definitions& definitions, std::optional<double> from, std::optional<double> to) {
    const auto perSecond = static_cast<double>(definitions.clock.ticksPerSecond);
    const auto length = static_cast<double>(definitions.clock.length);
    const double first = std::round(from.value_or(0) * perSecond);
    const double last = to ? std::round(*to * perSecond) : std::numeric_limits<double>::infinity();
    if (!(first < last) || last <= 0 || first >= length)
        throw WrongRequest(fmt::format("from {} s {} is no part of the run, which takes {} s",
                                       from.value_or(0), last >= length ? "on" : fmt::format("to {} s", *to),
                                       length / perSecond));
    return {first > 0 ? static_cast<Ticks>(first) : 0,
            last >= length ? static_cast<Ticks>(definitions.clock.length) : static_cast<Ticks>(last)};
}

}  // namespace holos::analyzer::trace
