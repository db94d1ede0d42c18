// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "tracing/recordings/watch/picture.h"

namespace holos::watch {

/// A picture as rows that are compared: of nodes, processes or threads.
enum class Level : std::uint8_t { Nodes, Processes, Threads };

/// What rows are compared by: a share of the last interval, or something that happened in it per second.
struct Metric {
    std::string name;
    std::string unit;  ///< `%`, `/s`, `B/s`, `s`, or that of a counter
};
/// The columns, which all levels have. Counters come last, in the order of the first process that has some;
/// of a counter that grows the rate, else the value.
std::vector<Metric> metricsOf(const Picture& picture);
inline constexpr std::size_t kMetricLost = 4;  ///< share of all that is no computation: the default
inline constexpr std::size_t kMetricStay = 5;  ///< seconds that it has been where it is

struct Row {
    std::string name;  ///< equal rows of several pictures have equal ones
    std::size_t process =
        0;  ///< place in the picture of the process that it is, or that is longest where it is
    std::size_t thread = 0;  ///< the same of its thread
    std::size_t processes = 1;
    std::size_t threads = 0;
    std::vector<double> values;  ///< by metric
    Shares interval{};
    Shares total{};
};

enum class Order : std::uint8_t { Name, Metric };

/// In the picture's order.
std::vector<Row> rowsOf(const Picture& picture, Level level);
/// The rows whose name, host or program contains the text.
std::vector<Row> filtered(std::vector<Row> rows, const Picture& picture, const std::string& text);
/// By name in the picture's order, else the largest value first.
void sort(std::vector<Row>& rows, Order order, std::size_t metric);

/// The last values of all metrics, by row.
class History {
  public:
    static constexpr std::size_t kMost = 240;

    void add(const std::vector<Row>& rows);
    void clear() { values_.clear(); }
    /// Of the last pictures at most so many, the newest last.
    std::vector<double> of(const std::string& row, std::size_t metric, std::size_t most) const;

  private:
    std::map<std::string, std::deque<std::vector<double>>> values_;
};

/// `▁▃▇`, or `_-#` in ASCII: each value by its height between 0 and the largest of all, or `most` where that
/// is larger.
std::string sparkline(const std::vector<double>& values, double most = 0, bool unicode = true);

}  // namespace holos::watch
