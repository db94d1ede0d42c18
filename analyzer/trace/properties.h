// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace holos::analyzer::trace {

/// What a writer says of a part of the system besides: names and values, as texts.
using Properties = std::vector<std::pair<std::string, std::string>>;

struct SystemProperties {
    std::map<std::size_t, Properties> ofNodes;        ///< by their place in `Definitions::systemNodes`
    std::map<std::uint64_t, Properties> ofLocations;  ///< by `Location::reference`
};

/// Reads the properties of nodes and locations whose values are texts or whole numbers. For an archive whose
/// definitions could be read: what cannot be read of them now is left out.
SystemProperties readProperties(const std::filesystem::path& anchor);

}  // namespace holos::analyzer::trace
