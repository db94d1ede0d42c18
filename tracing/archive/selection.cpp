// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstring>

#include "metric-specs/error.h"
#include "tracing/archive/plan.h"

namespace holos::archive {
namespace {

/// More ranks than any machine runs are a damaged number.
constexpr std::uint32_t kMostRanks = 1u << 24;

using Processes = std::vector<const RecordedProcess*>;

std::string describe(const RecordedProcess& process) {
    return process.executable + " (process " + std::to_string(process.pid) + " on " + process.host + ')';
}

Processes byRank(const Processes& all, std::vector<std::string>& notes) {
    std::uint32_t size = 0;
    for (const auto* one : all) size = std::max(size, one->world->size);
    Processes ranks(size, nullptr);
    for (const auto* one : all) {
        const std::uint32_t rank = one->world->rank;
        if (rank >= size || ranks[rank] != nullptr)
            notes.push_back(describe(*one) + " is another rank " + std::to_string(rank) +
                            " and was left out: record one MPI job at a time");
        else
            ranks[rank] = one;
    }
    for (std::uint32_t rank = 0; rank < size; ++rank)
        if (ranks[rank] == nullptr) notes.push_back("rank " + std::to_string(rank) + " left no recording");
    return ranks;
}

void noteEnd(const RecordedProcess& process, std::uint32_t rank, std::vector<std::string>& notes) {
    const std::string who = "process " + std::to_string(rank);
    if (process.status.ended == 0 && !process.replaced)
        notes.push_back(who +
                        " did not end in order: its open regions end with the last event of its threads");
    if (process.status.failure != 0)
        notes.push_back(who + " could not record to its end: " +
                        std::string(std::strerror(static_cast<int>(process.status.failure))));
    if (process.status.lostEvents != 0)
        notes.push_back(who + " lost " + std::to_string(process.status.lostEvents) + " events");
    if (const auto children = process.status.unrecordedChildren; children == 1)
        notes.push_back("a child that " + who + " forked was not recorded");
    else if (children != 0)
        notes.push_back(std::to_string(children) + " children that " + who + " forked were not recorded");
    for (const auto& trouble : process.troubles) notes.push_back(who + ": " + trouble);
    if (!process.damage.empty()) notes.push_back(who + ": " + process.damage);
}

}  // namespace

Processes selectProcesses(const std::vector<RecordedProcess>& all, std::vector<std::string>& notes) {
    Processes chosen;
    for (const auto& one : all)
        if (one.world && one.world->size <= kMostRanks && !one.syncs.empty()) chosen.push_back(&one);
    if (!chosen.empty()) {
        chosen = byRank(chosen, notes);
    } else {
        for (const auto& one : all)
            if (one.hasEvents() && !one.syncs.empty()) chosen.push_back(&one);
        for (const auto& one : all)
            if (chosen.empty() && !one.replaced && !one.syncs.empty()) chosen.push_back(&one);
    }
    if (chosen.empty())
        throw Error(
            "nothing was recorded: the launcher or the program ended before the program began, or the "
            "program "
            "did not load the recorder (is it statically linked, or built with -fsanitize=thread?)");
    for (std::uint32_t rank = 0; rank < chosen.size(); ++rank)
        if (chosen[rank] != nullptr) noteEnd(*chosen[rank], rank, notes);
    return chosen;
}

}  // namespace holos::archive
