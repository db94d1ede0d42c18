// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <set>

#include "base/printable.h"
#include "base/text.h"
#include "cli/terminal/terminal.h"
#include "cli/watch/watch_formats.h"
#include "tracing/recordings/watch/picture.h"

// What several forms of a picture say in words.
namespace holos::cli {

using watch::Activity;
using watch::Life;
using watch::Picture;
using watch::SeenProcess;
using watch::SeenThread;
using watch::ThreadAt;

namespace {

std::size_t countOf(const Picture& picture, Life life) {
    return static_cast<std::size_t>(
        std::count_if(picture.processes.begin(), picture.processes.end(),
                      [life](const SeenProcess& one) { return one.life == life; }));
}

/// `3 live, 1 crashed`
std::string livesText(const Picture& picture) {
    const std::pair<Life, const char*> kWords[] = {{Life::Living, "live"},
                                                   {Life::Ended, "ended"},
                                                   {Life::Crashed, "crashed"},
                                                   {Life::Unknown, "give no sign of life"}};
    std::string text;
    for (const auto& [life, word] : kWords)
        if (const std::size_t number = countOf(picture, life); number != 0)
            text += (text.empty() ? "" : ", ") + std::to_string(number) + ' ' + word;
    return text;
}

template <class Is>
void note(std::vector<std::string>& notes, const Picture& picture, Is is, const std::string& text) {
    constexpr std::size_t kMostNames = 4;
    std::string names;
    std::size_t number = 0;
    for (const SeenProcess& process : picture.processes) {
        if (!is(process)) continue;
        if (++number <= kMostNames) names += (number == 1 ? "" : ", ") + processName(process);
    }
    if (number > kMostNames) names += fmt::format(" and {} more", number - kMostNames);
    if (number != 0) notes.push_back(names + ": " + text);
}

const SeenThread& threadOf(const Picture& picture, const ThreadAt& at) {
    return picture.processes[at.process].threads[at.thread];
}

}  // namespace

std::string durationText(const watch::Duration& duration) {
    constexpr double kMinute = 60;
    constexpr double kHour = 3600;
    const double seconds = duration.seconds;
    const std::string text =
        seconds >= kHour     ? fmt::format("{:.0f} h {:.0f} min", std::floor(seconds / kHour),
                                           std::floor(std::fmod(seconds, kHour) / kMinute))
        : seconds >= kMinute ? fmt::format("{:.0f} min {:.0f} s", std::floor(seconds / kMinute),
                                           std::floor(std::fmod(seconds, kMinute)))
        : seconds >= 1       ? fmt::format("{:.1f} s", seconds)
                             : fmt::format("{:.0f} ms", seconds * 1e3);
    return (duration.isAtLeast ? ">" : "") + text;
}

std::string percentText(double share) {
    return fmt::format("{:.0f} %", 100 * share);
}

std::string amountText(double number) {
    constexpr const char* kPrefixes[] = {"", " k", " M", " G", " T", " P"};
    std::size_t prefix = 0;
    double value = std::abs(number);
    for (; value >= 999.5 && prefix + 1 < std::size(kPrefixes); ++prefix) value /= 1000;
    const char* const sign = number < 0 ? "-" : "";
    const bool isSmall = value < 9.95 && value > 0 && (prefix > 0 || value != std::floor(value));
    return fmt::format("{}{:.{}f}{}", sign, value, isSmall ? 1 : 0, kPrefixes[prefix]);
}

std::string stateText(const SeenProcess& process) {
    switch (process.life) {
        case Life::Ended:
            return "ended";
        case Life::Crashed:
            return "crashed";
        case Life::Unknown:
            return "no sign of life";
        default:
            return process.threads.empty() ? "starting" : watch::activityName(process.threads.front().now);
    }
}

std::string watchSummary(const WatchedRun& watched) {
    const Picture& picture = watched.run.picture();
    double events = 0;
    for (const SeenProcess& process : picture.processes) events += process.eventRate;
    std::string text =
        fmt::format("{}: {}", watched.folder.string(), counted(picture.processes.size(), "process"));
    // Who lived at the last look has ended since.
    const std::string lives = picture.isFinished ? "the recording has ended" : livesText(picture);
    if (!lives.empty()) text += ": " + lives;
    text += fmt::format("; {}B recorded", amountText(static_cast<double>(picture.recorded)));
    if (picture.interval > 0)
        text += fmt::format(" (+{}B/s), {} events/s", amountText(picture.growth), amountText(events));
    return text;
}

std::vector<std::string> watchNotes(const Picture& picture) {
    std::vector<std::string> notes;
    const auto add = [&](auto is, const std::string& text) { note(notes, picture, is, text); };
    add([](const SeenProcess& one) { return one.isElsewhere && one.life != Life::Ended; },
        "on another machine, whose clock is not known here: durations (>) are since this command saw it");
    add([](const SeenProcess& one) { return one.life == Life::Unknown; },
        "whether it lives is not known here, as locks do not reach from its machine and none of its files "
        "has changed for some seconds");
    add([](const SeenProcess& one) { return one.lostEvents.value_or(0) != 0 && one.failure == 0; },
        "some events are lost");
    add([](const SeenProcess& one) { return !one.lostEvents; },
        "events of its end may be lost: how many is not known");
    std::set<std::uint64_t> failures;
    for (const SeenProcess& process : picture.processes)
        if (process.failure != 0) failures.insert(process.failure);
    for (const std::uint64_t failure : failures)
        add([failure](const SeenProcess& one) { return one.failure == failure; },
            fmt::format("its recording stopped ({}); what it does since then is not seen",
                        std::strerror(static_cast<int>(failure))));
    add([](const SeenProcess& one) { return one.isLate; },
        "only its newest events are kept, and older ones were written over before they were seen: calls "
        "around those shown may be missing");
    add([](const SeenProcess& one) { return !one.damage.empty(); },
        "its recording is damaged; what could be read is shown");
    if (picture.isFinished) notes.emplace_back("the recording has ended: this is the last picture of it");
    return notes;
}

std::string pathText(WatchedRun& watched, const ThreadAt& at) {
    const Picture& picture = watched.run.picture();
    const SeenThread& thread = threadOf(picture, at);
    std::string text = thread.mayHaveMore ? "…" : "";
    for (const auto& one :
         watched.names.pathOf(watched.run.process(picture.processes[at.process].number), thread))
        text += (text.empty() ? "" : " > ") + one;
    return text.empty() ? "in no call that is known" : text;
}

std::string placeText(WatchedRun& watched, const ThreadAt& at) {
    const Picture& picture = watched.run.picture();
    const SeenThread& thread = threadOf(picture, at);
    const auto& path =
        watched.names.pathOf(watched.run.process(picture.processes[at.process].number), thread);
    return path.empty() ? "" : path.back();
}

namespace {

/// For whom others wait, the most first. Many that are in the same calls are one sentence.
std::vector<std::string> culpritSentences(WatchedRun& watched, const watch::Waits& waits,
                                          const watch::WaitFindings& findings) {
    constexpr std::size_t kMostAlone = 8;
    const Picture& picture = watched.run.picture();
    std::vector<std::pair<std::string, std::vector<std::size_t>>> groups;  // by what follows their names
    std::map<std::string, std::size_t> known;
    for (const auto& culprit : findings.culprits) {
        const ThreadAt& at = waits.threads[culprit.who];
        const SeenProcess& process = picture.processes[at.process];
        const std::string& what = waits.waits[culprit.who].what;
        const bool isOver = process.life == Life::Ended || process.life == Life::Crashed;
        const std::string does = isOver                         ? "has " + stateText(process)
                                 : !threadOf(picture, at).stays ? "goes on"
                                 : threadOf(picture, at).sleeps ? "sleeps"
                                 : what.empty()                 ? "waits for nobody"
                                                                : "waits for " + what;
        const bool isAlone = findings.culprits.size() <= kMostAlone || !process.rank || at.thread != 0;
        const std::string since = isOver ? "" : " (" + durationText(threadOf(picture, at).since) + ")";
        const std::string end = "which " + does + (isAlone ? since : "") + ": " + pathText(watched, at);
        const std::string key =
            std::to_string(culprit.waiting) + ' ' + end + (isAlone ? std::to_string(groups.size()) : "");
        const auto [group, isNew] = known.try_emplace(key, groups.size());
        if (isNew) groups.push_back({end, {}});
        groups[group->second].second.push_back(static_cast<std::size_t>(&culprit - findings.culprits.data()));
    }
    std::vector<std::string> sentences;
    for (const auto& [end, members] : groups) {
        const auto& first = findings.culprits[members.front()];
        std::string names = threadName(picture, waits.threads[first.who]);
        if (members.size() > 1) {
            std::vector<std::uint32_t> ranks;
            for (const std::size_t one : members)
                ranks.push_back(*picture.processes[waits.threads[findings.culprits[one].who].process].rank);
            names = "each of ranks " + watch::rangesOf(ranks);
        }
        sentences.push_back(
            fmt::format("{} for {}, {}",
                        first.waiting == 1 ? "1 waits" : fmt::format("{} wait", first.waiting), names, end));
    }
    return sentences;
}

}  // namespace

namespace {

constexpr std::size_t kMostShown = 8;

/// Each cycle is a sentence that begins with `title`.
void addCycles(std::vector<std::string>& sentences, const Picture& picture, const watch::Waits& waits,
               const std::vector<std::vector<std::size_t>>& cycles, const std::string& title) {
    for (std::size_t number = 0; number < cycles.size() && number < kMostShown; ++number) {
        const auto& cycle = cycles[number];
        std::string text = title;
        for (std::size_t i = 0; i < cycle.size() && i < kMostShown; ++i)
            text += threadName(picture, waits.threads[cycle[i]]) + " waits for ";
        if (cycle.size() > kMostShown) text += fmt::format("… ({} in all) … for ", cycle.size());
        sentences.push_back(text + threadName(picture, waits.threads[cycle.front()]));
    }
    if (cycles.size() > kMostShown)
        sentences.push_back(fmt::format("and {} more cycles", cycles.size() - kMostShown));
}

}  // namespace

std::vector<std::string> waitSentences(WatchedRun& watched, const watch::Waits& waits) {
    const Picture& picture = watched.run.picture();
    const watch::WaitFindings findings = watch::searchWaits(waits.graph());
    std::vector<std::string> sentences;
    addCycles(sentences, picture, waits, findings.cycles, "a cycle, which can never go on: ");
    if (findings.behindCycles != 0)
        sentences.push_back(fmt::format("{} for those in the cycle{}",
                                        findings.behindCycles == 1
                                            ? "1 other waits"
                                            : fmt::format("{} others wait", findings.behindCycles),
                                        findings.cycles.size() == 1 ? "" : "s"));
    addCycles(sentences, picture, waits, findings.possibleCycles, "may be a cycle: ");
    const auto culprits = culpritSentences(watched, waits, findings);
    for (std::size_t i = 0; i < culprits.size() && i < kMostShown; ++i) sentences.push_back(culprits[i]);
    if (culprits.size() > kMostShown)
        sentences.push_back(fmt::format("and {} more places are waited for", culprits.size() - kMostShown));
    for (std::size_t i = 0; i < waits.remarks.size() && i < kMostShown; ++i)
        sentences.push_back(waits.remarks[i]);
    if (waits.remarks.size() > kMostShown)
        sentences.push_back(fmt::format("and {} more of the kind", waits.remarks.size() - kMostShown));
    return sentences;
}

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
            others += (others.empty() ? "" : "; ") + threadName(picture, at);
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
        const std::string& what = waits.waits[i].what;
        add(groups[{pathText(watched, at), thread.sleeps  ? "sleeps"
                                           : what.empty() ? ""
                                                          : "waits for " + what}],
            thread.since, i);
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
                               threadName(picture, waits.threads[first->second.members.front()]));
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
        if (!key.second.empty()) text += "    " + key.second + '\n';
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
