// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "algebra/model/structure.h"

namespace holos::algebra {

/// Attribute of a measured metric that a derivation renamed or moved: the name of the measurement.
inline constexpr std::string_view kEventAttribute = "holos::event";
/// Attribute of a measured metric: how many measurements its values are the mean of (`Repetitions`).
inline constexpr std::string_view kRepetitionsAttribute = "holos::repetitions";

/// Attribute of a counter that was multiplexed: two standard deviations of its sum, in percent of it.
inline constexpr std::string_view kErrorAttribute = "holos::error";

/// Attribute of a counter of a process or a node of which each call path has the part that the analysis
/// attributes to it: by what it was attributed.
inline constexpr std::string_view kAttributedAttribute = "holos::attributed";

/// Attributes of an experiment: what a node of its run can do at most, as `holos counters validate --peaks`
/// measured it.
inline constexpr const char* kPeakOperations = "Peak operations [1/s]";
inline constexpr const char* kPeakBandwidth = "Peak bandwidth [bytes/s]";

/// The value of the first attribute of this key.
std::optional<std::string> attribute(const Attributes& attributes, std::string_view key);
/// Replaces or appends; an empty value removes.
void setAttribute(Attributes& attributes, std::string_view key, std::string_view value);

/// `name` with `_` for every character that CUBE does not allow in unique names (`[A-Za-z0-9_:=]+`).
std::string safeUniqueName(std::string_view name);

/// The name under which specifications know the metric: the event that was counted, or the unique name.
std::string eventName(const Metric& metric);

/// True for composed and computed metrics and ratios.
bool isDerivedBySpecification(const Metric& metric);

/// The name that a metric has in the hierarchy of its specification, as a unique name: also when one
/// experiment measures under an alias what another one composes. The unique name where no specification
/// had a part in it.
std::string specifiedName(const Metric& metric);

}  // namespace holos::algebra
