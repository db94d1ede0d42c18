// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/run_profile.h"

/// How what a location adds up lies in chunks of a process's file of events: cells of whole words of 64 bit,
/// in the machine's byte order, without gaps. A cell's head is written when it is complete; a word of zero
/// where a head is expected, or the end of the chunk, ends the chunk. The values in cells change until the
/// program ends. What is read after it was killed is complete but for the event that it was just adding.
namespace holos::tracing::profile {

enum class CellKind : std::uint8_t { End, State, Node, Way, Traffic };

struct Node;
struct Way;
struct Traffic;

/// What tells the parts of a call tree apart that have one parent.
enum class NodeKind : std::uint32_t {
    Root,   ///< -; what is outside of all regions
    Share,  ///< first: the master's location; second: the path of its region; third: its node that forked
    Task,   ///< -; explicit tasks that ran while the location was in the parent
    Off,    ///< -; nothing was recorded there
    /// The recorder wrote its buffer: in the parent, where `second` is 0; else on the way (`Way`) from the
    /// node `first` to the node `second`; or, where `third` is 1, between that region and the fork or join of
    /// its team.
    Flush,
    Region  ///< first: the region; second: the path of the calls that led there
};
struct Key {
    NodeKind kind = NodeKind::Root;
    std::uint32_t first = 0;
    std::uint32_t second = 0;
    std::uint32_t third = 0;
    /// The first two in one word, as records have them.
    constexpr std::uint64_t names() const noexcept { return std::uint64_t{second} << 32U | first; }
    friend bool operator==(const Key&, const Key&) = default;
};

/// The first cell of a location. Behind it stand its counters' last reading, and what they counted since the
/// last event that a node or way has.
struct State {
    std::uint64_t head;
    std::uint64_t node;    ///< where the location is
    std::uint64_t first;   ///< ticks of its first event
    std::uint64_t last;    ///< and of its last one
    std::uint64_t isRead;  ///< 1 once the counters were read
    std::uint64_t since;   ///< ticks of the moment from which on it was added up; 0: from the start on
};

/// A call path. Behind it stands what counters counted while the location was certainly in it.
struct Node {
    std::uint64_t head;
    std::uint32_t number;  ///< counts from 0, the root
    std::uint32_t parent;  ///< a smaller number; the root's own
    Key key;
    std::uint64_t visits;
    std::uint64_t own;    ///< ticks in which the location was certainly in it, but those of ways
    std::uint64_t after;  ///< of a parallel region: from its end to the end of the team and of the fork; of
                          ///< what a task begins with: ticks of its runs
    std::uint64_t ended;  ///< visits that were timed
    std::uint64_t least;  ///< ticks of those
    std::uint64_t most;
    std::uint64_t squares[2];  ///< the sum of their squares, the lower word first
    // The recorder's own, without meaning to readers.
    std::uint64_t since;      ///< ticks of the visit that goes on
    std::uint64_t isTimed;    ///< only one visit goes on at a time
    Node* up;                 ///< the parent
    Way* firstWays;           ///< to what was entered first in a visit
    Way* nextWays;            ///< to what was entered next in the parent, after this
    std::uint64_t nextCount;  ///< of those
    Node* children;           ///< the newest
    Node* older;              ///< sibling
    Traffic* traffic;         ///< null where it has none
};

/// How often a call path was entered after something else that is known: what was left before, in the same
/// visit of the parent. The time in between belongs to functions that both have in common, which are found
/// after the run. Behind it stands what counters counted meanwhile.
struct Way {
    static constexpr std::uint32_t kFromAny = 0xFFFFFFFFu;  ///< no more is kept apart
    std::uint64_t head;
    std::uint32_t from;  ///< a node: a sibling of `to`, or the parent, which had entered nothing before
    std::uint32_t to;
    std::uint64_t times;
    std::uint64_t ticks;
    std::uint64_t forks;      ///< how often a team was forked on the way
    std::uint64_t sinceFork;  ///< ticks from there on; of a team's share from its master's fork on
    // The recorder's own.
    Way* older;  ///< from the same
    Node* target;
};

/// What is counted of messages and operations in a node.
struct Traffic {
    std::uint64_t head;
    std::uint64_t node;
    ProfiledAmount counts[kProfileCounts];
};

inline constexpr std::size_t kWord = sizeof(std::uint64_t);

/// Words of a cell; `counters`: how many counters the process has.
constexpr std::size_t cellWords(CellKind kind, std::size_t counters) noexcept {
    switch (kind) {
        case CellKind::State:
            return sizeof(State) / kWord + 2 * counters;
        case CellKind::Node:
            return sizeof(Node) / kWord + counters;
        case CellKind::Way:
            return sizeof(Way) / kWord + counters;
        case CellKind::Traffic:
            return sizeof(Traffic) / kWord;
        case CellKind::End:
            break;
    }
    return 0;
}

}  // namespace holos::tracing::profile
