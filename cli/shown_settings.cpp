// SPDX-License-Identifier: BSD-3-Clause
#include "cli/shown_settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/printable.h"

namespace holos::cli {

std::string settingsText(const std::string& command, const std::vector<ShownSetting>& settings) {
    if (settings.empty())
        return fmt::format("holos {} has no options that can be set once for all uses\n", command);
    std::vector<std::string> without;
    std::size_t option = 0;
    std::size_t value = 0;
    for (const ShownSetting& one : settings) {
        option = std::max(option, one.option.size());
        value = std::max(value, one.value.size());
        if (one.origin.empty()) without.push_back(one.option);
    }
    std::string text;
    for (const ShownSetting& one : settings)
        if (!one.origin.empty())
            text += fmt::format("{:{}}  {:{}}  {}\n", one.option, option, one.value, value, one.origin);
    if (!without.empty()) text += fmt::format("not set: {}\n", fmt::join(without, ", "));
    return fmt::format("Options of holos {}\n{}", command, printableLines(text));
}

}  // namespace holos::cli
