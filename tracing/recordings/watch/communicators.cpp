// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/watch/communicators.h"

#include <algorithm>
#include <numeric>

namespace holos::watch {

using archive::RecordedComm;

namespace {

constexpr std::pair<std::uint32_t, std::uint32_t> kWorld{0, 0};

}  // namespace

/// One of the members at least knows them all.
Communicators::Communicators(const FollowedRun& run) {
    for (std::size_t i = 0; i < run.size(); ++i)
        for (const auto& [ref, comm] : run.process(i).definitions().comms)
            if (run.process(i).seen().rank && !comm.worldRanks.empty())
                members_.try_emplace({comm.root, comm.number}, &comm.worldRanks);
}

const RecordedComm* Communicators::find(const FollowedProcess& process, std::uint32_t comm) {
    const auto& comms = process.definitions().comms;
    const auto found = process.seen().rank ? comms.find(comm) : comms.end();
    return found != comms.end() ? &found->second : nullptr;
}

std::vector<std::uint32_t> Communicators::membersOf(const RecordedComm& comm) const {
    if (!comm.worldRanks.empty()) return comm.worldRanks;
    const Identity identity{comm.root, comm.number};
    if (const auto found = members_.find(identity); found != members_.end()) return *found->second;
    std::vector<std::uint32_t> all(identity == kWorld ? comm.members() : 0);
    std::iota(all.begin(), all.end(), 0);
    return all;
}

std::optional<std::uint32_t> Communicators::worldRankOf(const RecordedComm& comm, std::uint32_t rank) const {
    const auto members = membersOf(comm);
    const bool isBetweenGroups = comm.remoteSize != 0;
    const std::size_t place =
        isBetweenGroups && comm.place < comm.size ? std::size_t{comm.size} + rank : rank;
    return place < members.size() ? std::optional(members[place]) : std::nullopt;
}

std::optional<std::uint32_t> Communicators::rankIn(const RecordedComm& comm, std::uint32_t worldRank) const {
    const auto members = membersOf(comm);
    const auto found = std::ranges::find(members, worldRank);
    if (found == members.end() || comm.remoteSize != 0) return std::nullopt;
    return static_cast<std::uint32_t>(found - members.begin());
}

std::optional<std::uint32_t> Communicators::referenceOf(const FollowedProcess& process,
                                                        const RecordedComm& comm) {
    const bool isSelf = comm.size == 1 && comm.remoteSize == 0;
    for (const auto& [ref, one] : process.definitions().comms)
        if (one.root == comm.root && one.number == comm.number && (one.size == 1) == isSelf) return ref;
    return std::nullopt;
}

}  // namespace holos::watch
