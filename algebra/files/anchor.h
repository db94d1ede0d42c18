// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "algebra/model/experiment.h"

namespace holos::algebra {

/// Turns what CUBE's writers call XML into XML: quotes bare attribute values (`rowwise=false`), escapes stray
/// `&` and `<`, reads bytes that are not UTF-8 as Latin-1, and replaces control characters by spaces. Line
/// breaks stay where they are, so that line numbers keep their meaning.
std::string repairAnchor(std::string_view text);

/// The bytes as valid UTF-8 without the control characters that XML forbids: see `repairAnchor`.
std::string toXmlCharacters(std::string_view text);

/// What `anchor.xml` says: the experiment without values, and how the file numbers what has values.
struct Anchor {
    Experiment experiment;
    std::vector<std::uint64_t> metricIds;  ///< by MetricId: the number in the member names
    std::vector<std::uint64_t> columns;    ///< by LocationId: the position within a row, ascending
};

/// The member of a container that describes the others.
inline constexpr const char* kAnchor = "anchor.xml";

/// Reads the text of an `anchor.xml`, well-formed or as CUBE's writers leave it. `file` is the container's
/// name for messages. Throws `holos::Error` with file and line.
Anchor readAnchor(const std::string& text, const std::string& file);

/// The text of an `anchor.xml` that CubeLib's reader accepts. Metrics, regions, call paths and locations are
/// numbered by their ids; processes and system nodes by their order in the document.
std::string writeAnchor(const Experiment& experiment);

}  // namespace holos::algebra
