// SPDX-License-Identifier: BSD-3-Clause
#include "metric-specs/problems.h"

#include <algorithm>
#include <tuple>

namespace holos::specs {
namespace {

std::string describeAll(const std::string& file, const std::vector<Problem>& problems) {
    std::string text;
    for (const Problem& problem : problems) {
        if (!text.empty())
            text += '\n' + file + ':' + std::to_string(problem.line) + ':' + std::to_string(problem.column) +
                    ": ";
        text += problem.message;
    }
    return text;
}

Place firstPlace(const std::string& file, const std::vector<Problem>& problems) {
    Place place;
    place.file = file;
    if (problems.empty()) return place;
    place.line = problems.front().line;
    place.column = problems.front().column;
    return place;
}

}  // namespace

SpecificationError::SpecificationError(const std::string& file, std::vector<Problem> problems)
    : Error(describeAll(file, problems), firstPlace(file, problems)), problems_(std::move(problems)) {}

void Problems::add(std::uint64_t line, std::uint64_t column, std::string_view text,
                   const std::string& message) {
    if (problems_.size() < kMost)
        problems_.push_back({line, column, std::string(text), message});
    else
        ++more_;
}

void Problems::throwIfAny(const std::string& file) {
    if (problems_.empty()) return;
    std::stable_sort(problems_.begin(), problems_.end(), [](const Problem& a, const Problem& b) {
        return std::tie(a.line, a.column) < std::tie(b.line, b.column);
    });
    if (more_ > 0) problems_.back().message += " (and " + std::to_string(more_) + " more problems)";
    throw SpecificationError(file, std::move(problems_));
}

std::string inQuotes(std::string_view text) {
    constexpr std::size_t kLongest = 60;
    constexpr const char* kDigits = "0123456789abcdef";
    std::string shown = "'";
    for (const char c : text.substr(0, kLongest)) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x20 && byte < 0x7f)
            shown += c;
        else
            (shown += "\\x") += {kDigits[byte >> 4], kDigits[byte & 15]};
    }
    return shown + (text.size() > kLongest ? "…'" : "'");
}

}  // namespace holos::specs
