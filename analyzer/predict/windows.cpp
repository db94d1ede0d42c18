// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/predict/windows.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace holos::analyzer::predict {

namespace {

constexpr std::uint8_t kWaitsForOthers = 1, kOthersWait = 2;

/// By meeting: whether those who come to it are in a collective operation.
std::vector<bool> meetingsOfCollectives(const RunGraph& graph) {
    std::vector<bool> isOne(graph.meetings.size(), false);
    for (const LocationGraph& location : graph.locations)
        for (PackedMarks::Reader mark(location.marks); !mark.isAtEnd(); mark.next())
            if (mark->piece == Piece::Collective)
                for (const Dependency& dependency : mark->dependencies)
                    if (dependency.kind == Dependency::Kind::Meeting) isOne[dependency.position] = true;
    return isOne;
}

/// The marks of the first threads, one after the other, and who is tied by them.
class Ties {
  public:
    Ties(const RunGraph& graph, const trace::Definitions& definitions,
         const std::vector<bool>& isOfCollectives)
        : definitions_(definitions),
          isOfCollectives_(isOfCollectives),
          has_(definitions.processes.size(), 0) {
        for (std::size_t i = 0; i < definitions.processes.size(); ++i) {
            const trace::Process& process = definitions.processes[i];
            if (process.accelerator || process.threads.empty()) continue;
            readers_.emplace_back(graph.locations[process.threads.front().index()].marks);
            processes_.push_back(i);
            queue(readers_.size() - 1);
        }
    }

    /// Calls `visit(time)` for each, with what `has` says then.
    template <class Visit>
    void forEach(Visit&& visit) {
        while (!next_.empty()) {
            const std::size_t at = next_.top().second;
            next_.pop();
            PackedMarks::Reader& mark = readers_[at];
            if (addTies(processes_[at], *mark)) visit(mark->time);
            mark.next();
            queue(at);
        }
    }
    /// By process, of both kinds.
    std::vector<std::uint8_t>& has() { return has_; }

  private:
    void queue(std::size_t at) {
        if (!readers_[at].isAtEnd()) next_.emplace(readers_[at]->time, at);
    }

    bool addTies(std::size_t process, const Mark& mark) {
        bool isAny = false;
        for (const std::uint32_t meeting : mark.arrivals) {
            if (!isOfCollectives_[meeting]) continue;
            add(process, kWaitsForOthers | kOthersWait);
            isAny = true;
        }
        const bool isCollective = mark.piece == Piece::Collective;
        if (!isCollective && mark.piece != Piece::Message) return isAny;
        for (const Dependency& dependency : mark.dependencies) {
            if (dependency.kind == Dependency::Kind::Meeting) {
                add(process, kWaitsForOthers | kOthersWait);
                isAny = true;
                continue;
            }
            const std::size_t other = definitions_.locations[dependency.location].process.index();
            const bool isOfSender = dependency.kind == Dependency::Kind::Progress ||
                                    dependency.kind == Dependency::Kind::Rendezvous;
            if (other == process || isOfSender) continue;
            add(process, isCollective ? kWaitsForOthers | kOthersWait : kWaitsForOthers);
            add(other, isCollective ? kWaitsForOthers | kOthersWait : kOthersWait);
            isAny = true;
        }
        return isAny;
    }
    void add(std::size_t process, unsigned ties) {
        has_[process] = static_cast<std::uint8_t>(has_[process] | ties);
    }

    const trace::Definitions& definitions_;
    const std::vector<bool>& isOfCollectives_;
    std::vector<PackedMarks::Reader> readers_;  ///< by first thread
    std::vector<std::size_t> processes_;        ///< of these
    using Next = std::pair<Ticks, std::size_t>;
    std::priority_queue<Next, std::vector<Next>, std::greater<>> next_;
    std::vector<std::uint8_t> has_;
};

bool isTied(std::uint8_t has, Tie tie) {
    return tie == Tie::Any ? has != 0 : has == (kWaitsForOthers | kOthersWait);
}

}  // namespace

std::vector<Ticks> windowsOf(const RunGraph& graph, const trace::Definitions& definitions, Tie tie) {
    const std::vector<bool> isOfCollectives = meetingsOfCollectives(graph);
    Ties all(graph, definitions, isOfCollectives);
    all.forEach([](Ticks) {});
    std::vector<std::size_t> needed;
    for (std::size_t i = 0; i < all.has().size(); ++i)
        if (isTied(all.has()[i], tie)) needed.push_back(i);

    std::vector<Ticks> times;
    if (needed.size() < 2) return times;
    Ties ties(graph, definitions, isOfCollectives);
    std::size_t missing = 0;  // all before this one of the needed are tied
    ties.forEach([&](Ticks time) {
        while (missing < needed.size() && isTied(ties.has()[needed[missing]], tie)) ++missing;
        if (missing < needed.size()) return;
        times.push_back(time);
        std::ranges::fill(ties.has(), std::uint8_t{0});
        missing = 0;
    });
    return times;
}

}  // namespace holos::analyzer::predict
