// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/predict/graph_builder.h"

#include <bit>

#include "analyzer/predict/marks.h"
#include "analyzer/predict/timing.h"

namespace holos::analyzer::predict {

/// Who stays for longer after the others have come than it was there before may have been kept by something
/// else.
std::optional<bool> CollectiveHabits::shownBy(const Stay& stay) {
    if (stay.end < stay.came) return false;
    if (stay.came > stay.begin && stay.end - stay.came < stay.came - stay.begin) return true;
    return std::nullopt;
}

void CollectiveHabits::count(const Stay& stay, Seen& seen) {
    if (const std::optional<bool> shown = shownBy(stay)) ++(*shown ? seen.stayed : seen.left);
}

void CollectiveHabits::learn(const Stay& stay) {
    count(stay, seen_[roleOf(stay)][static_cast<std::size_t>(std::bit_width(stay.bytes))]);
}

void CollectiveHabits::learn(const Stay& stay, Tree tree) {
    count(stay, seenInTrees_[{stay.operation, tree}][static_cast<std::size_t>(std::bit_width(stay.bytes))]);
}

/// What is known of the nearest size.
CollectiveHabits::Seen CollectiveHabits::nearest(const BySize& seen, std::uint64_t bytes) {
    const auto size = static_cast<std::size_t>(std::bit_width(bytes));
    Seen near;
    for (std::size_t distance = 0; distance < kSizes && !near.isAny(); ++distance)
        for (const std::size_t at : {size - distance, size + distance}) {
            if (at >= kSizes || (distance == 0 && near.isAny())) continue;
            near.stayed += seen[at].stayed;
            near.left += seen[at].left;
        }
    return near;
}

bool CollectiveHabits::waits(const Stay& stay) const {
    if (const std::optional<bool> shown = shownBy(stay)) return *shown;
    const auto known = seen_.find(roleOf(stay));
    if (known == seen_.end()) return false;
    const Seen near = nearest(known->second, stay.bytes);
    return near.stayed > near.left;
}

std::optional<Tree> CollectiveHabits::treeOf(replay::Collective operation, std::uint64_t bytes) const {
    constexpr std::uint64_t kEnough = 3;
    constexpr std::uint64_t kRare = 20;
    const auto isClear = [&](const Seen& seen) {
        return seen.stayed >= kEnough && seen.left * kRare <= seen.stayed + seen.left;
    };
    if (const auto all = seen_.find({operation, false, Whom::All}); all != seen_.end())
        if (isClear(nearest(all->second, bytes))) return std::nullopt;
    std::optional<Tree> best;
    std::uint64_t most = 0;
    for (const Tree tree : kTrees) {
        const auto known = seenInTrees_.find({operation, tree});
        if (known == seenInTrees_.end()) continue;
        const Seen near = nearest(known->second, bytes);
        if (!isClear(near) || near.stayed <= most) continue;
        best = tree;
        most = near.stayed;
    }
    return best;
}

/// Puts the marks of one location together, when all is known that they depend on.
class GraphBuilder::Packing {
  public:
    Packing(GraphBuilder& builder, std::uint32_t location);
    LocationGraph run();

  private:
    void add(const Note& note, Mark& mark);
    void addKept(Mark& mark);
    Ticks lackingIn(const Note& note, Piece piece);
    void depend(Mark& mark, Dependency on);

