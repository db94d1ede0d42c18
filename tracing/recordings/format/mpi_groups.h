// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

/// The groups of MPI functions that can be left out of a recording.
namespace holos::tracing::mpi {

/// Bits of a set of groups.
enum FunctionGroup : std::uint8_t {
    kP2p = 1,
    kColl = 2,
    kRma = 4,
    kIo = 8,
    kComm = 16,
    kOther = 32,
    kEvery = 63
};

struct GroupName {
    std::string_view name;
    FunctionGroup group;
};
inline constexpr std::array<GroupName, 7> kGroupNames{{{"p2p", kP2p},
                                                       {"coll", kColl},
                                                       {"rma", kRma},
                                                       {"io", kIo},
                                                       {"comm", kComm},
                                                       {"other", kOther},
                                                       {"none", FunctionGroup{}}}};

/// The set that a list such as `p2p,coll` names; nothing when a word of it is none of the names, or `none` is
/// not the only one.
inline std::optional<std::uint8_t> groupsOf(std::string_view list) {
    std::uint8_t groups = 0;
    for (std::size_t begin = 0; begin <= list.size();) {
        const std::size_t end = list.find(',', begin) < list.size() ? list.find(',', begin) : list.size();
        const std::string_view word = list.substr(begin, end - begin);
        bool isKnown = false;
        for (const auto& [name, group] : kGroupNames)
            if (name == word && (group != 0 || word.size() == list.size())) {
                groups = static_cast<std::uint8_t>(groups | group);
                isKnown = true;
            }
        if (!isKnown) return std::nullopt;
        begin = end + 1;
    }
    return groups;
}

}  // namespace holos::tracing::mpi
