// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/files/cube3_rows.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace holos::algebra {

namespace {
constexpr std::size_t kLongestTag = 4096;
constexpr std::size_t kShownText = 20;
}  // namespace

std::optional<std::string> readNumbers(std::string_view text, std::span<double> into) {
    std::size_t count = 0;
    const char* at = text.data();
    const char* const end = at + text.size();
    while (true) {
        at = std::find_if(at, end, [](char c) { return c != ' ' && c != '\n' && c != '\t' && c != '\r'; });
        if (at == end) return std::nullopt;
        double value = 0.0;
        const auto [behind, problem] = std::from_chars(*at == '+' ? at + 1 : at, end, value);
        if (problem != std::errc() || (behind != end && static_cast<unsigned char>(*behind) > ' '))
            return "a number was expected, not \"" +
                   std::string(at, std::min<std::size_t>(kShownText, static_cast<std::size_t>(end - at))) +
                   "\"";
        if (count == into.size()) return "the row has more than " + std::to_string(into.size()) + " values";
        into[count++] = value;
        at = behind;
    }
}

void RowPlaces::scan(std::string_view piece) {
    std::size_t at = 0;
    while (at < piece.size() && !isLost_) {
        if (!isInTag_) {
            at = piece.find('<', at);
            if (at == std::string_view::npos) break;
            tagOffset_ = at_ + at;
            tag_.clear();
            isInTag_ = true;
            ++at;
            continue;
        }
        const std::size_t end = std::min(piece.find('>', at), piece.size());
        tag_ += piece.substr(at, end - at);
        isLost_ = tag_.size() > kLongestTag;
        at = end;
        if (at == piece.size()) break;
        ++at;
        endTag(at_ + at);
    }
    at_ += piece.size();
}

void RowPlaces::endTag(std::uint64_t behind) {
    isInTag_ = false;
    isLost_ = isLost_ || tag_.empty() || tag_[0] == '!' || tag_[0] == '?';
    const std::string_view name = std::string_view(tag_).substr(0, tag_.find_first_of(" \t\r\n/", 1));
    if (name == "row" && tag_.back() == '/')
        found_.push_back({behind, 0});
    else if (name == "row")
        rowOffset_ = behind;
    else if (name == "/row")
        found_.push_back({rowOffset_, tagOffset_ - rowOffset_});
}

std::optional<TextPlace> RowPlaces::next(std::string_view text) {
    if (isLost_ || found_.empty() || found_.front().length != text.size()) {
        isLost_ = true;
        return std::nullopt;
    }
    const TextPlace place = found_.front();
    found_.pop_front();
    return place;
}

Cube3Rows::Cube3Rows(std::shared_ptr<const FileReader> file, std::vector<TextPlace> places,
                     std::size_t locations, double missing)
    : Rows(places.size(), locations, missing), file_(std::move(file)), places_(std::move(places)) {}

std::span<const double> Cube3Rows::row(CallPathId path, std::span<double> scratch) const {
    if (!hasRow(path)) return {};
    const TextPlace& place = places_[path.index()];
    const std::string text = file_->read(place.offset, place.length);
    const auto values = scratch.first(locations());
    std::ranges::fill(values, missing());
    if (const auto problem = readNumbers(text, values)) file_->fail(*problem, place.offset);
    return values;
}

}  // namespace holos::algebra