    GraphBuilder& builder_;
    std::uint32_t location_;
    Local& local_;
    const std::vector<KeptMark>& kept_;
    std::vector<std::uint32_t> stays_;     ///< by stay: its team
    std::vector<std::uint32_t> barriers_;  ///< by barrier: its meeting
    TicksAtMarks tasks_;                   ///< by barrier
    std::vector<Lack> lacks_;              ///< by slice; what a mark has is none any more
    std::uint32_t next_ = 0;               ///< the kept mark that comes next
    std::size_t waiting_ = 0;              ///< and what is of it
    std::size_t arrival_ = 0;
    std::size_t exchange_ = 0;
};

GraphBuilder::GraphBuilder(const patterns::JudgedTrace& run, const replay::ReplayedCalls& calls,
                           const Network& network, workers::Workers& workers)
    : run_(run),
      calls_(calls),
      network_(network),
      workers_(workers),
      marks_(run.trace.locations.size()),
      awaited_(recordsByLocation<Ticks>(run.trace.locations.size(), heap())),
      local_(run.trace.locations.size()),
      memberOf_(run.trace.locations.size()) {}

/// Of its process, so that it starts by itself.
bool GraphBuilder::isFirst(std::size_t location) const {
    const trace::Definitions& definitions = run_.trace.definitions;
    const trace::LocationId id(location);
    return definitions[definitions[id].process].threads.front() == id;
}

RunGraph GraphBuilder::build(const std::function<void(std::size_t)>& forget) {
    workers_.forEach(marks_.size(), [&](std::size_t i) {
        marks_[i] = predict::marksOf(run_.trace.locations[i], run_.waits[i], isFirst(i));
    });
    surveyCollectives();
    arriveAtCollectives();
    surveyMembers();
    learnHabits();
    learnTrees();
    passOn();
    addStartups();
    addTeams();
    addThreads();
    workers_.forEach(marks_.size(), [&](std::size_t i) {
        const auto location = static_cast<std::uint32_t>(i);
        addMessages(location);
        addCollectives(location);
    });
    addLocks();
    addOneSided();
    numberAwaited();
    graph_.locations.resize(marks_.size());
    workers_.forEach(marks_.size(), [&](std::size_t i) {
        graph_.locations[i] = Packing(*this, static_cast<std::uint32_t>(i)).run();
        marks_[i] = {};
        forget(i);
    });
    for (const Local& local : local_) {
        graph_.dependencies += local.dependencies;
        graph_.omissions.contradicted += local.contradicted;
        graph_.omissions.inVain += local.inVain;
        graph_.omissions.unmatched += local.unmatched;
    }
    return std::move(graph_);
}

GraphBuilder::Place GraphBuilder::enterOf(std::uint32_t location, std::uint32_t call) const {
    if (location == kNone || call == kNone) return {};
    return {location, marksOf(location).callEnters[call]};
}

std::uint32_t GraphBuilder::leaveOf(std::uint32_t location, std::uint32_t call) const {
    return call == kNone ? kNone : marksOf(location).callLeaves[call];
}

void GraphBuilder::depend(std::uint32_t location, std::uint32_t mark, Place on, const How& how) {
    if (mark == kNone || !on.isKnown()) return;
    if (on.location == location && on.mark >= mark) return;
    Local& local = local_[location];
    if (timeOf(on) + how.travel.lag > timeOf({location, mark})) {
        ++local.contradicted;
        return;
    }
    std::uint32_t travel = kNone;
    if (how.travel.lag != 0 || how.travel.bytes != 0) {
        travel = static_cast<std::uint32_t>(local.travels.size());
        local.travels.push_back(how.travel);
    }
    local.waiting.push_back({mark, on.location, on.mark, travel, how.kind});
}

void GraphBuilder::dependOnMeeting(std::uint32_t location, std::uint32_t mark, std::uint32_t meeting) {
    if (mark == kNone || meeting == kNone) return;
    Local& local = local_[location];
    if (latest_[meeting] > timeOf({location, mark}))
        ++local.contradicted;
    else
        local.waiting.push_back({mark, kNone, meeting, kNone, Dependency::Kind::Meeting});
}

void GraphBuilder::arrive(std::uint32_t meeting, Place at) {
    if (!at.isKnown()) return;
    arriveAt(meeting, timeOf(at));
    local_[at.location].arrivals.push_back({at.mark, meeting});
}

void GraphBuilder::arriveAt(std::uint32_t meeting, Ticks time) {
    latest_[meeting] = std::max(latest_[meeting], time);
    ++graph_.meetings[meeting].arrivals;
}

std::uint32_t GraphBuilder::newMeeting() {
    graph_.meetings.emplace_back();
    latest_.push_back(std::numeric_limits<Ticks>::min());
    return static_cast<std::uint32_t>(graph_.meetings.size() - 1);
}

Dependency GraphBuilder::dependencyOf(std::uint32_t location, const Waiting& waiting) const {
    Dependency on;
    on.kind = waiting.kind;
    on.location = waiting.location;
    on.position = waiting.position;
    if (waiting.travel != kNone) on.travel = local_[location].travels[waiting.travel];
    const Ticks came =
        on.kind == Dependency::Kind::Meeting ? latest_[on.position] : awaited_[on.location][on.position];
    on.slack = timeOf({location, waiting.mark}) - came - on.travel.lag;
    return on;
}

/// What depends on kept marks knows them from now on by their number among the awaited ones.
void GraphBuilder::numberAwaited() {
    for (const Local& local : local_)
        for (const Waiting& waiting : local.waiting)
            if (waiting.kind != Dependency::Kind::Meeting)
                marks_[waiting.location].kept[waiting.position].isAwaited = true;
    for (std::size_t i = 0; i < marks_.size(); ++i)
        for (KeptMark& mark : marks_[i].kept) {
            if (!mark.isAwaited) continue;
            mark.number = static_cast<std::uint32_t>(awaited_[i].size());
            awaited_[i].push_back(mark.time);
        }
    for (Local& local : local_)
        for (Waiting& waiting : local.waiting)
            if (waiting.kind != Dependency::Kind::Meeting)
                waiting.position = marks_[waiting.location].kept[waiting.position].number;
    for (Team& each : teams_)
        if (each.fork.isKnown()) each.fork.mark = marks_[each.fork.location].kept[each.fork.mark].number;
}

GraphBuilder::Packing::Packing(GraphBuilder& builder, std::uint32_t location)
    : builder_(builder),
      location_(location),
      local_(builder.local_[location]),
      kept_(builder.marks_[location].kept) {
    builder.dependOnJoins(location);
    const replay::ThreadRecords& threads = builder.trace(location).threads;
    stays_.reserve(threads.parallels.size());
    for (const replay::ParallelRecord& stay : threads.parallels)
        stays_.push_back(builder.teamNumber(stay.team));
    barriers_.reserve(threads.barriers.size());
    for (const replay::BarrierRecord& barrier : threads.barriers) {
        if (const Ticks tasks = tasksOf(barrier); tasks != 0)
            tasks_.add(static_cast<std::uint32_t>(barriers_.size()), tasks);
        barriers_.push_back(builder.team(barrier.team).meetings + barrier.sequence);
    }
    const patterns::LocationWaits& waits = builder.run_.waits[location];
    for (const auto* shortages : {&waits.shortages, &waits.shortagesOfPolls})
        for (const patterns::Shortage& shortage : *shortages)
            lacks_.push_back({shortage.slice, shortage.node, shortage.ticks});
    std::ranges::stable_sort(lacks_, {}, &Lack::slice);
    const auto byMark = [](const auto& a, const auto& b) { return a.mark < b.mark; };
    mergeRuns(local_.waiting, byMark);
    mergeRuns(local_.arrivals, byMark);
    mergeRuns(local_.exchanges, [](const auto& a, const auto& b) { return a.first < b.first; });
}

LocationGraph GraphBuilder::Packing::run() {
    LocationGraph graph;
    MarkPacker packer;
    Mark mark;
    bool isAny = false;
    std::uint32_t position = 0;
    forEachMark(builder_.trace(location_), builder_.run_.waits[location_], builder_.isFirst(location_),
                [&](const Note& note, std::uint32_t slice) {
                    const Ticks time = isAny ? std::max(note.time, graph.last) : note.time;
                    mark.time = time;
                    mark.slice = slice;
                    mark.piece = note.piece;
                    mark.node = note.node;
                    mark.isAwaited = false;
                    mark.tasks = 0;
                    mark.dependencies.clear();
                    mark.arrivals.clear();
                    mark.exchange.reset();
                    add(note, mark);
                    if (const Ticks lacking = lackingIn(note, mark.piece); lacking != 0)
                        graph.lacking.add(position, lacking);
                    packer.append(mark);
                    ++position;
                    local_.dependencies += mark.dependencies.size();
                    if (!isAny) graph.first = mark.time;
                    graph.last = mark.time;
                    if (mark.isAwaited) ++graph.awaited;
                    isAny = true;
                });
    graph.marks = packer.take();
    graph.together = builder_.together_[location_];
    std::erase_if(lacks_, [](const Lack& lack) { return lack.ticks == 0; });
    graph.lackingAside = std::move(lacks_);
    local_.waiting = {};
    local_.travels = {};
    local_.arrivals = {};
    local_.exchanges = {};
    return graph;
}

void GraphBuilder::Packing::add(const Note& note, Mark& mark) {
    switch (note.source) {
        case Source::Begin:
            return;
        case Source::Kept:
            return addKept(mark);
        case Source::StayEnter:
            if (const Team& team = builder_.teams_[stays_[note.record]]; builder_.isForked(team, location_))
                depend(mark, {Dependency::Kind::Mark,
                              team.fork.location,
                              team.fork.mark,
                              mark.time - builder_.awaited_[team.fork.location][team.fork.mark],
                              {}});
            return;
        case Source::StayLeave:
            if (const Team& team = builder_.teams_[stays_[note.record]];
                builder_.isJoined(team, location_, note.time))
                mark.arrivals.push_back(team.joining());
            return;
        case Source::BarrierEnter:
            mark.tasks = tasks_[note.record];
            mark.arrivals.push_back(barriers_[note.record]);
            return;
        case Source::BarrierLeave:
            return depend(mark, {Dependency::Kind::Meeting,
                                 kNone,
                                 barriers_[note.record],
                                 mark.time - builder_.latest_[barriers_[note.record]],
                                 {}});
    }
}

/// Of the call of MPI that ends there.
Ticks GraphBuilder::Packing::lackingIn(const Note& note, Piece piece) {
    const bool isOfMpi = piece == Piece::Message || piece == Piece::Collective;
    if (!isOfMpi || note.phase != Phase::Ends) return 0;
    const auto lack = std::ranges::lower_bound(lacks_, note.slice, {}, &Lack::slice);
    return lack != lacks_.end() && lack->slice == note.slice ? std::exchange(lack->ticks, 0) : 0;
}

void GraphBuilder::Packing::addKept(Mark& mark) {
    const KeptMark& kept = kept_[next_];
    mark.piece = kept.piece;
    mark.isAwaited = kept.isAwaited;
    for (; waiting_ < local_.waiting.size() && local_.waiting[waiting_].mark == next_; ++waiting_)
        depend(mark, builder_.dependencyOf(location_, local_.waiting[waiting_]));
    for (; arrival_ < local_.arrivals.size() && local_.arrivals[arrival_].mark == next_; ++arrival_)
        mark.arrivals.push_back(local_.arrivals[arrival_].meeting);
    for (; exchange_ < local_.exchanges.size() && local_.exchanges[exchange_].first == next_; ++exchange_)
        if (!mark.exchange) mark.exchange = local_.exchanges[exchange_].second;
    ++next_;
}

/// Left out where the recorded times exclude it.
void GraphBuilder::Packing::depend(Mark& mark, Dependency on) {
    if (on.slack < 0) {
        ++local_.contradicted;
        return;
    }
    mark.dependencies.push_back(on);
}

}  // namespace holos::analyzer::predict
