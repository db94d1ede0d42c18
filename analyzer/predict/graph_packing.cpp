// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/predict/graph_packing.h"

#include "analyzer/predict/merge_runs.h"

namespace holos::analyzer::predict {

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
                    packer.append(mark);
                    local_.dependencies += mark.dependencies.size();
                    if (!isAny) graph.first = mark.time;
                    graph.last = mark.time;
                    if (mark.isAwaited) ++graph.awaited;
                    isAny = true;
                });
    graph.marks = packer.take();
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
