// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/predict/work.h"

#include <cmath>

namespace holos::analyzer::predict {

namespace {

class Saving {
  public:
    Saving(const LocationGraph& graph, const replay::PackedSlices& profile, const LocationScales& scales)
        : graph_(graph), slices_(profile.size()), profile_(profile), scales_(scales) {}

    Savings run() {
        result_.work.assign(graph_.marks.size(), 0);
        const auto& marks = graph_.marks;
        for (std::size_t first = 0; first < marks.size();) {
            std::size_t last = first + 1;
            while (last < marks.size() && marks[last].slice == marks[first].slice) ++last;
            const std::uint32_t end = last < marks.size() ? marks[last].slice : slices_;
            share(first, last, savedUpTo(end) - savedInWaits(first, last));
            first = last;
        }
        return std::move(result_);
    }

  private:
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
    Ticks lengthOf(std::size_t mark) const {
        return mark == 0 ? 0 : graph_.marks[mark].time - graph_.marks[mark - 1].time;
    }
    Ticks tasksBefore(std::size_t mark) const {
        return mark == 0 ? 0 : graph_.tasks[static_cast<std::uint32_t>(mark - 1)];
    }

    /// Waiting is timed apart, wherever its time is booked.
    double savedInWaits(std::size_t first, std::size_t last) const {
        double saved = 0;
        for (std::size_t i = first; i < last; ++i) {
            if (graph_.marks[i].piece == Piece::Work) continue;
            saved += static_cast<double>(lengthOf(i) - tasksBefore(i)) *
                     (1 - scales_.of(graph_.marks[i].node.index()));
        }
        return saved;
    }

    /// To the pieces of work that end with these marks, and the tasks in a barrier before them.
    void share(std::size_t first, std::size_t last, double saved) {
        if (std::abs(saved) < 0.5) return;
        double total = static_cast<double>(tasksBefore(first));
        for (std::size_t i = first; i < last; ++i)
            if (graph_.marks[i].piece == Piece::Work) total += static_cast<double>(lengthOf(i));
        if (total <= 0) return;
        saved = std::min(saved, total);
        double passed = 0;
        Ticks given = 0;
        const auto next = [&](Ticks length) {
            passed += static_cast<double>(length);
            const auto all = static_cast<Ticks>(std::llround(saved * (passed / total)));
            return std::exchange(given, all) - all;
        };
        if (const Ticks tasks = tasksBefore(first); tasks > 0) {
            result_.tasks.resize(graph_.marks.size(), 0);
            result_.tasks[first - 1] = -next(tasks);
        }
        for (std::size_t i = first; i < last; ++i)
            if (graph_.marks[i].piece == Piece::Work) result_.work[i] = -next(lengthOf(i));
    }

    const LocationGraph& graph_;
    std::uint32_t slices_;
    replay::PackedSlices::Reader profile_;
    ScaleReader scales_;
    std::uint32_t slice_ = 0;
    Savings result_;
};

}  // namespace

Savings savingsOf(const LocationGraph& graph, const replay::PackedSlices& profile,
                  const LocationScales& scales) {
    return Saving(graph, profile, scales).run();
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
