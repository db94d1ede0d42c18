// SPDX-License-Identifier: BSD-3-Clause
//
// Trees in collective operations: data comes from the root by way of others, or goes to it that way. Who they
// are depends on the library, and is learned from the run.
//
//     root    ──┤ Bcast ├────────────────
//     parent  ──────────────┤ Bcast ├────       it passes on what it has once it comes
//     child   ──────┤ Bcast ·········├───
//
#include "analyzer/predict/graph_builder.h"
#include "analyzer/trace/ranks.h"

namespace holos::analyzer::predict {

using replay::CollectiveRecord;

/// Of operations with a root of which all members are known, and more than two.
void GraphBuilder::surveyMembers() {
    trace::Ranks ranks(run_.trace.definitions);
    for (std::uint32_t i = 0; i < marks_.size(); ++i) {
        const auto& records = trace(i).messages.collectives;
        memberOf_[i].assign(records.size(), kNone);
        for (std::uint32_t j = 0; j < records.size(); ++j) {
            const std::uint32_t instance = run_.matches.collectives.instanceOf[i][j];
            if (instance == kNone || !isOneWay(records[j])) continue;
            Operation& operation = operations_[instance];
            const auto size =
                static_cast<std::uint32_t>(run_.trace.definitions.comms[operation.comm].members.size());
            if (size <= 2 || operation.parts != size || !operation.root.isKnown() ||
                operation.meeting == kNone)
                continue;
            if (operation.members == kNone) {
                operation.members = static_cast<std::uint32_t>(members_.size());
                members_.resize(members_.size() + size);
            }
            const std::size_t rank = ranks.of(records[j].comm, trace::LocationId(i));
            if (rank >= size) continue;
            const auto member = static_cast<std::uint32_t>((rank + size - records[j].root % size) % size);
            memberOf_[i][j] = member;
            members_[operation.members + member] = enterOf(records[j].beginLocation, records[j].beginCall);
        }
    }
}

/// Calls `visit` for those between a member and the root.
template <class Visit>
void GraphBuilder::forEachAbove(const Operation& operation, Tree tree, std::uint32_t member,
                                Visit&& visit) const {
    for (std::uint32_t at = member; at != 0;) {
        at = parentIn(tree, at);
        if (at != 0) visit(members_[operation.members + at]);
    }
}

/// When the last one came of whom each member needs in a tree: `kNever` where it needs nobody but the root.
std::vector<Ticks> GraphBuilder::arrivalsIn(const Operation& operation, Tree tree, bool fromRoot) const {
    std::vector<Ticks> last(operation.parts, kNever);
    if (fromRoot) {
        for (std::uint32_t member = 1; member < operation.parts; ++member)
            if (const std::uint32_t parent = parentIn(tree, member); parent != 0)
                last[member] = std::max(last[parent], timeOf(members_[operation.members + parent]));
        return last;
    }
    for (std::uint32_t member = operation.parts - 1; member != 0; --member) {
        const Ticks came = timeOf(members_[operation.members + member]);
        Ticks& above = last[parentIn(tree, member)];
        above = std::max({above, came, last[member]});
    }
    return last;
}

void GraphBuilder::learnTrees() {
    std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> records(operations_.size());
    for (std::uint32_t i = 0; i < marks_.size(); ++i)
        for (std::uint32_t j = 0; j < memberOf_[i].size(); ++j)
            if (memberOf_[i][j] != kNone)
                records[run_.matches.collectives.instanceOf[i][j]].emplace_back(i, j);
    for (std::size_t instance = 0; instance < operations_.size(); ++instance) {
        const Operation& operation = operations_[instance];
        if (records[instance].empty()) continue;
        for (const Tree tree : kTrees) {
            const auto& [first, at] = records[instance].front();
            const std::vector<Ticks> last =
                arrivalsIn(operation, tree, isFromRoot(trace(first).messages.collectives[at]));
            for (const auto& [i, j] : records[instance]) {
                const Ticks came = last[memberOf_[i][j]];
                if (memberOf_[i][j] == 0 || came == kNever || !isBlocking(i, j)) continue;
                CollectiveHabits::Stay stay = stayOf(i, j, CollectiveHabits::Whom::All);
                stay.came = came;
                habits_.learn(stay, tree);
            }
        }
    }
    for (std::size_t instance = 0; instance < operations_.size(); ++instance) {
        if (records[instance].empty()) continue;
        const auto& [i, j] = records[instance].front();
        const CollectiveRecord& record = trace(i).messages.collectives[j];
        Operation& operation = operations_[instance];
        operation.tree = habits_.treeOf(record.operation, std::max(record.sent, record.received));
        if (operation.tree && !isFromRoot(record)) meetInTree(operation);
    }
}

/// Where data goes to the root, each member waits for all that it passes on: they meet, and then count for
/// the meeting above.
void GraphBuilder::meetInTree(Operation& operation) {
    operation.subtrees = static_cast<std::uint32_t>(graph_.meetings.size());
    const std::uint32_t parts = operation.parts;
    for (std::uint32_t member = 0; member < parts; ++member) newMeeting();
    // Meetings below stand before those above.
    const auto meeting = [&](std::uint32_t member) { return operation.subtrees + parts - 1 - member; };
    for (std::uint32_t member = parts - 1; member != 0; --member) {
        arrive(meeting(member), members_[operation.members + member]);
        const std::uint32_t above = meeting(parentIn(*operation.tree, member));
        graph_.meetings[meeting(member)].next = above;
        ++graph_.meetings[above].arrivals;
    }
}

/// Whether that is known. What the recorded times exclude this time is left out.
bool GraphBuilder::dependInTree(std::uint32_t location, std::uint32_t position, std::uint32_t end) {
    const CollectiveRecord& record = trace(location).messages.collectives[position];
    const Operation& operation = operations_[run_.matches.collectives.instanceOf[location][position]];
    const std::uint32_t member = memberOf_[location][position];
    if (!operation.tree || member == kNone || member == 0) return false;
    if (isFromRoot(record)) {
        forEachAbove(operation, *operation.tree, member, [&](Place above) {
            if (timeOf(above) <= timeOf({location, end})) depend(location, end, above);
        });
        return true;
    }
    const std::uint32_t meeting = operation.subtrees + operation.parts - 1 - member;
    if (graph_.meetings[meeting].arrivals > 1 && latest_[meeting] <= timeOf({location, end}))
        dependOnMeeting(location, end, meeting);
    return true;
}

}  // namespace holos::analyzer::predict
