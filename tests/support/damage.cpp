// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/damage.h"

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace holos::testing {

void truncate(const std::filesystem::path& file, std::uintmax_t bytes) {
    if (std::filesystem::file_size(file) <= bytes)
        throw std::invalid_argument(file.string() + " is too short");
    std::filesystem::resize_file(file, bytes);
}

void overwrite(const std::filesystem::path& file, std::uintmax_t from, std::string_view bytes) {
    if (std::filesystem::file_size(file) < from + bytes.size())
        throw std::invalid_argument(file.string() + " is too short");
    std::fstream out(file, std::ios::in | std::ios::out | std::ios::binary);
    out.seekp(static_cast<std::streamoff>(from));
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!out) throw std::runtime_error("cannot write " + file.string());
}

namespace {

/// As OTF2 writes a time stamp on a machine with the low byte first: a mark, and eight bytes.
std::string timestampRecord(std::uint64_t time) {
    std::string bytes(1, '\x05');
    for (int i = 0; i < 8; ++i) bytes += static_cast<char>((time >> (8 * i)) & 0xFF);
    return bytes;
}

}  // namespace

void changeTimestamp(const std::filesystem::path& file, std::uint64_t from, std::uint64_t to) {
    std::ifstream in(file, std::ios::binary);
    const std::string content{std::istreambuf_iterator<char>(in), {}};
    const auto place = content.find(timestampRecord(from));
    if (place == std::string::npos) throw std::invalid_argument(file.string() + " has no such time stamp");
    overwrite(file, place, timestampRecord(to));
}

void replace(const std::filesystem::path& file, std::string_view content) {
    std::ofstream out(file, std::ios::binary | std::ios::trunc);
    out.write(content.data(), static_cast<std::streamsize>(content.size()));
    if (!out) throw std::runtime_error("cannot write " + file.string());
}

}  // namespace holos::testing
