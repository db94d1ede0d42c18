// SPDX-License-Identifier: BSD-3-Clause
//
// Collective operations: who gets data waits for those who give it; where all get from all, everybody waits
// for the last one. Some wait without need, because the library makes them.
#include "analyzer/predict/graph_builder.h"
#include "analyzer/trace/comm_members.h"

namespace holos::analyzer::predict {

using replay::Collective;
using replay::CollectiveRecord;

namespace {

enum class Flow : std::uint8_t { Together, FromRoot, ToRoot, InOrder, Some };

Flow flowOf(const CollectiveRecord& record) {
    switch (record.operation) {
        case Collective::Bcast:
        case Collective::Scatter:
        case Collective::Scatterv:
            return Flow::FromRoot;
        case Collective::Gather:
        case Collective::Gatherv:
        case Collective::Reduce:
            return Flow::ToRoot;
        case Collective::Scan:
        case Collective::Exscan:
        case Collective::FileTransferInOrder:
            return Flow::InOrder;
        case Collective::Alltoallv:
        case Collective::Alltoallw:
        case Collective::CommCreate:
        case Collective::CommFree:
            return Flow::Some;
        default:
            return Flow::Together;
    }
}

bool isOfFiles(Collective operation) {
    return operation >= Collective::FileOpen;
}

}  // namespace

void GraphBuilder::surveyCollectives() {
    meetingsOf_.resize(marks_.size());
    for (std::uint32_t i = 0; i < marks_.size(); ++i) {
        const auto& records = trace(i).messages.collectives;
        meetingsOf_[i].assign(records.size(), kNone);
        for (std::uint32_t j = 0; j < records.size(); ++j) surveyCollective(i, j);
    }
}

void GraphBuilder::surveyCollective(std::uint32_t location, std::uint32_t position) {
    const std::uint32_t instance = run_.matches.collectives.instanceOf[location][position];
    if (instance == kNone) return;
    if (operations_.size() <= instance) operations_.resize(instance + 1);
    const CollectiveRecord& record = trace(location).messages.collectives[position];
    Operation& operation = operations_[instance];
    ++operation.parts;
    operation.comm = record.comm;
    operation.operation = record.operation;
    operation.earliestEnd = std::min(operation.earliestEnd, record.end);
    operation.latestBegin = std::max(operation.latestBegin, record.begin);
    const trace::Definitions& definitions = run_.trace.definitions;
    const auto& members = definitions.comms[record.comm].members;
    if (record.root < members.size() &&
        definitions[members[record.root]].process == definitions.locations[location].process)
        operation.root = enterOf(record.beginLocation, record.beginCall);
    else
        operation.latestOther = std::max(operation.latestOther, record.begin);
}

bool GraphBuilder::isRoot(const Operation& operation, const CollectiveRecord& record) const {
    const Place begin = enterOf(record.beginLocation, record.beginCall);
    return begin.location == operation.root.location && begin.mark == operation.root.mark;
}

/// Who needs the root has it where its call begins; so has who is asked whether it waits for all.
CollectiveHabits::Stay GraphBuilder::stayOf(std::uint32_t location, std::uint32_t position,
                                            CollectiveHabits::Whom whom) const {
    const CollectiveRecord& record = trace(location).messages.collectives[position];
    const Operation& operation = operations_[run_.matches.collectives.instanceOf[location][position]];
    CollectiveHabits::Stay stay{.operation = record.operation,
                                .isRoot = isRoot(operation, record),
                                .whom = whom,
                                .bytes = std::max(record.sent, record.received),
                                .begin = record.begin,
                                .end = record.end,
                                .came = operation.latestOther};
    if (!operation.root.isKnown()) return stay;
    if (whom == CollectiveHabits::Whom::Root)
        stay.came = timeOf(operation.root);
    else
        stay.begin = std::max(stay.begin, timeOf(operation.root));
    return stay;
}

bool GraphBuilder::isOneWay(const CollectiveRecord& record) {
    return flowOf(record) == Flow::FromRoot || flowOf(record) == Flow::ToRoot;
}

bool GraphBuilder::isFromRoot(const CollectiveRecord& record) {
    return flowOf(record) == Flow::FromRoot;
}

bool GraphBuilder::isBlocking(std::uint32_t location, std::uint32_t position) const {
    const CollectiveRecord& record = trace(location).messages.collectives[position];
    return record.beginLocation == location && record.beginCall == record.call;
}

/// Operations that are only begun say nothing: their members go on meanwhile.
void GraphBuilder::learnHabits() {
    for (std::uint32_t i = 0; i < marks_.size(); ++i) {
        const auto& records = trace(i).messages.collectives;
        for (std::uint32_t j = 0; j < records.size(); ++j) {
            if (!isOneWay(records[j]) || run_.matches.collectives.instanceOf[i][j] == kNone) continue;
            if (!isBlocking(i, j)) continue;
            habits_.learn(stayOf(i, j, CollectiveHabits::Whom::All));
            if (!isFromRoot(records[j])) habits_.learn(stayOf(i, j, CollectiveHabits::Whom::Root));
        }
    }
}

/// Of scans each rank has a meeting of its own, which the next one waits for, too.
void GraphBuilder::arriveAtCollectives() {
    trace::Ranks ranks(run_.trace.definitions);
    for (Operation& operation : operations_) {
        if (operation.parts == 0 || run_.trace.definitions.comms[operation.comm].isInter()) continue;
        operation.meeting = newMeeting();
        CollectiveRecord record;
        record.operation = operation.operation;
        if (flowOf(record) != Flow::InOrder) continue;
        const std::size_t size = run_.trace.definitions.comms[operation.comm].members.size();
        for (std::size_t rank = 1; rank < size; ++rank) {
            const std::uint32_t next = newMeeting();
            graph_.meetings[next - 1].next = next;
            ++graph_.meetings[next].arrivals;
        }
    }
    for (std::uint32_t i = 0; i < marks_.size(); ++i) {
        const auto& records = trace(i).messages.collectives;
        for (std::uint32_t j = 0; j < records.size(); ++j) {
            const std::uint32_t instance = run_.matches.collectives.instanceOf[i][j];
            if (instance == kNone || operations_[instance].meeting == kNone) continue;
            std::uint32_t meeting = operations_[instance].meeting;
            if (flowOf(records[j]) == Flow::InOrder)
                meeting += static_cast<std::uint32_t>(ranks.of(records[j].comm, trace::LocationId(i)));
            arrive(meeting, enterOf(records[j].beginLocation, records[j].beginCall));
            meetingsOf_[i][j] = meeting;
        }
    }
}

/// When those came whom meetings wait for by way of others, which stand before them.
void GraphBuilder::passOn() {
    for (std::size_t i = 0; i < graph_.meetings.size(); ++i)
        if (const std::uint32_t next = graph_.meetings[i].next; next != kNone)
            latest_[next] = std::max(latest_[next], latest_[i]);
}

void GraphBuilder::addCollectives(std::uint32_t location) {
    const auto& records = trace(location).messages.collectives;
    for (std::uint32_t i = 0; i < records.size(); ++i) addCollective(location, i);
}

void GraphBuilder::addCollective(std::uint32_t location, std::uint32_t position) {
    const CollectiveRecord& record = trace(location).messages.collectives[position];
    const std::uint32_t end = leaveOf(location, record.call);
    const std::uint32_t instance = run_.matches.collectives.instanceOf[location][position];
    if (end == kNone || instance == kNone) return;
    const Operation& operation = operations_[instance];
    marks_[location].kept[end].piece = isOfFiles(record.operation) ? Piece::Apart : Piece::Collective;
    local_[location].exchanges.emplace_back(
        end, Exchange{record.operation, operation.parts, std::max(record.sent, record.received)});
    const std::uint32_t meeting = meetingsOf_[location][position];
    using Whom = CollectiveHabits::Whom;
    const bool isOfRoot = isRoot(operation, record);
    const Flow flow = operation.meeting == kNone ? Flow::Some : flowOf(record);
    switch (flow) {
        case Flow::Together:
            return dependOnMeeting(location, end, meeting);
        case Flow::FromRoot:
            if (!isOfRoot) depend(location, end, operation.root);
            if (dependInTree(location, position, end)) return;
            if (habits_.waits(stayOf(location, position, Whom::All))) dependOnMeeting(location, end, meeting);
            return;
        case Flow::ToRoot:
            if (!isOfRoot && dependInTree(location, position, end)) {
                if (habits_.waits(stayOf(location, position, Whom::Root)))
                    depend(location, end, operation.root);
                return;
            }
            if (isOfRoot || habits_.waits(stayOf(location, position, Whom::All)))
                dependOnMeeting(location, end, meeting);
            else if (habits_.waits(stayOf(location, position, Whom::Root)))
                depend(location, end, operation.root);
            return;
        case Flow::InOrder:
            return dependOnMeeting(location, end, meeting);
        case Flow::Some:
            break;
    }
    const bool isOfNeighbours =
        trace(record.beginLocation).messages.calls[record.beginCall].kind == trace::CallKind::Neighbours;
    if (meeting != kNone && operation.isTogether() && !isOfNeighbours)
        return dependOnMeeting(location, end, meeting);
    const replay::RecordRef awaited = run_.waits[location].collectives[position].awaited;
    if (!awaited.isKnown()) return;
    const CollectiveRecord& other = trace(awaited.location).messages.collectives[awaited.position];
    depend(location, end, enterOf(other.beginLocation, other.beginCall));
}

/// MPI_Init and MPI_Finalize bring all of a world together, unless somebody left before the last one came.
void GraphBuilder::addStartups() {
    const trace::Worlds worlds(run_.trace.definitions);
    const auto add = [&](std::uint32_t RecordMarks::*enter, std::uint32_t RecordMarks::*leave) {
        std::vector<std::uint32_t> meetings(worlds.count(), kNone);
        const auto meetingOf = [&](std::uint32_t location) -> std::uint32_t& {
            return meetings[worlds.of(trace::LocationId(location))];
        };
        for (std::uint32_t i = 0; i < marks_.size(); ++i)
            if (marksOf(i).*enter != kNone) {
                if (meetingOf(i) == kNone) meetingOf(i) = newMeeting();
                arrive(meetingOf(i), {i, marksOf(i).*enter});
            }
        for (std::uint32_t i = 0; i < marks_.size(); ++i)
            if (const std::uint32_t end = marksOf(i).*leave;
                end != kNone && latest_[meetingOf(i)] <= timeOf({i, end}))
                dependOnMeeting(i, end, meetingOf(i));
    };
    add(&RecordMarks::initEnter, &RecordMarks::initLeave);
    add(&RecordMarks::finalizeEnter, &RecordMarks::finalizeLeave);
}

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
