// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/files/foreign/text_lines.h"

#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace holos::algebra {

namespace {

constexpr std::size_t kChunk = 1U << 16;
constexpr std::size_t kLongestLine = 64U << 20;  // a folded stack may be deep

}  // namespace

TextLines::TextLines(const std::filesystem::path& file) : name_(file.string()), file_(openRegular(file)) {
    if (!file_) throw Error("cannot be opened: " + std::string(std::strerror(errno)), {.file = name_});
}

bool TextLines::fill() {
    held_.erase(0, at_);
    at_ = 0;
    const std::size_t before = held_.size();
    held_.resize(before + kChunk);
    const std::size_t count = readAt(file_, held_.data() + before, kChunk, read_);
    held_.resize(before + count);
    read_ += count;
    return count > 0;
}

std::optional<std::string_view> TextLines::next() {
    std::size_t searched = at_;
    std::size_t end = held_.find('\n', searched);
    while (end == std::string::npos) {
        if (held_.size() - at_ > kLongestLine) fail("a line is longer than 64 MB");
        searched = held_.size() - at_;
        if (!fill()) break;
        end = held_.find('\n', searched);
    }
    if (end == std::string::npos && at_ == held_.size()) return std::nullopt;
    ++number_;
    const std::size_t from = at_;
    at_ = end == std::string::npos ? held_.size() : end + 1;
    std::string_view line = std::string_view(held_).substr(from, std::min(end, held_.size()) - from);
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
}

void TextLines::fail(const std::string& message) const {
    throw Error(message, {.file = name_, .line = number_ == 0 ? std::nullopt : std::optional(number_)});
}

void takeBlanks(std::string_view& text) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
}

std::string_view takeWord(std::string_view& text) {
    const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(end);
    takeBlanks(text);
    return word;
}

}  // namespace holos::algebra
