// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string_view>

#include "algebra/model/structure.h"

/// The words of `anchor.xml` for the model's enumerations, to and fro.
namespace holos::algebra {

/// `type` of a `<metric>`; anything unknown is exclusive, as for CUBE's own reader.
Storage storageOf(std::string_view word);
std::string_view wordFor(Storage storage);

/// `<type>` of a `<locationgroup>` and of a `<location>`; nothing for an unknown word.
std::optional<Process::Type> processTypeOf(std::string_view word);
std::string_view wordFor(Process::Type type);
std::optional<Location::Type> locationTypeOf(std::string_view word);
std::string_view wordFor(Location::Type type);

/// What CUBE does not know is stored in attributes of the metric.
inline constexpr std::string_view kOriginAttribute = "holos::origin";
inline constexpr std::string_view kIncompleteAttribute = "holos::incomplete";
std::optional<Origin> originOf(std::string_view word);
std::string_view wordFor(Origin origin);

}  // namespace holos::algebra
