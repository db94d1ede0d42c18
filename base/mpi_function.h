// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string>
#include <string_view>

#include "base/text.h"

/// Which function a name means, in traces and profiles of all writers.
namespace holos {

template <std::size_t N>
bool isOneOf(std::string_view name, const std::array<std::string_view, N>& names) {
    return std::ranges::find(names, name) != names.end();
}

inline bool startsWithOneOf(std::string_view name, std::initializer_list<std::string_view> prefixes) {
    return std::ranges::any_of(prefixes, [name](auto prefix) { return name.starts_with(prefix); });
}

/// `MPI_Send`, `PMPI_Send`, `mpi_send_`, `mpi_send__` → `send`; empty when it is no MPI function.
inline std::string mpiFunction(std::string_view name) {
    std::string lower = lowerCase(name);
    if (lower.starts_with("pmpi_")) lower.erase(0, 1);
    if (!lower.starts_with("mpi_")) return {};
    while (lower.ends_with('_')) lower.pop_back();
    return lower.size() > 4 ? lower.substr(4) : std::string{};
}

}  // namespace holos
