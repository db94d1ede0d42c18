// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tracing/recordings/archive/process/recorded_process.h"

/// Definitions of all processes made one: each thing once, whoever defined it. Workers take processes, and
/// their results are joined in a tree:
///
///     ranks   0 … 15   16 … 31   32 … 47   48 … 63
///             └──── join ────┘   └──── join ────┘
///                      └──────── join ───────┘
///
/// so that memory is that of the different definitions, and four bytes for each reference of each process.
namespace holos::archive {

/// The world (`World::key`) and the rank in it of its rank 0, and the number that this process gave to it.
struct Identity {
    std::uint64_t world = 0;
    std::uint32_t root = 0;
    std::uint32_t number = 0;
    auto operator<=>(const Identity&) const = default;
};

struct CommFacts {
    std::string name;
    std::uint32_t size = 0;  ///< of both groups
    std::uint32_t remoteSize = 0;
    std::vector<std::uint32_t> worldRanks;  ///< empty where no process knew them
    std::vector<std::uint64_t> worlds =
        {};  ///< of each member, where they are of several; else all are of one
};

/// What another process knows better; the first to know something is believed.
inline void complete(std::monostate&, std::monostate&&) {}
inline void complete(Identity&, Identity&&) {}
inline void complete(std::string&, std::string&&) {}
void complete(CommFacts& known, CommFacts&& more);

/// Equal keys have one number, and facts about them.
template <class Key, class Facts = std::monostate>
class Table {
  public:
    std::uint32_t of(Key key, Facts facts = {}) {
        const auto [at, isNew] = numbers_.try_emplace(std::move(key), size());
        if (isNew)
            entries_.push_back({&at->first, std::move(facts)});
        else
            complete(entries_[at->second].facts, std::move(facts));
        return at->second;
    }
    std::optional<std::uint32_t> find(const Key& key) const {
        const auto at = numbers_.find(key);
        return at != numbers_.end() ? std::optional(at->second) : std::nullopt;
    }
    /// Takes over what another table has; the result is its numbers here.
    std::vector<std::uint32_t> absorb(Table&& other) {
        std::vector<std::uint32_t> numbers;
        numbers.reserve(other.entries_.size());
        for (auto& entry : other.entries_) {
            auto node = other.numbers_.extract(*entry.key);
            numbers.push_back(of(std::move(node.key()), std::move(entry.facts)));
        }
        return numbers;
    }
    std::uint32_t size() const { return static_cast<std::uint32_t>(entries_.size()); }
    const Key& key(std::uint32_t number) const { return *entries_[number].key; }
    const Facts& facts(std::uint32_t number) const { return entries_[number].facts; }

  private:
    struct Entry {
        const Key* key;
        Facts facts;
    };
    std::map<Key, std::uint32_t> numbers_;
    std::vector<Entry> entries_;
};

struct HandleKey {
    Identity comm;
    std::uint32_t opening = 0;
    std::uint64_t world = 0;  ///< of the process and its rank there, where it opened the file alone
    std::uint32_t rank = 0;
    auto operator<=>(const HandleKey&) const = default;
};

/// MPI_COMM_SELF of all processes is one communicator.
inline constexpr Identity kSelf{0, 0, 1};
/// MPI_COMM_WORLD of one of the worlds.
constexpr bool isWorld(const Identity& comm) {
    return comm.root == 0 && comm.number == 0;
}

/// World ranks, and in which world.
struct GroupKey {
    std::uint64_t world = 0;
    std::vector<std::uint32_t> ranks;
    auto operator<=>(const GroupKey&) const = default;
};

struct Definitions {
    Table<RecordedRegion> regions;
    Table<RecordedMetric> metrics;
    Table<std::string> parameters;
    Table<std::string> files;
    Table<GroupKey> groups;
    Table<Identity, CommFacts> comms;
    Table<Identity, Identity> windows;                              ///< the communicator of each
    Table<HandleKey, std::string> handles;                          ///< the name of each one's file
    std::map<Identity, std::vector<tracing::GridDimension>> grids;  ///< by communicator

    /// Moves what a process defined from `process` to here, and its numbers into it.
    void take(RecordedProcess& process);
    /// Takes what other processes defined, whose numbers change to those here.
    void absorb(Definitions&& other, std::vector<RecordedProcess>::iterator begin,
                std::vector<RecordedProcess>::iterator end);
};

/// All that a run left but its events.
struct Recording {
    std::vector<RecordedProcess> processes;  ///< as they began; their definitions are numbers
    Definitions definitions;
    std::vector<std::string> notes = {};  ///< for people
    /// Folders of processes that were left out: they began in another run, whose recording was in this place
    /// before.
    std::vector<std::filesystem::path> strangers = {};
};

/// Makes a recording of processes that were read.
Recording unify(std::vector<RecordedProcess> processes);
/// Makes a recording of as many processes as `read` gives by number, in several threads at once.
Recording unify(std::size_t processes, const std::function<RecordedProcess(std::size_t)>& read);

}  // namespace holos::archive
