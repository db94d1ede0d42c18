// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/damage.h"

#include <fstream>
#include <stdexcept>

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

void replace(const std::filesystem::path& file, std::string_view content) {
    std::ofstream out(file, std::ios::binary | std::ios::trunc);
    out.write(content.data(), static_cast<std::streamsize>(content.size()));
    if (!out) throw std::runtime_error("cannot write " + file.string());
}

}  // namespace holos::testing
