// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/matching/collectives.h"

#include <algorithm>
#include <unordered_map>

namespace holos::analyzer::matching {

namespace {

using replay::CollectiveRecord;

/// The operations of one communicator: rank by rank in the order of time; of two groups, one after the other.
struct Ledger {
    std::vector<std::vector<CollectiveRecord*>> ranks;
    std::unordered_map<std::size_t, std::size_t> rankOf;  ///< of a process
    std::vector<bool> severalThreads;
    std::vector<std::size_t> latestLocation;
};

Ledger openLedger(const trace::Definitions& definitions, const trace::Comm& comm) {
    Ledger ledger;
    std::size_t ranks = 0;
    for (const auto* group : {&comm.members, &comm.remoteMembers})
        for (const trace::LocationId member : *group)
            ledger.rankOf.emplace(definitions[member].process.index(), ranks++);
    ledger.ranks.resize(ranks);
    ledger.severalThreads.resize(ranks, false);
    ledger.latestLocation.resize(ranks, ~std::size_t{0});
    return ledger;
}

/// A communicator of one process has nobody to wait for.
bool isAnalyzed(const trace::Comm& comm) {
    return !comm.isSelf && comm.members.size() + comm.remoteMembers.size() > 1;
}

std::vector<Ledger> collect(replay::ReplayedTrace& trace) {
    std::vector<Ledger> ledgers(trace.definitions.comms.size());
    for (std::size_t i = 0; i < trace.locations.size(); ++i) {
        const std::size_t process = trace.definitions.locations[i].process.index();
        for (CollectiveRecord& record : trace.locations[i].messages.collectives) {
            if (record.comm == replay::kNone || !isAnalyzed(trace.definitions.comms[record.comm])) continue;
            Ledger& ledger = ledgers[record.comm];
            if (ledger.ranks.empty())
                ledger = openLedger(trace.definitions, trace.definitions.comms[record.comm]);
            const auto rank = ledger.rankOf.find(process);
            if (rank == ledger.rankOf.end()) continue;
            ledger.ranks[rank->second].push_back(&record);
            auto& latest = ledger.latestLocation[rank->second];
            if ((latest != ~std::size_t{0} && latest != i) || record.beginLocation != i)
                ledger.severalThreads[rank->second] = true;
            latest = i;
        }
    }
    for (Ledger& ledger : ledgers)
        for (std::size_t rank = 0; rank < ledger.ranks.size(); ++rank)
            if (ledger.severalThreads[rank])
                std::stable_sort(ledger.ranks[rank].begin(), ledger.ranks[rank].end(),
                                 [](const auto* a, const auto* b) { return a->begin < b->begin; });
    return ledgers;
}

/// How many operations all ranks have.
std::size_t completeOnes(const Ledger& ledger, const std::string& name, std::vector<Diagnosis>& diagnoses) {
    std::size_t least = ledger.ranks.empty() ? 0 : ledger.ranks[0].size();
    std::size_t most = least;
    for (const auto& rank : ledger.ranks) {
        least = std::min(least, rank.size());
        most = std::max(most, rank.size());
    }
    if (least != most)
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
bool agrees(CollectiveInstance instance, bool isInter) {
    if (!isInter && hasRoot(instance[0]->operation) && instance[0]->root >= instance.size()) return false;
    return std::all_of(instance.begin(), instance.end(), [&](const CollectiveRecord* record) {
        return record->operation == instance[0]->operation && (isInter || record->root == instance[0]->root);
    });
}

}  // namespace

std::uint64_t matchCollectives(
    replay::ReplayedTrace& trace, workers::Workers& workers, std::vector<Diagnosis>& diagnoses,
    const std::function<void(CollectiveInstance)>& evaluate,
    const std::function<void(CollectiveInstance, CollectiveInstance)>& evaluateInter) {
    const std::vector<Ledger> ledgers = collect(trace);
    std::uint64_t total = 0;
    std::uint64_t complete = 0;
    for (std::size_t comm = 0; comm < ledgers.size(); ++comm) {
        const Ledger& ledger = ledgers[comm];
        const trace::Comm& definition = trace.definitions.comms[comm];
        const std::size_t count = completeOnes(ledger, definition.name, diagnoses);
        std::vector<std::uint8_t> disagreeing(count, 0);
        constexpr std::size_t kPortion = 256;
        workers.forEach((count + kPortion - 1) / kPortion, [&](std::size_t portion) {
            std::vector<CollectiveRecord*> ranks(ledger.ranks.size());
            for (std::size_t i = portion * kPortion; i < std::min(count, (portion + 1) * kPortion); ++i) {
                for (std::size_t rank = 0; rank < ranks.size(); ++rank) ranks[rank] = ledger.ranks[rank][i];
                if (!agrees(ranks, definition.isInter())) {
                    disagreeing[i] = 1;
                    continue;
                }
                for (CollectiveRecord* record : ranks)
                    record->instance = static_cast<std::uint32_t>(total + i);
                const CollectiveInstance all(ranks);
                if (definition.isInter())
                    evaluateInter(all.first(definition.members.size()),
                                  all.subspan(definition.members.size()));
                else
                    evaluate(all);
            }
        });
        const auto bad = static_cast<std::uint64_t>(std::count(disagreeing.begin(), disagreeing.end(), 1));
        if (bad != 0)
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
    return complete;
}

}  // namespace holos::analyzer::matching
