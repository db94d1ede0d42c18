// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// What a running recording shows at a moment.
namespace holos::watch {

/// What a thread does.
enum class Activity : std::uint8_t {
    Computation,
    Mpi,
    OpenMp,   ///< within OpenMP's runtime: barriers, locks, tasks
    Waiting,  ///< in calls that put a thread to sleep: locks of threads, their ends, the C library's
    Nothing   ///< not recorded, or in no parallel region
};
inline constexpr std::size_t kActivities = 5;

/// Parts of a time by activity; they add up to 1, or to 0 where there was no time.
using Shares = std::array<double, kActivities>;

/// `computation`, `MPI`, …
const char* activityName(Activity activity);

/// A region that a thread is in.
struct OpenRegion {
    std::uint32_t region = 0;  ///< reference of the process
    std::uint32_t path = 0;    ///< call path that led to it; 0: not known
    std::uint64_t ticks = 0;   ///< of its enter
    Activity activity = Activity::Computation;
};

/// How long something has lasted.
struct Duration {
    double seconds = 0;
    bool isAtLeast = false;  ///< it began before it was looked at, by a clock that is not known here
};

/// What one thing is that a thread waits for; see `tracing/recordings/format/waiting_notes.h`.
struct AwaitedThing {
    std::uint32_t peer = 0;
    std::uint32_t comm = 0;
    std::uint32_t tag = 0;
    std::uint8_t kind = 0;
    std::uint32_t operation = 0;
};
struct Awaited {
    std::vector<AwaitedThing> things;  ///< the first of `count`
    std::uint32_t count = 0;
    bool oneIsEnough = false;
};

/// What grows.
struct Amounts {
    std::uint64_t events = 0;
    std::uint64_t messages = 0;  ///< sent and received
    std::uint64_t bytes = 0;     ///< of them
};

struct SeenThread {
    std::uint32_t location = 0;
    std::string name;
    std::vector<OpenRegion> open;  ///< the outermost first
    /// Left after the innermost of them was entered: what it does now came behind.
    std::optional<OpenRegion> left;
    bool mayHaveMore = false;  ///< around them: older events were written over
    bool hasEnded = false;
    Activity now = Activity::Nothing;
    /// In no call of which it is known what it waits for: what wakes it is not known either.
    bool sleeps = false;
    bool stays = false;  ///< it was there at the look before, and has done nothing since
    Duration since;      ///< since it entered the innermost region, or left the last one in it
    Shares interval{};
    Shares total{};
    Amounts amounts;
    double eventRate = 0;  ///< per second, in the last interval
    std::optional<Awaited> awaits;
};

enum class Life : std::uint8_t { Living, Ended, Crashed, Unknown };

/// A value of a counter, added up over the threads of its process where it belongs to threads.
struct SeenCounter {
    std::string name;
    std::string unit;
    bool isTotal = true;  ///< grows from the start: its rate counts
    double value = 0;
    double rate = 0;  ///< per second, in the last interval
};

struct SeenProcess {
    std::size_t number = 0;  ///< in the order in which they were found; stays
    std::optional<std::uint32_t> rank;
    std::uint64_t pid = 0;
    std::string host;
    std::string program;
    Life life = Life::Unknown;
    bool isElsewhere = false;              ///< its clock is not known here
    std::optional<double> silentFor = {};  ///< seconds without a sign of life, where only those say it
    std::vector<SeenThread> threads;       ///< the first one first
    std::vector<SeenCounter> counters;
    Amounts amounts;
    double eventRate = 0;  ///< per second, in the last interval
    double messageRate = 0;
    double messageBytes = 0;                      ///< per second
    std::uint64_t recorded = 0;                   ///< bytes of its events, as far as they were read
    double growth = 0;                            ///< bytes per second
    std::optional<std::uint64_t> lostEvents = 0;  ///< nothing where it is not known
    std::uint64_t failure = 0;                    ///< errno of what stopped the recording; 0: nothing did
    bool overwrites = false;                      ///< only the newest events are kept
    bool isLate = false;                          ///< events were written over before they were seen
    std::string damage;

    /// Of its threads together.
    Shares interval{};
    Shares total{};
};

struct Picture {
    std::vector<SeenProcess> processes;  ///< by rank, those without one behind
    double interval = 0;                 ///< seconds since the one before; 0: the first one
    std::size_t otherWorlds = 0;         ///< MPI jobs, or worlds that were started, whose ranks are not shown
    std::uint64_t recorded = 0;
    double growth = 0;
    bool isFinished = false;  ///< the recording was taken away: its trace is made
};

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
    std::size_t thread = 0;  ///< its thread's
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
