// SPDX-License-Identifier: BSD-3-Clause
#include "tests/unit/tracing/path_book.h"

#include <map>

namespace holos::tracing::stacks {
namespace {

/// (caller, address) by number.
std::vector<std::pair<PathNumber, std::uint64_t>> paths(kFirstPath);
std::map<std::pair<PathNumber, std::uint64_t>, PathNumber> numbers;

}  // namespace

PathNumber pathBelow(PathNumber caller, std::uint64_t returnAddress) noexcept {
    const auto [at, isNew] =
        numbers.try_emplace({caller, returnAddress}, static_cast<PathNumber>(paths.size()));
    if (isNew) paths.emplace_back(caller, returnAddress);
    return at->second;
}

Addresses addressesOf(PathNumber path) {
    Addresses found;
    for (; path >= kFirstPath; path = paths[path].first) found.push_back(paths[path].second);
    found.push_back(path);
    return found;
}

}  // namespace holos::tracing::stacks
