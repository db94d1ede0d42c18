// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/archive/ends_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <vector>

#include "base/counted.h"
#include "tracing/archive/left_out.h"

namespace holos::archive {
namespace {

constexpr int kWell = 3;

/// Processes that ended in the same way.
struct EndGroup {
    ProcessEnd end;
    std::vector<std::uint32_t> ranks;
    std::int64_t shortest = std::numeric_limits<std::int64_t>::max();  ///< nanoseconds nothing is known of
    std::int64_t longest = 0;

    /// Crashes first, then what says that it failed.
    int order() const {
        if (end.how == ProcessEnd::How::Signal || end.calledAbort) return 0;
        const bool isExpected =
            end.isOrderly() || end.how == ProcessEnd::How::Replaced || end.how == ProcessEnd::How::GoesOn;
        if (!isExpected) return 1;
        return end.code.value_or(0) != 0 ? 2 : kWell;
    }
};

std::vector<EndGroup> groupsOf(const TracePlan& plan) {
    std::vector<EndGroup> groups;
    for (const TraceProcess& process : plan.processes) {
        if (process.recorded == nullptr) continue;
        ProcessEnd end = process.recorded->end;
        end.calledAbort = process.calledAbort;
        end.at.reset();
        auto group = std::ranges::find(groups, end, &EndGroup::end);
        if (group == groups.end()) group = groups.insert(group, EndGroup{end, {}});
        group->ranks.push_back(process.rank);
        group->shortest = std::min(group->shortest, process.unknownTime);
        group->longest = std::max(group->longest, process.unknownTime);
    }
    std::ranges::stable_sort(groups, {}, &EndGroup::order);
    return groups;
}

/// `rank 3`, `ranks 0, 1 and 2`, `97 ranks (0, 1, 2, …)`; a single process by its program, which may be
/// another than the command that was recorded, such as a shell
std::string nameOf(const TracePlan& plan, const EndGroup& group) {
    constexpr std::size_t kFew = 4;
    const std::string one = plan.usesMpi ? "rank" : "process";
    const std::size_t count = group.ranks.size();
    if (plan.processes.size() == 1)
        return "the program " + fs::path(plan.processes.front().recorded->executable).filename().string();
    if (count == plan.processes.size()) return "all " + counted(count, one);
    if (count == 1) return one + ' ' + std::to_string(group.ranks.front());
    std::string list;
    for (std::size_t i = 0; i < std::min(count, kFew); ++i)
        list += (i == 0 ? "" : i + 1 == count ? " and " : ", ") + std::to_string(group.ranks[i]);
    if (count > kFew) return counted(count, one) + " (" + list + ", …)";
    return (plan.usesMpi ? "ranks " : "processes ") + list;
}

std::string unknownText(const EndGroup& group) {
    constexpr double kSecond = 1e9;
    constexpr std::int64_t kWorthSaying = 1'000'000;
    if (group.longest < kWorthSaying) return {};
    const double least = static_cast<double>(group.shortest) / kSecond;
    const double most = static_cast<double>(group.longest) / kSecond;
    if (group.ranks.size() == 1) return fmt::format(", {:.3g} s after its last event", most);
    return fmt::format(", {:.3g} to {:.3g} s after their last events", least, most);
}

/// Of those that are not in the trace the ones that a signal ended.
std::vector<const RecordedProcess*> killedOthers(const TracePlan& plan,
                                                 const std::vector<RecordedProcess>& processes) {
    std::vector<const RecordedProcess*> others;
    for (const RecordedProcess& process : processes)
        if (process.end.how == ProcessEnd::How::Signal &&
            std::ranges::find(plan.processes, &process, &TraceProcess::recorded) == plan.processes.end())
            others.push_back(&process);
    return others;
}

}  // namespace

std::string endsOf(const TracePlan& plan, const std::vector<RecordedProcess>& processes) {
    std::string text;
    for (const EndGroup& group : groupsOf(plan))
        text +=
            (text.empty() ? "" : "; ") + nameOf(plan, group) + ' ' + describe(group.end) + unknownText(group);
    const auto others = killedOthers(plan, processes);
    constexpr std::size_t kFew = 3;
    for (std::size_t i = 0; i < std::min(others.size(), kFew); ++i)
        text += "; " + describe(*others[i]) + ", which is not in the trace, " + describe(others[i]->end);
    if (others.size() > kFew) text += fmt::format("; so did {} more", others.size() - kFew);
    if (!text.empty())
        text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    return text;
}

bool endedWell(const TracePlan& plan, const std::vector<RecordedProcess>& processes) {
    return killedOthers(plan, processes).empty() &&
           std::ranges::all_of(groupsOf(plan), [](const EndGroup& group) { return group.order() == kWell; });
}

}  // namespace holos::archive
