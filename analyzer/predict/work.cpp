// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/predict/work.h"

#include <cmath>

namespace holos::analyzer::predict {

namespace {

class Saving {
  public:
    Saving(const LocationGraph& graph, const replay::PackedSlices& profile, const LocationScales& scales)
        : mark_(graph.marks), slices_(profile.size()), profile_(profile), scales_(scales) {}

    Savings run() {
        while (!mark_.isAtEnd()) {
            readGroup();
            const std::uint32_t end = mark_.isAtEnd() ? slices_ : mark_->slice;
            share(savedUpTo(end) - savedInWaits());
            for (const Part& part : group_) result_.work.append(part.saved);
        }
        return std::move(result_);
    }

  private:
    /// The piece before a mark.
    struct Part {
        Ticks length;
        Piece piece;
        NodeId node;
        Ticks tasks;  ///< at the mark
        Ticks saved = 0;
    };

    /// The marks of one slice.
    void readGroup() {
        first_ = mark_.position();
        if (!group_.empty()) tasksBefore_ = group_.back().tasks;
        group_.clear();
        const std::uint32_t slice = mark_->slice;
        for (; !mark_.isAtEnd() && mark_->slice == slice; mark_.next()) {
            group_.push_back(
                {mark_.position() == 0 ? 0 : mark_->time - time_, mark_->piece, mark_->node, mark_->tasks});
            time_ = mark_->time;
        }
    }
    double savedUpTo(std::uint32_t end) {
        double saved = 0;
        for (; slice_ < std::min(end, slices_); ++slice_) {
            scales_.moveTo(slice_);
            profile_.visit([&](std::uint32_t node, Ticks ticks) {
                saved += static_cast<double>(ticks) * (1 - scales_.of(node));
            });
        }
        return saved;
    }

    /// Waiting is timed apart, wherever its time is booked.
    double savedInWaits() const {
        double saved = 0;
        Ticks tasks = tasksBefore_;
        for (const Part& part : group_) {
            if (part.piece != Piece::Work)
                saved += static_cast<double>(part.length - tasks) * (1 - scales_.of(part.node.index()));
            tasks = part.tasks;
        }
        return saved;
    }

    /// To the pieces of work that end with these marks, and the tasks in a barrier before them.
    void share(double saved) {
        if (std::abs(saved) < 0.5) return;
        double total = static_cast<double>(tasksBefore_);
        for (const Part& part : group_)
            if (part.piece == Piece::Work) total += static_cast<double>(part.length);
        if (total <= 0) return;
        saved = std::min(saved, total);
        double passed = 0;
        Ticks given = 0;
        const auto next = [&](Ticks length) {
            passed += static_cast<double>(length);
            const auto all = static_cast<Ticks>(std::llround(saved * (passed / total)));
            return std::exchange(given, all) - all;
        };
        if (tasksBefore_ > 0) result_.tasks.add(first_ - 1, -next(tasksBefore_));
        for (Part& part : group_)
            if (part.piece == Piece::Work) part.saved = -next(part.length);
    }

    PackedMarks::Reader mark_;
    std::uint32_t slices_;
    replay::PackedSlices::Reader profile_;
    ScaleReader scales_;
    std::uint32_t slice_ = 0;
    std::vector<Part> group_;
    std::uint32_t first_ = 0;  ///< the position of the group's first mark
    Ticks time_ = 0;           ///< of the last mark that was read
    Ticks tasksBefore_ = 0;    ///< at the last mark before the group
    Savings result_;
};

}  // namespace

Savings savingsOf(const LocationGraph& graph, const replay::PackedSlices& profile,
                  const LocationScales& scales) {
    return Saving(graph, profile, scales).run();
}

LocationScales::Layer keptLacks(const LocationGraph& graph, const replay::PackedSlices& profile,
                                std::vector<bool> isIn) {
    LocationScales::Layer kept{std::move(isIn), {{0, 0}}};
    const auto has = [&kept](NodeId node) {
        return node.index() < kept.isIn.size() && kept.isIn[node.index()];
    };
    auto lack = graph.lackingAside.begin();
    std::uint32_t begin = 0;
    Ticks time = graph.first;
    for (PackedMarks::Reader mark(graph.marks); !mark.isAtEnd() && lack != graph.lackingAside.end();) {
        Ticks timed = 0;  // at marks
        for (const std::uint32_t slice = mark->slice; !mark.isAtEnd() && mark->slice == slice; mark.next()) {
            if (mark->piece != Piece::Work && has(mark->node)) timed += mark->time - time;
            time = mark->time;
        }
        const std::uint32_t end = mark.isAtEnd() ? profile.size() : mark->slice;
        Ticks lacking = 0;
        for (; lack != graph.lackingAside.end() && lack->slice < end; ++lack)
            if (has(lack->node)) lacking += lack->ticks;
        const std::uint32_t first = std::exchange(begin, end);
        if (lacking == 0) continue;
        Ticks all = 0;
        profile.visit(first, end, [&](std::uint32_t node, Ticks ticks) {
            if (has(NodeId(node))) all += ticks;
        });
        if (all <= timed) continue;
        const double part = static_cast<double>(lacking) / static_cast<double>(all - timed);
        kept.spans.push_back({first, std::min(1.0, part)});
        kept.spans.push_back({end, 0});
    }
    return kept;
}

std::vector<double> workOf(const replay::PackedSlices& profile, const LocationScales& scales,
                           const std::vector<bool>& isIn, const std::vector<Segment>& segments) {
    std::vector<double> work(segments.size(), 0);
    replay::PackedSlices::Reader reader(profile);
    ScaleReader scale(scales);
    std::size_t next = 0;
    for (std::uint32_t slice = 0; slice < profile.size(); ++slice) {
        while (next < segments.size() && segments[next].slice <= slice) ++next;
        scale.moveTo(slice);
        reader.visit([&](std::uint32_t node, Ticks ticks) {
            if (next > 0 && node < isIn.size() && isIn[node])
                work[next - 1] += static_cast<double>(ticks) * scale.of(node);
        });
    }
    return work;
}

}  // namespace holos::analyzer::predict
