// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/printable.h"
#include "base/text.h"
#include "cli/terminal/terminal.h"
#include "cli/watch/watch_formats.h"
#include "tracing/recordings/watch/picture.h"

namespace holos::cli {
namespace {

using watch::Life;
using watch::Picture;
using watch::SeenProcess;
using watch::ThreadAt;

constexpr std::size_t kMostRows = 32;

std::string sharesText(const watch::Shares& shares) {
    std::string text;
    for (std::size_t i = 0; i + 1 < shares.size(); ++i) text += fmt::format("{:>6}", percentText(shares[i]));
    return text;
}

/// Of the worst processes, where they are many.
std::string table(WatchedRun& watched, const Style& style) {
    const Picture& picture = watched.run.picture();
    auto rows = watch::rowsOf(picture, watch::Level::Processes);
    const bool isFolded = rows.size() > kMostRows;
    if (isFolded) watch::sort(rows, watch::Order::Metric, watch::kMetricLost);
    std::string text = style.strong(fmt::format("{:<16}{:^24}  {:^24} {:>9}  {}", "", "in the last interval",
                                                "since the start", "events/s", "now")) +
                       '\n';
    text += style.faint(fmt::format("{:<16}{:>6}{:>6}{:>6}{:>6}  {:>6}{:>6}{:>6}{:>6}", "", "comp", "MPI",
                                    "OMP", "wait", "comp", "MPI", "OMP", "wait")) +
            '\n';
    for (std::size_t i = 0; i < std::min(rows.size(), kMostRows); ++i) {
        const watch::Row& row = rows[i];
        const SeenProcess& process = picture.processes[row.process];
        const bool isOver = process.life == Life::Ended || process.life == Life::Crashed;
        std::string now = isOver ? stateText(process) : "";
        if (!isOver && !process.threads.empty())
            now = placeText(watched, {row.process, row.thread}) + " for " +
                  durationText(process.threads[row.thread].since);
        if (process.life == Life::Unknown) now += "; no sign of life";
        text += fmt::format("{:<16}{}  {} {:>9}  {}\n", keepEnd(row.name, 15), sharesText(row.interval),
                            sharesText(row.total), amountText(row.values[6]), now);
    }
    if (isFolded)
        text += fmt::format("{} are not shown: those that compute least are above\n",
                            counted(rows.size() - kMostRows, "process"));
    return text;
}

/// Who is in the same calls and waits for the same.
struct Group {
    std::vector<std::size_t> members;  ///< places in `Waits::threads`
    double shortest = 0;
    double longest = 0;
    bool isAtLeast = false;
};

std::string membersText(const Picture& picture, const watch::Waits& waits,
                        const std::vector<std::size_t>& members) {
    std::vector<std::uint32_t> ranks;
    std::string others;
    for (const std::size_t one : members) {
        const ThreadAt& at = waits.threads[one];
        const SeenProcess& process = picture.processes[at.process];
        if (process.rank && at.thread == 0)
            ranks.push_back(*process.rank);
        else
            others += (others.empty() ? "" : "; ") + nameOf(picture, at);
    }
    constexpr std::size_t kLong = 160;
    others = keepBegin(others, kLong);
    if (ranks.empty()) return others;
    return (ranks.size() == 1 ? "rank " : "ranks ") + watch::rangesOf(ranks) +
           (others.empty() ? "" : "; " + others);
}

/// By calls, and what is waited for.
using Groups = std::map<std::pair<std::string, std::string>, Group>;

void add(Group& group, const watch::Duration& since, std::size_t member) {
    const bool isFirst = group.members.empty();
    group.shortest = isFirst ? since.seconds : std::min(group.shortest, since.seconds);
    group.longest = std::max(group.longest, since.seconds);
    group.isAtLeast |= since.isAtLeast;
    group.members.push_back(member);
}

Groups groupsOf(WatchedRun& watched, const watch::Waits& waits) {
    const Picture& picture = watched.run.picture();
    Groups groups;
    for (std::size_t i = 0; i < waits.threads.size(); ++i) {
        const ThreadAt& at = waits.threads[i];
        const SeenProcess& process = picture.processes[at.process];
        const auto& thread = process.threads[at.thread];
        const bool isIdle = at.thread != 0 && thread.now == watch::Activity::Nothing;
        if (process.life == Life::Ended || process.life == Life::Crashed || isIdle) continue;
        add(groups[{pathText(watched, at), waits.waits[i].what}], thread.since, i);
    }
    return groups;
}

/// Where there are many, those with equal calls are one, and one of them says what it waits for.
Groups foldedByCalls(const Picture& picture, const watch::Waits& waits, const Groups& groups) {
    std::map<std::string, std::vector<const Groups::value_type*>> byCalls;
    for (const auto& group : groups) byCalls[group.first.first].push_back(&group);
    Groups folded;
    for (const auto& [calls, all] : byCalls) {
        const auto* const first = *std::min_element(all.begin(), all.end(), [](const auto* a, const auto* b) {
            return a->second.members.front() < b->second.members.front();
        });
        std::string what = first->first.second;
        if (all.size() > 1 && !what.empty())
            what = fmt::format("{} ({}; others for something else)", what,
                               nameOf(picture, waits.threads[first->second.members.front()]));
        Group& group = folded[{calls, what}];
        for (const auto* one : all) {
            const bool isFirst = group.members.empty();
            group.shortest = isFirst ? one->second.shortest : std::min(group.shortest, one->second.shortest);
            group.longest = std::max(group.longest, one->second.longest);
            group.isAtLeast |= one->second.isAtLeast;
            group.members.insert(group.members.end(), one->second.members.begin(), one->second.members.end());
        }
    }
    return folded;
}

std::string placesText(WatchedRun& watched, const watch::Waits& waits, const Style& style) {
    const Picture& picture = watched.run.picture();
    Groups groups = groupsOf(watched, waits);
    if (groups.size() > kMostRows) groups = foldedByCalls(picture, waits, groups);
    std::vector<std::pair<const std::pair<const std::pair<std::string, std::string>, Group>*, std::size_t>>
        order;
    for (const auto& group : groups) order.push_back({&group, group.second.members.front()});
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
        return a.first->second.longest > b.first->second.longest;
    });
    std::string text;
    for (std::size_t i = 0; i < order.size() && i < kMostRows; ++i) {
        const auto& [key, group] = *order[i].first;
        std::string since = durationText({group.shortest, group.isAtLeast});
        if (const std::string most = durationText({group.longest, group.isAtLeast}); most != since)
            since += " to " + most;
        text += style.strong(membersText(picture, waits, group.members)) + ", for " + since + '\n';
        text += "    " + key.first + '\n';
        if (!key.second.empty()) text += "    waits for " + key.second + '\n';
    }
    if (order.size() > kMostRows) text += fmt::format("and {} more places\n", order.size() - kMostRows);
    return text;
}

}  // namespace

std::string watchText(WatchedRun& watched) {
    const Style style = styleOfOutput();
    std::string text = style.strong(watchSummary(watched)) + '\n';
    for (const auto& note : watchNotes(watched.run.picture())) text += "note: " + note + '\n';
    text += '\n' + table(watched, style);
    const watch::Waits waits = watch::findWaits(watched.run);
    text += '\n' + style.strong("Where they are") + '\n' + placesText(watched, waits, style);
    const auto sentences = waitSentences(watched, waits);
    if (sentences.empty()) return text;
    text += '\n' + style.strong("Who waits for whom") + '\n';
    for (const auto& sentence : sentences) text += "    " + sentence + '\n';
    return text;
}

}  // namespace holos::cli
