// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/files/tar_writer.h"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "algebra/files/tar_format.h"

namespace holos::algebra {
namespace {

/// The largest size that fits into eleven octal digits. Larger members have an extended header.
constexpr std::uint64_t kLargestPlain = (std::uint64_t{1} << 33) - 1;

void put(std::string& header, tar::Field field, std::string_view text) {
    header.replace(field.offset, std::min(text.size(), field.size), text.substr(0, field.size));
}

std::string octal(std::uint64_t number, std::size_t digits) {
    std::string text(digits, '0');
    for (auto digit = text.rbegin(); digit != text.rend(); ++digit, number >>= 3)
        *digit = static_cast<char>('0' + (number & 7));
    return text;
}

std::string header(std::string_view name, std::uint64_t size, char type) {
    std::string block(tar::kBlock, '\0');
    put(block, tar::kName, name);
    put(block, tar::kMode, "0000600");
    put(block, tar::kUser, "0000000");
    put(block, tar::kGroup, "0000000");
    put(block, tar::kSize, octal(std::min(size, kLargestPlain), 11));
    put(block, tar::kTime, octal(0, 11));
    put(block, tar::kChecksum, "        ");
    block[tar::kType.offset] = type;
    put(block, tar::kMagic, std::string_view("ustar\0", 6));
    put(block, tar::kVersion, "00");
    put(block, tar::kUserName, "nouser");
    put(block, tar::kGroupName, "users");
    const auto sum = std::accumulate(
        block.begin(), block.end(), std::uint64_t{0},
        [](std::uint64_t total, char byte) { return total + static_cast<unsigned char>(byte); });
    put(block, tar::kChecksum, octal(sum, 6) + std::string("\0 ", 2));
    return block;
}

/// `LENGTH KEY=VALUE\n`, where the length counts itself.
std::string record(const std::string& text) {
    std::size_t length = text.size() + 2;
    while (std::to_string(length).size() + text.size() + 2 != length) ++length;
    return std::to_string(length) + ' ' + text + '\n';
}

std::string padding(std::uint64_t size) {
    return std::string((tar::kBlock - size % tar::kBlock) % tar::kBlock, '\0');
}

/// All that stands before a member's content.
std::string headers(const std::string& name, std::uint64_t size, bool large) {
    std::string records;
    if (large) records += record("size=" + std::to_string(size));
    if (name.size() > tar::kName.size) records += record("path=" + name);
    std::string text;
    if (!records.empty())
        text = header("././@PaxHeader", records.size(), 'x') + records + padding(records.size());
    return text + header(name, size, '0');
}

}  // namespace

void TarWriter::add(const std::string& name, std::string_view content) {
    file_.write(headers(name, content.size(), content.size() >= kLargestPlain));
    file_.write(content);
    pad(content.size());
}

void TarWriter::begin(const std::string& name, std::uint64_t limit) {
    name_ = name;
    large_ = limit >= kLargestPlain;
    header_ = file_.size();
    file_.write(headers(name, 0, large_));
    begin_ = file_.size();
}

void TarWriter::end() {
    const std::uint64_t size = memberSize();
    const std::string known = headers(name_, size, large_);
    assert(header_ + known.size() == begin_);
    file_.rewrite(header_, known);
    pad(size);
}

void TarWriter::pad(std::uint64_t size) {
    file_.write(padding(size));
    // CUBE's own reader takes for granted that a full last block is followed by an empty one.
    if (size > 0 && size % tar::kBlock == 0) file_.write(std::string(tar::kBlock, '\0'));
}

void TarWriter::finish() {
    file_.write(std::string(2 * tar::kBlock, '\0'));
}

}  // namespace holos::algebra
