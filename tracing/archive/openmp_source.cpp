// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/archive/openmp_source.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>

namespace holos::archive {
namespace {

namespace fs = std::filesystem;

std::string lowerCase(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
    return text;
}

bool isFortran(const std::string& file) {
    return lowerCase(fs::path(file).extension().string()).starts_with(".f");
}

/// Empty when there is no such line.
std::string lineOf(const std::string& file, std::uint32_t number) {
    std::error_code error;
    if (!fs::is_regular_file(file, error)) return {};
    std::ifstream in(file);
    std::string line;
    for (std::uint32_t i = 0; i < number; ++i)
        if (!std::getline(in, line)) return {};
    return lowerCase(line);
}

bool isImplicitBarrier(const std::string& line) {
    return line.find("omp") != std::string::npos && line.find("barrier") == std::string::npos;
}

}  // namespace

void correctFromSource(RecordedRegion& region) {
    using tracing::Role;
    if (region.role == Role::Barrier && isImplicitBarrier(lineOf(region.file, region.beginLine))) {
        region.role = Role::ImplicitBarrier;
        region.name = "!$omp implicit barrier";
    }
    if (region.role == Role::Loop && isFortran(region.file)) region.name = "!$omp do";
}

}  // namespace holos::archive
