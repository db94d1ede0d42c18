// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/timeline/timeline_rows.h"

#include <algorithm>
#include <numeric>

namespace holos::gui {

namespace {

/// In the order of ends, calls stand just before the one that contains them.
std::vector<bool> leavesOf(const std::vector<trace::Span>& spans) {
    std::vector<bool> leaves(spans.size(), true);
    for (std::size_t at = 1; at < spans.size(); ++at)
        leaves[at] = spans[at - 1].depth <= spans[at].depth || spans[at - 1].begin < spans[at].begin;
    return leaves;
}

}  // namespace

TimelineRows::TimelineRows(TimelinePtr picture, const CallsInPart& part)
    : picture_(std::move(picture)), part_(part), calls_(picture_->rows.size()) {}

const TimelineRows::Calls& TimelineRows::calls(std::size_t at) const {
    if (calls_[at]) return *calls_[at];
    const std::vector<trace::Span>& spans = picture_->rows[at].excerpt.spans;
    Calls found;
    found.leaves = leavesOf(spans);
    found.belongs = part_.of(spans);
    found.fromOutside.resize(spans.size());
    std::iota(found.fromOutside.begin(), found.fromOutside.end(), std::size_t{0});
    std::stable_sort(found.fromOutside.begin(), found.fromOutside.end(),
                     [&spans](std::size_t a, std::size_t b) { return spans[a].depth < spans[b].depth; });
    return calls_[at].emplace(std::move(found));
}

}  // namespace holos::gui
