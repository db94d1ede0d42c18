// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/history/repetitions.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace holos::algebra {
namespace {

constexpr std::uint32_t kMostRepetitions = 1u << 30;

std::optional<std::uint32_t> repetitionsIn(std::string_view text) {
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number == 0 || number > kMostRepetitions)
        return std::nullopt;
    return number;
}

}  // namespace

std::vector<double> parseRepetitions(std::string_view text, std::size_t locations) {
    const std::vector<double> once(locations, 1.0);
    std::vector<double> counts;
    const bool uniform = text.find_first_of("*,") == std::string_view::npos;
    while (!text.empty()) {
        const std::string_view run = text.substr(0, text.find(','));
        text.remove_prefix(std::min(run.size() + 1, text.size()));
        const std::size_t star = run.find('*');
        const auto count = repetitionsIn(run.substr(0, star));
        const auto length = star == std::string_view::npos
                                ? std::optional<std::uint32_t>(uniform ? locations : 1)
                                : repetitionsIn(run.substr(star + 1));
        if (!count || !length || *length > locations - counts.size()) return once;
        counts.insert(counts.end(), *length, *count);
    }
    return counts.size() == locations ? counts : once;
}

std::string formatRepetitions(const std::vector<double>& counts) {
    const auto differs = [&counts](double count) { return count != counts.front(); };
    const auto textOf = [](double count) { return std::to_string(static_cast<std::uint64_t>(count)); };
    if (counts.empty()) return {};
    if (std::none_of(counts.begin(), counts.end(), differs))
        return counts.front() == 1.0 ? std::string() : textOf(counts.front());
    std::string text;
    for (auto run = counts.begin(); run != counts.end();) {
        const double count = *run;
        const auto end = std::find_if(run, counts.end(), [count](double other) { return other != count; });
        text += (text.empty() ? "" : ",") + textOf(count) + '*' + std::to_string(end - run);
        run = end;
    }
    return text;
}

}  // namespace holos::algebra
