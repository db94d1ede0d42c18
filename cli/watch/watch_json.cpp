// SPDX-License-Identifier: BSD-3-Clause
#include <nlohmann/json.hpp>

#include "base/utc_time.h"
#include "cli/watch/watch_formats.h"
#include "tracing/recordings/format/clock.h"

namespace holos::cli {
namespace {

using json = nlohmann::ordered_json;
using watch::Life;

json sharesJson(const watch::Shares& shares) {
    return {{"computation", shares[0]},
            {"mpi", shares[1]},
            {"openmp", shares[2]},
            {"waiting", shares[3]},
            {"notRecorded", shares[4]}};
}

const char* lifeWord(Life life) {
    constexpr const char* kWords[] = {"living", "ended", "crashed", "unknown"};
    return kWords[static_cast<std::size_t>(life)];
}

json threadJson(WatchedRun& watched, const watch::SeenProcess& process, const watch::SeenThread& thread) {
    json one{{"name", thread.name},
             {"location", thread.location},
             {"activity", watch::nameOf(thread.now)},
             {"path", watched.names.pathOf(watched.run.process(process.number), thread)},
             {"seconds", thread.since.seconds}};
    if (thread.since.isAtLeast) one["secondsAreAtLeast"] = true;
    one["interval"] = sharesJson(thread.interval);
    one["total"] = sharesJson(thread.total);
    one["events"] = thread.amounts.events;
    return one;
}

json processJson(WatchedRun& watched, const watch::SeenProcess& process) {
    json one;
    if (process.rank) one["rank"] = *process.rank;
    one.update({{"process", process.pid},
                {"host", process.host},
                {"program", process.program},
                {"life", lifeWord(process.life)},
                {"interval", sharesJson(process.interval)},
                {"total", sharesJson(process.total)},
                {"events", process.amounts.events},
                {"eventsPerSecond", process.eventRate},
                {"messages", process.amounts.messages},
                {"messagesPerSecond", process.messageRate},
                {"messageBytes", process.amounts.bytes},
                {"messageBytesPerSecond", process.messageBytes},
                {"recordedBytes", process.recorded},
                {"recordedBytesPerSecond", process.growth},
                {"lostEvents", process.lostEvents ? json(*process.lostEvents) : json()}});
    if (process.silentFor) one["silentSeconds"] = *process.silentFor;
    if (process.failure != 0) one["recordingError"] = process.failure;
    if (!process.damage.empty()) one["damage"] = process.damage;
    one["threads"] = json::array();
    for (const auto& thread : process.threads)
        if (!thread.hasEnded) one["threads"].push_back(threadJson(watched, process, thread));
    one["counters"] = json::array();
    for (const auto& counter : process.counters)
        one["counters"].push_back({{"name", counter.name},
                                   {"unit", counter.unit},
                                   {"value", counter.value},
                                   {"perSecond", counter.isTotal ? json(counter.rate) : json()}});
    return one;
}

/// By the places of processes and threads in `processes`.
json waitsJson(const watch::Picture& picture, const watch::Waits& waits) {
    constexpr std::size_t kMostWhom = 64;  // thousands may each wait for thousands
    const auto name = [&](std::size_t place) { return nameOf(picture, waits.threads[place]); };
    const watch::WaitFindings findings = watch::search(waits.graph());
    json all{{"waits", json::array()}, {"waitedFor", json::array()}};
    for (std::size_t i = 0; i < waits.waits.size(); ++i) {
        const watch::Wait& wait = waits.waits[i];
        if (wait.what.empty()) continue;
        json whom = json::array();
        for (std::size_t one = 0; one < std::min(wait.whom.size(), kMostWhom); ++one)
            whom.push_back(name(wait.whom[one]));
        all["waits"].push_back({{"who", name(i)},
                                {"what", wait.what},
                                {"whom", std::move(whom)},
                                {"whomInAll", wait.whom.size()},
                                {"oneIsEnough", wait.oneIsEnough},
                                {"mayWaitForOthers", wait.isPartlyKnown}});
    }
    const auto namesOf = [&](const std::vector<std::vector<std::size_t>>& cycles) {
        json lists = json::array();
        for (const auto& cycle : cycles) {
            lists.push_back(json::array());
            for (const std::size_t one : cycle) lists.back().push_back(name(one));
        }
        return lists;
    };
    all["cycles"] = namesOf(findings.cycles);
    all["possibleCycles"] = namesOf(findings.possibleCycles);
    for (const auto& culprit : findings.culprits)
        all["waitedFor"].push_back({{"who", name(culprit.who)}, {"waiting", culprit.waiting}});
    all["remarks"] = waits.remarks;
    return all;
}

}  // namespace

std::string watchJson(WatchedRun& watched) {
    const watch::Picture& picture = watched.run.picture();
    json line{{"version", 1},
              {"time", isoTime(tracing::nanoseconds(CLOCK_REALTIME))},
              {"interval", picture.interval},
              {"finished", picture.isFinished},
              {"recordedBytes", picture.recorded},
              {"processes", json::array()}};
    for (const auto& process : picture.processes) line["processes"].push_back(processJson(watched, process));
    line.update(waitsJson(picture, watch::findWaits(watched.run)));
    line["notes"] = watchNotes(picture);
    return line.dump(-1, ' ', false, json::error_handler_t::replace) + '\n';
}

}  // namespace holos::cli
