// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/matching/collectives.h"

#include <algorithm>
#include <unordered_map>

namespace holos::analyzer::matching {

namespace {

using replay::CollectiveRecord;
using replay::RecordRef;

/// Operations of one communicator while they are collected.
struct Ledger {
    CommOperations operations;
    std::unordered_map<std::size_t, std::size_t> rankOf;  ///< of a process
    std::vector<bool> severalThreads;
    std::vector<std::size_t> latestLocation;
};

const CollectiveRecord& recordAt(const replay::ReplayedTrace& trace, RecordRef ref) {
    return trace.locations[ref.location].messages.collectives[ref.position];
}

Ledger openLedger(const trace::Definitions& definitions, const trace::Comm& comm) {
    Ledger ledger;
    std::size_t ranks = 0;
    for (const auto* group : {&comm.members, &comm.remoteMembers})
        for (const trace::LocationId member : *group)
            ledger.rankOf.emplace(definitions[member].process.index(), ranks++);
    ledger.operations.ranks.resize(ranks);
    ledger.severalThreads.resize(ranks, false);
    ledger.latestLocation.resize(ranks, ~std::size_t{0});
    return ledger;
}

/// A communicator of one process has nobody to wait for.
bool isAnalyzed(const trace::Comm& comm) {
    return !comm.isSelf && comm.members.size() + comm.remoteMembers.size() > 1;
}

/// Adds a record of a location.
void enter(Ledger& ledger, std::size_t process, RecordRef ref, const CollectiveRecord& record) {
    const auto rank = ledger.rankOf.find(process);
    if (rank == ledger.rankOf.end()) return;
    ledger.operations.ranks[rank->second].push_back(ref);
    auto& latest = ledger.latestLocation[rank->second];
    if ((latest != ~std::size_t{0} && latest != ref.location) || record.beginLocation != ref.location)
        ledger.severalThreads[rank->second] = true;
    latest = ref.location;
}

std::vector<CommOperations> collect(const replay::ReplayedTrace& trace) {
    const trace::Definitions& definitions = trace.definitions;
    std::vector<Ledger> ledgers(2 * definitions.comms.size());
    for (std::uint32_t location = 0; location < trace.locations.size(); ++location) {
        const std::size_t process = definitions.locations[location].process.index();
        const auto& records = trace.locations[location].messages.collectives;
        for (std::uint32_t i = 0; i < records.size(); ++i) {
            const std::uint32_t comm = records[i].comm;
            if (comm == replay::kNone || !isAnalyzed(definitions.comms[comm])) continue;
            const bool isApart = replay::isOfCommunicators(records[i].operation);
            Ledger& ledger = ledgers[2 * comm + (isApart ? 1 : 0)];
            if (ledger.operations.ranks.empty()) ledger = openLedger(definitions, definitions.comms[comm]);
            enter(ledger, process, {location, i}, records[i]);
        }
    }
    const auto isBefore = [&](RecordRef a, RecordRef b) {
        return recordAt(trace, a).begin < recordAt(trace, b).begin;
    };
    std::vector<CommOperations> operations;
    for (std::size_t i = 0; i < ledgers.size(); ++i) {
        Ledger& ledger = ledgers[i];
        ledger.operations.comm = i / 2;
        ledger.operations.areOfCommunicators = i % 2 != 0;
        auto& ranks = ledger.operations.ranks;
        for (std::size_t rank = 0; rank < ranks.size(); ++rank)
            if (ledger.severalThreads[rank]) std::ranges::stable_sort(ranks[rank], isBefore);
        operations.push_back(std::move(ledger.operations));
    }
    return operations;
}

/// How many operations all ranks have. Those of communicators may be lacking where only some ranks took part.
std::size_t completeOnes(const CommOperations& operations, const std::string& name,
                         std::vector<Diagnosis>& diagnoses) {
    std::size_t least = operations.ranks.empty() ? 0 : operations.ranks[0].size();
    std::size_t most = least;
    for (const auto& rank : operations.ranks) {
        least = std::min(least, rank.size());
        most = std::max(most, rank.size());
    }
    if (least != most && !operations.areOfCommunicators)
        diagnoses.push_back({Trouble::UnmatchedCollective,
                             "on communicator \"" + name +
                                 "\" some ranks lack the last collective operations; "
                                 "these count without waiting time",
                             {},
                             {},
                             {},
                             most - least});
    return least;
}

bool hasRoot(replay::Collective operation) {
    using enum replay::Collective;
    return operation == Bcast || operation == Scatter || operation == Scatterv || operation == Reduce ||
           operation == Gather || operation == Gatherv;
}

/// Between two groups, ranks have different words for the root.
bool agrees(const replay::ReplayedTrace& trace, CollectiveInstance instance, bool isInter) {
    const CollectiveRecord& first = recordAt(trace, instance[0]);
    if (!isInter && hasRoot(first.operation) && first.root >= instance.size()) return false;
    return std::ranges::all_of(instance, [&](RecordRef ref) {
        const CollectiveRecord& record = recordAt(trace, ref);
        return record.operation == first.operation && (isInter || record.root == first.root);
    });
}

/// Calls `visit` for each operation of a communicator, with its number there, from several workers.
void forEachOperation(const CommOperations& operations, workers::Workers& workers,
                      const std::function<void(std::size_t, CollectiveInstance)>& visit) {
    const std::size_t count = operations.isAgreed.size();
    constexpr std::size_t kPortion = 256;
    workers.forEach((count + kPortion - 1) / kPortion, [&](std::size_t portion) {
        std::vector<RecordRef> ranks(operations.ranks.size());
        for (std::size_t i = portion * kPortion; i < std::min(count, (portion + 1) * kPortion); ++i) {
            for (std::size_t rank = 0; rank < ranks.size(); ++rank) ranks[rank] = operations.ranks[rank][i];
            visit(i, ranks);
        }
    });
}

/// Gives the records of a communicator's operations their numbers, from `first` on, and finds out where ranks
/// disagree.
void numberOperations(const replay::ReplayedTrace& trace, CommOperations& operations, bool isInter,
                      std::uint64_t first, workers::Workers& workers, CollectiveMatches& matches) {
    forEachOperation(operations, workers, [&](std::size_t i, CollectiveInstance instance) {
        if (!agrees(trace, instance, isInter)) {
            operations.isAgreed[i] = 0;
            return;
        }
        for (const replay::RecordRef ref : instance)
            matches.instanceOf[ref.location][ref.position] = static_cast<std::uint32_t>(first + i);
    });
}

}  // namespace

MatchedCollectives matchCollectives(const replay::ReplayedTrace& trace, workers::Workers& workers,
                                    Memory memory) {
    MatchedCollectives matched{{recordsByLocation<std::uint32_t>(trace.locations.size(), memory), 0, {}},
                               {collect(trace)}};
    auto& [instanceOf, complete, diagnoses] = matched.matches;
    for (std::size_t i = 0; i < trace.locations.size(); ++i)
        instanceOf[i].resize(trace.locations[i].messages.collectives.size(), replay::kNone);
    std::uint64_t total = 0;
    for (CommOperations& operations : matched.operations.rows) {
        const trace::Comm& definition = trace.definitions.comms[operations.comm];
        const std::size_t count = completeOnes(operations, definition.name, diagnoses);
        operations.isAgreed.resize(count, 1);
        numberOperations(trace, operations, definition.isInter(), total, workers, matched.matches);
        const auto bad = static_cast<std::uint64_t>(std::ranges::count(operations.isAgreed, 0));
        if (bad != 0 && !operations.areOfCommunicators)
            diagnoses.push_back({Trouble::UnmatchedCollective,
                                 "on communicator \"" + definition.name +
                                     "\" the ranks disagree on the operation or its root, or the root is "
                                     "none of them; it counts without waiting time",
                                 {},
                                 {},
                                 {},
                                 bad});
        total += count;
        complete += count - bad;
    }
    return matched;
}

void CollectiveOperations::forEach(workers::Workers& workers,
                                   const std::function<void(std::size_t, CollectiveInstance)>& visit) const {
    for (const CommOperations& operations : rows)
        forEachOperation(operations, workers, [&](std::size_t i, CollectiveInstance instance) {
            if (operations.isAgreed[i] != 0) visit(operations.comm, instance);
        });
}

}  // namespace holos::analyzer::matching
