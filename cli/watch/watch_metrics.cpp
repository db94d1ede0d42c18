// SPDX-License-Identifier: BSD-3-Clause
// holos watch --serve: a picture in the text format of Prometheus.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "cli/watch/watch_formats.h"

namespace holos::cli {

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
