// SPDX-License-Identifier: BSD-3-Clause
#include "cli/watch/watch_formats.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cmath>

#include "base/utc_time.h"
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
             {"activity", watch::activityName(thread.now)},
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
    const auto name = [&](std::size_t place) { return threadName(picture, waits.threads[place]); };
    const watch::WaitFindings findings = watch::searchWaits(waits.graph());
    json all{{"waits", json::array()}, {"waitedFor", json::array()}};
    for (std::size_t i = 0; i < waits.waits.size(); ++i) {
        const watch::Wait& wait = waits.waits[i];
        if (wait.what.empty()) continue;
        json whom = json::array();
        for (std::size_t one = 0; one < std::min(wait.whom.size(), kMostWhom); ++one)
            whom.push_back(threadName(picture, waits.at(wait.whom[one])));
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

// holos watch --serve: a picture in the text format of Prometheus.

namespace {

/// In the order of `watch::Shares`.
constexpr std::array kActivities{"computation", "mpi", "openmp", "waiting", "not_recorded"};

/// A value of a label, as the format wants it.
std::string quoted(const std::string& value) {
    std::string text;
    for (const char each : value) {
        if (each == '\\' || each == '"') text += '\\';
        text += each == '\n' ? "\\n" : std::string(1, each);
    }
    return '"' + text + '"';
}

std::string number(double value) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
    return fmt::format("{}", value);
}

/// One metric of all processes; its lines stand together.
class MetricText {
  public:
    MetricText(const char* name, const char* type, const char* help)
        : name_(name), text_(fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, help, name, type)) {}

    void add(const watch::SeenProcess& process, double value, const std::string& labels = {}) {
        const std::string who = process.rank ? fmt::format("rank=\"{}\",", *process.rank) : std::string();
        text_ += fmt::format("{}{{{}host={},pid=\"{}\"{}}} {}\n", name_, who, quoted(process.host),
                             process.pid, labels, number(value));
    }
    const std::string& text() const { return text_; }

  private:
    const char* name_;
    std::string text_;
};

template <class Value>
std::string ofProcesses(const watch::Picture& picture, const char* name, const char* type, const char* help,
                        Value value) {
    MetricText metric(name, type, help);
    for (const watch::SeenProcess& process : picture.processes) metric.add(process, value(process));
    return metric.text();
}

std::string sharesText(const watch::Picture& picture) {
    MetricText metric("holos_time_share", "gauge", "Share of the time since the last request, by activity.");
    for (const watch::SeenProcess& process : picture.processes)
        for (std::size_t at = 0; at < kActivities.size(); ++at)
            metric.add(process, process.interval[at], fmt::format(",activity=\"{}\"", kActivities[at]));
    return metric.text();
}

std::string countersText(const watch::Picture& picture) {
    MetricText metric("holos_counter", "untyped",
                      "Newest value of a counter, sensor or metric of the program.");
    for (const watch::SeenProcess& process : picture.processes)
        for (const auto& counter : process.counters)
            metric.add(process, counter.value,
                       fmt::format(",name={},unit={}", quoted(counter.name), quoted(counter.unit)));
    return metric.text();
}

}  // namespace

std::string watchMetrics(const watch::Picture& picture) {
    using watch::SeenProcess;
    const auto whole = [](auto value) { return static_cast<double>(value); };
    std::string text =
        ofProcesses(picture, "holos_living", "gauge", "1 while the process lives.",
                    [](const SeenProcess& one) { return one.life == watch::Life::Living ? 1.0 : 0.0; });
    text += sharesText(picture);
    text += ofProcesses(picture, "holos_events_total", "counter", "Events so far.",
                        [&](const SeenProcess& one) { return whole(one.amounts.events); });
    text += ofProcesses(picture, "holos_messages_total", "counter", "Messages sent and received so far.",
                        [&](const SeenProcess& one) { return whole(one.amounts.messages); });
    text += ofProcesses(picture, "holos_message_bytes_total", "counter", "Bytes of these messages.",
                        [&](const SeenProcess& one) { return whole(one.amounts.bytes); });
    text += ofProcesses(picture, "holos_recorded_bytes_total", "counter", "Bytes recorded so far.",
                        [&](const SeenProcess& one) { return whole(one.recorded); });
    text += ofProcesses(
        picture, "holos_lost_events_total", "counter", "Events that were not recorded; NaN: not known.",
        [&](const SeenProcess& one) { return one.lostEvents ? whole(*one.lostEvents) : std::nan(""); });
    return text + countersText(picture);
}

}  // namespace holos::cli
