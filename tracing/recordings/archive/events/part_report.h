// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>

#include "tracing/recordings/archive/events/location_parts.h"

namespace holos::archive {

/// What a helper found in the events of locations: its answer to an order, in the order of the locations.
std::string reportOn(std::span<LocationPart* const> parts);

/// That a helper could not do what it was asked for.
std::string reportOfFailure(const std::string& why);

/// Takes what a helper found; `code` gets what its call paths and samples met. The reason why there is
/// nothing, where the report is one of a failure. Throws `Error` where it is damaged, or of other locations.
std::string takeReport(const std::string& report, const TracePlan& plan, std::span<LocationPart* const> parts,
                       SampledCode& code);

}  // namespace holos::archive
