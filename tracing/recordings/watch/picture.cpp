// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/watch/picture.h"

#include <algorithm>
#include <cmath>

namespace holos::watch {
namespace {

constexpr std::size_t kCounters = 10;  ///< behind the metrics that every program has

std::string nameOfRow(const SeenProcess& process) {
    return process.rank ? "rank " + std::to_string(*process.rank)
                        : std::to_string(process.pid) + '@' + process.host;
}

double part(const Shares& shares, Activity activity) {
    return shares[static_cast<std::size_t>(activity)];
}

double lost(const Shares& shares) {
    return part(shares, Activity::Mpi) + part(shares, Activity::OpenMp) + part(shares, Activity::Waiting);
}

void putShares(Row& row) {
    row.values[0] = 100 * part(row.interval, Activity::Computation);
    row.values[1] = 100 * part(row.interval, Activity::Mpi);
    row.values[2] = 100 * part(row.interval, Activity::OpenMp);
    row.values[3] = 100 * part(row.interval, Activity::Waiting);
    row.values[kMetricLost] = 100 * lost(row.interval);
}

bool isLonger(const SeenThread& one, const SeenThread& other) {
    return one.since.seconds > other.since.seconds;
}

/// The thread that says what a process does: the first one, whose calls are those of MPI.
Row rowOf(const Picture& picture, std::size_t place, std::size_t metrics) {
    const SeenProcess& process = picture.processes[place];
    Row row{nameOfRow(process), place,        0, 1, process.threads.size(), std::vector<double>(metrics),
            process.interval,   process.total};
    putShares(row);
    if (!process.threads.empty()) row.values[kMetricStay] = process.threads.front().since.seconds;
    row.values[6] = process.eventRate;
    row.values[7] = process.messageRate;
    row.values[8] = process.messageBytes;
    row.values[9] = process.growth;
    for (std::size_t i = 0; i < process.counters.size() && kCounters + i < metrics; ++i)
        row.values[kCounters + i] =
            process.counters[i].isTotal ? process.counters[i].rate : process.counters[i].value;
    return row;
}

void addThreads(std::vector<Row>& rows, const Picture& picture, std::size_t place, std::size_t metrics) {
    const SeenProcess& process = picture.processes[place];
    for (std::size_t i = 0; i < process.threads.size(); ++i) {
        const SeenThread& thread = process.threads[i];
        Row row{nameOfRow(process) + (i == 0 ? "" : " " + thread.name),
                place,
                i,
                1,
                1,
                std::vector<double>(metrics),
                thread.interval,
                thread.total};
        putShares(row);
        row.values[kMetricStay] = thread.since.seconds;
        row.values[6] = thread.eventRate;
        rows.push_back(std::move(row));
    }
}

/// Shares are means of those of its processes, the rest is added up, but for the longest stay.
void join(Row& node, const Row& process, const Picture& picture) {
    const auto n = static_cast<double>(node.processes);
    for (std::size_t i = 0; i < kActivities; ++i) {
        node.interval[i] = (node.interval[i] * n + process.interval[i]) / (n + 1);
        node.total[i] = (node.total[i] * n + process.total[i]) / (n + 1);
    }
    for (std::size_t i = kMetricStay + 1; i < node.values.size(); ++i) node.values[i] += process.values[i];
    const auto& there = picture.processes[node.process].threads;
    const auto& here = picture.processes[process.process].threads;
    if (there.empty() || (!here.empty() && isLonger(here.front(), there.front()))) {
        node.process = process.process;
        node.values[kMetricStay] = process.values[kMetricStay];
    }
    ++node.processes;
    node.threads += process.threads;
    putShares(node);
}

}  // namespace

const char* activityName(Activity activity) {
    constexpr const char* kNames[kActivities] = {"computation", "MPI", "OpenMP", "waiting", "not recorded"};
    return kNames[static_cast<std::size_t>(activity)];
}

std::vector<Metric> metricsOf(const Picture& picture) {
    std::vector<Metric> metrics{{"computation", "%"}, {"MPI", "%"},           {"OpenMP", "%"},
                                {"waiting", "%"},     {"not computing", "%"}, {"stay", "s"},
                                {"events", "/s"},     {"messages", "/s"},     {"message bytes", "B/s"},
                                {"recorded", "B/s"}};
    for (const SeenProcess& process : picture.processes) {
        for (const SeenCounter& counter : process.counters)
            metrics.push_back({counter.name, counter.isTotal ? counter.unit + "/s" : counter.unit});
        if (!process.counters.empty()) break;
    }
    return metrics;
}

std::vector<Row> rowsOf(const Picture& picture, Level level) {
    const std::size_t metrics = metricsOf(picture).size();
    std::vector<Row> rows;
    std::map<std::string, std::size_t> nodes;
    for (std::size_t place = 0; place < picture.processes.size(); ++place) {
        if (level == Level::Threads) {
            addThreads(rows, picture, place, metrics);
            continue;
        }
        Row row = rowOf(picture, place, metrics);
        if (level == Level::Nodes) {
            row.name = picture.processes[place].host;
            const auto [known, isNew] = nodes.try_emplace(row.name, rows.size());
            if (!isNew) {
                join(rows[known->second], row, picture);
                continue;
            }
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

std::vector<Row> filtered(std::vector<Row> rows, const Picture& picture, const std::string& text) {
    if (text.empty()) return rows;
    std::erase_if(rows, [&](const Row& row) {
        const SeenProcess& process = picture.processes[row.process];
        return row.name.find(text) == row.name.npos && process.host.find(text) == process.host.npos &&
               process.program.find(text) == process.program.npos;
    });
    return rows;
}

void sort(std::vector<Row>& rows, Order order, std::size_t metric) {
    if (order == Order::Name) return;
    std::ranges::stable_sort(
        rows, [metric](const Row& a, const Row& b) { return a.values[metric] > b.values[metric]; });
}

void History::add(const std::vector<Row>& rows) {
    for (const Row& row : rows) {
        auto& values = values_[row.name];
        values.push_back(row.values);
        if (values.size() > kMost) values.pop_front();
    }
}

std::vector<double> History::of(const std::string& row, std::size_t metric, std::size_t most) const {
    const auto found = values_.find(row);
    if (found == values_.end()) return {};
    const auto& all = found->second;
    std::vector<double> values;
    for (std::size_t i = all.size() - std::min(most, all.size()); i < all.size(); ++i)
        values.push_back(metric < all[i].size() ? all[i][metric] : 0);
    return values;
}

std::string sparkline(const std::vector<double>& values, double most, bool unicode) {
    constexpr std::size_t kHeights = 8;
    constexpr const char* kUnicode[kHeights] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    constexpr const char* kAscii[kHeights] = {"_", ".", ":", "-", "=", "+", "*", "#"};
    for (const double value : values) most = std::max(most, value);
    std::string text;
    for (const double value : values) {
        const double height = most > 0 && value > 0 ? std::min(value / most, 1.0) * (kHeights - 1) : 0;
        text += (unicode ? kUnicode : kAscii)[std::lround(height)];
    }
    return text;
}

}  // namespace holos::watch
