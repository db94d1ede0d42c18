// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/launch/traced_phase.h"

#include <charconv>
#include <string_view>

#include "base/error.h"
#include "base/fnv1a.h"

namespace holos::launch {
namespace {

using tracing::ChosenInstances;

/// Takes a number of at least 1 from the front.
std::optional<std::uint64_t> takeNumber(std::string_view& text) {
    std::uint64_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ec != std::errc{} || number == 0) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
    return number;
}

/// `FIRST+COUNT` or `FIRST+COUNT/EVERY`.
std::optional<ChosenInstances> parseInstances(std::string_view text) {
    const auto first = takeNumber(text);
    if (!first || !text.starts_with('+')) return std::nullopt;
    text.remove_prefix(1);
    const auto count = takeNumber(text);
    if (!count) return std::nullopt;
    ChosenInstances chosen{.first = *first, .count = *count};
    if (text.empty()) return chosen;
    if (!text.starts_with('/')) return std::nullopt;
    text.remove_prefix(1);
    const auto every = takeNumber(text);
    if (!every || !text.empty() || *every < *count) return std::nullopt;
    chosen.every = *every;
    return chosen;
}

std::uint64_t seedOf(std::string_view run) {
    return Fnv1a().add(run.data(), run.size()).value();
}

[[noreturn]] void refuse(const std::string& text) {
    throw UsageError(
        "--trace-phase: expected NAME:FIRST+COUNT/EVERY, such as step:10+2/100 for instances 10 and 11, 110 "
        "and "
        "111, and so on of the phase step, or a name with --trace-share, not '" +
        text + "'");
}

}  // namespace

TracedPhase tracedPhase(const std::string& text, std::optional<double> share, const std::string& run) {
    constexpr double kAll = 100;
    if (text.empty() && !share) return {};
    if (text.empty()) throw UsageError("--trace-share: --trace-phase names the phase");
    if (share) return {text, {.oneIn = ChosenInstances::oneInFor(*share / kAll), .seed = seedOf(run)}};
    const std::size_t colon = text.rfind(':');  // names may have some
    if (colon == std::string::npos || colon == 0) refuse(text);
    const auto chosen = parseInstances(std::string_view(text).substr(colon + 1));
    if (!chosen) refuse(text);
    return {text.substr(0, colon), *chosen};
}

}  // namespace holos::launch
