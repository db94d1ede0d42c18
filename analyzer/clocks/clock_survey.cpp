// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/clocks/clock_survey.h"

namespace holos::analyzer::clocks {

using replay::ClockRole;

void ClockSurvey::note(const replay::ClockEvent& event) {
    if (event.role == ClockRole::CollectiveEnd) close(openCollectives_, event.record);
    if (event.role == ClockRole::BarrierLeave) close(openBarriers_, event.record);
    if (event.role == ClockRole::EpochEnd) close(openEpochCalls_, event.record);
    if (event.role == ClockRole::CollectiveBegin && event.record == replay::kNone)
        openCollectives_.push_back(points_.list.size());
    if (event.role == ClockRole::BarrierEnter) openBarriers_.push_back(points_.list.size());
    if (event.role == ClockRole::EpochBegin) openEpochCalls_.push_back(points_.list.size());
    points_.list.push_back({event_, steps_.now(), rise_, floor_, event});
    rise_ = 0;
    floor_ = kNever;
}

void ClockSurvey::close(std::vector<std::size_t>& open, std::uint32_t record) {
    if (open.empty()) return;
    points_.list[open.back()].part.record = record;
    open.pop_back();
}

}  // namespace holos::analyzer::clocks
