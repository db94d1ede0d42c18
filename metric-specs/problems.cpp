// SPDX-License-Identifier: BSD-3-Clause
#include "metric-specs/problems.h"

#include <algorithm>
#include <tuple>

#include "base/number.h"

namespace holos::specs {
namespace {

std::string describeAll(const std::vector<Problem>& problems) {
    std::string text;
    for (const Problem& problem : problems) {
        if (!text.empty())
            text += '\n' + problem.file + ':' + std::to_string(problem.line) + ':' +
                    std::to_string(problem.column) + ": ";
        text += problem.message;
    }
    return text;
}

Place firstPlace(const std::vector<Problem>& problems) {
    Place place;
    if (problems.empty()) return place;
    place.file = problems.front().file;
    place.line = problems.front().line;
    place.column = problems.front().column;
    return place;
}

}  // namespace

SpecificationError::SpecificationError(std::vector<Problem> problems)
    : Error(describeAll(problems), firstPlace(problems)), problems_(std::move(problems)) {}

void Problems::enter(std::string_view file) {
    if (file_ == file) return;
    file_ = file;
    if (std::ranges::find(files_, file_) == files_.end()) files_.push_back(file_);
}

void Problems::add(std::uint64_t line, std::uint64_t column, std::string_view text,
                   const std::string& message) {
    if (problems_.size() < kMost)
        problems_.push_back({file_, line, column, std::string(text), message});
    else
        ++more_;
}

void Problems::throwIfAny() {
    if (problems_.empty()) return;
    const auto order = [this](const Problem& problem) {
        return std::tuple(std::ranges::find(files_, problem.file), problem.line, problem.column);
    };
    std::ranges::stable_sort(problems_,
                             [&](const Problem& a, const Problem& b) { return order(a) < order(b); });
    if (more_ > 0) problems_.back().message += " (and " + std::to_string(more_) + " more problems)";
    throw SpecificationError(std::move(problems_));
}

std::string inQuotes(std::string_view text) {
    constexpr std::size_t kLongest = 60;
    std::string shown = "'";
    for (const char c : text.substr(0, kLongest)) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x20 && byte < 0x7f)
            shown += c;
        else
            (shown += "\\x") += inHexadecimal(&c, 1);
    }
    return shown + (text.size() > kLongest ? "…'" : "'");
}

}  // namespace holos::specs
