// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace holos::analyzer::patterns {

/// What happens at a synchronization point: first the kinds of waiting that have costs.
enum class Kind : std::uint8_t {
#define HOLOS_WAIT_KIND(name, between, chain) name,
#include "analyzer/patterns/kinds.def"
#undef HOLOS_WAIT_KIND
    Peer,          ///< the other end of a wait of two: it is waited for
    Fork,          ///< the start of a parallel region on one of its threads
    ThreadCreate,  ///< another thread of the process is made
    ThreadBegin,   ///< the start of such a thread
};
inline constexpr auto kWaitKinds = static_cast<std::size_t>(Kind::Peer);

/// Who waits for whom.
enum class Between : std::uint8_t {
    Processes,  ///< a process for another one
    Threads,    ///< a thread for another one of its process
    Ranks,      ///< those of a collective operation for each other
    Team,       ///< threads for those of their team
};

/// Whose metrics tell whether waits are handed on: propagating or terminal, direct or indirect.
enum class Chain : std::uint8_t { LateSender, LateReceiver, OneSided, Lock, None };

struct KindTraits {
    Between between = Between::Ranks;
    Chain chain = Chain::None;
};

/// Of any kind; those that are no waiting have the ones of nothing in particular.
constexpr KindTraits traitsOf(Kind kind) {
    constexpr std::array<KindTraits, kWaitKinds> kTraits{{
#define HOLOS_WAIT_KIND(name, between, chain) {Between::between, Chain::chain},
#include "analyzer/patterns/kinds.def"
#undef HOLOS_WAIT_KIND
    }};
    const auto position = static_cast<std::size_t>(kind);
    return position < kWaitKinds ? kTraits[position] : KindTraits{};
}

/// Waits of two threads of one process for each other.
constexpr bool isOfThreads(Kind kind) {
    return traitsOf(kind).between == Between::Threads;
}

}  // namespace holos::analyzer::patterns
