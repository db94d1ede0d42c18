// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace holos::cli {

/// The value that an option has, and where it is from; both empty where it has none.
struct ShownSetting {
    std::string option;
    std::string value;
    std::string origin;
};

/// A table of those that have a value, and the names of the others.
std::string settingsText(const std::string& command, const std::vector<ShownSetting>& settings);

}  // namespace holos::cli
