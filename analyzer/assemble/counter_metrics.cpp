// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/assemble/counter_metrics.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "algebra/model/rows.h"
#include "algebra/operators/history/metric_names.h"
#include "analyzer/replay/context.h"

namespace holos::analyzer::assemble {
namespace {

/// A table to which several workers add, each values of other locations.
/// Thread safety: safe for different locations; nobody may use the table itself meanwhile.
class SharedTable {
  public:
    explicit SharedTable(algebra::SeverityTable& table) : table_(table), rows_(table.callPaths()) {}

    /// Adds to one value; adding zero makes no row.
    void add(algebra::CallPathId path, algebra::LocationId location, double value) {
        if (value != 0.0) row(path)[location.index()] += value;
    }

  private:
    double* row(algebra::CallPathId path) {
        std::atomic<double*>& known = rows_[path.index()];
        if (double* const row = known.load(std::memory_order_acquire)) return row;
        const std::lock_guard lock(mutex_);
        double* const row = table_.editRow(path).data();
        known.store(row, std::memory_order_release);
        return row;
    }

    algebra::SeverityTable& table_;
    std::mutex mutex_;
    std::vector<std::atomic<double*>> rows_;  ///< by call path; null where nobody asked yet
};

/// The outermost call path that a location was in first.
std::optional<algebra::CallPathId> rootOf(const paths::MergedTree& merged, std::size_t location) {
    for (std::optional<algebra::CallPathId> path : merged.pathOf[location]) {
        if (!path) continue;
        while (const auto parent = merged.tree.parent(*path)) path = parent;
        return path;
    }
    return std::nullopt;
}

/// Divides what counters counted that are read for several threads: those of a process or of a node.
///
/// What a counter grew by between two readings is divided among the call paths in which these threads were
/// meanwhile, by their time there, whether they computed or waited. A thread that was there all the time has
/// as much as any other such thread; one that had not begun, or was between two parallel regions, has
/// nothing. Where no thread was in any call path, the growth stays with the program, in the location that
/// read it; in a trace without programs, with the outermost call path that one of the threads was in first.
/// In this way the sum over all call paths and locations is the growth of the counter.
///
///     reading        3 J        6 J          thread A: main 1 s, solve 1 s     → 0.75 J each
///        │───────────│──────────│            thread B: solve 2 s               → 1.5 J
///
/// Workers have a few locations at a time, whose times they read twice: to add them up, and to divide all
/// counters at once.
/// Thread safety: one thread.
class GrowthShares {
  public:
    /// By member; nothing where it has no values.
    using Tables = std::vector<std::optional<algebra::SeverityTable>>;

    GrowthShares(const replay::ReplayedCalls& calls, const paths::MergedTree& merged,
                 workers::Workers& workers);

    bool has(trace::MemberId member) const { return isDivided_[member.index()]; }
    /// Adds the values of all such members to their tables, where they have some; not of those that are left
    /// out, by member.
    void addTo(Tables& tables, const std::vector<char>& areLeftOut) const;

  private:
    /// A counter of a class.
    struct Column {
        std::size_t position;
        trace::MemberId member;
    };
    /// What a location read of the counters of a class.
    struct Read {
        Read(std::size_t location, const replay::Growths& allGrowths, const trace::Definitions& definitions);

        void findPerTick();
        double timeBefore(std::size_t reading) const {
            return static_cast<double>(static_cast<trace::Ticks>(ticks[reading]));
        }
        double growth(std::size_t reading, const Column& column) const {
            return growths.values[reading * metricClass.members.size() + column.position];
        }

        std::size_t reader;
        const replay::Growths& growths;
        const trace::MetricClass& metricClass;
        std::vector<Column> columns;
        /// Of the threads in call paths, before each reading. Whole numbers: the order in which they are
        /// added up does not matter.
        std::vector<std::uint64_t> ticks;
        std::vector<double> perTick;  ///< what grew before each reading, of all columns side by side
    };
    using SharedTables = std::vector<std::unique_ptr<SharedTable>>;
    class TimeSum;
    class Division;

    void forLocations(const std::function<void(trace::LocationId)>& work) const;
    /// Tells the visitor between which readings a location was in which of its call paths, and how long.
    template <class Visitor>
    void visitTimes(trace::LocationId location, Visitor& visitor) const;
    /// What grew while no thread was in any call path.
    void addOthers(const Read& read, const SharedTables& tables) const;
    /// Its call path; nothing where none of the threads ever was in one.
    std::optional<algebra::CallPathId> rootFor(const Read& read) const;

    const replay::ReplayedCalls& calls_;
    const paths::MergedTree& merged_;
    workers::Workers& workers_;
    replay::ReadingTimes cuts_;
    std::deque<Read> reads_;
    std::vector<std::vector<Read*>> readsFor_;  ///< by location
    std::vector<bool> isDivided_;               ///< by member
};

using trace::LocationId;
using trace::Ticks;

/// Workers seldom write near each other in the rows of tables.
constexpr std::size_t kLocationsAtATime = 16;

/// By node. As with time itself: between parallel regions, and in a team but not yet in its region, a worker
/// is in no call path of its own.
std::vector<char> ownNodes(const replay::LocalTree& tree,
                           const std::vector<std::optional<algebra::CallPathId>>& pathOf) {
    std::vector<char> areOwn(pathOf.size());
    for (std::size_t i = 0; i < areOwn.size(); ++i) {
        const replay::NodeId node(i);
        areOwn[i] = pathOf[i] && node != replay::kOutside && !tree[node].adopted ? 1 : 0;
    }
    return areOwn;
}

GrowthShares::Read::Read(std::size_t location, const replay::Growths& allGrowths,
                         const trace::Definitions& definitions)
    : reader(location),
      growths(allGrowths),
      metricClass(definitions.metricClasses[growths.metricClass.index()]),
      ticks(growths.ends.size()) {
    for (std::size_t i = 0; i < metricClass.members.size(); ++i)
        if (const trace::MemberId member = metricClass.members[i];
            definitions.metricMembers[member.index()].mode != trace::MetricMode::Absolute)
            columns.push_back({i, member});
}

void GrowthShares::Read::findPerTick() {
    perTick.reserve(ticks.size() * columns.size());
    for (std::size_t i = 0; i < ticks.size(); ++i) {
        const double time = timeBefore(i);
        for (const Column& column : columns) perTick.push_back(time > 0 ? growth(i, column) / time : 0);
    }
}

/// Adds up the time before each reading.
class GrowthShares::TimeSum {
  public:
    explicit TimeSum(std::span<Read* const> reads) : reads_(reads) {}

    void begin(std::span<const std::size_t>) { passed_ = 0; }
    void pass(std::uint32_t, Ticks ticks) { passed_ += static_cast<std::uint64_t>(ticks); }
    void end(std::span<const std::size_t> next) {
        for (std::size_t i = 0; i < reads_.size(); ++i)
            if (std::vector<std::uint64_t>& sums = reads_[i]->ticks; next[i] < sums.size())
                std::atomic_ref(sums[next[i]]).fetch_add(passed_, std::memory_order_relaxed);
    }

  private:
    std::span<Read* const> reads_;
    std::uint64_t passed_ = 0;
};

/// Gives each call path of a location its part of all counters.
class GrowthShares::Division {
  public:
    Division(std::span<Read* const> reads, std::size_t nodes) : reads_(reads) {
        for (const Read* read : reads) columns_ += read->columns.size();
        perTick_.resize(columns_);
        values_.resize(nodes * columns_);
    }

    void begin(std::span<const std::size_t> next) {
        next_.resize(next.size(), kNone);
        double* perTick = perTick_.data();
        for (std::size_t i = 0; i < reads_.size(); ++i) {
            if (std::exchange(next_[i], next[i]) != next[i]) passTo(next[i], *reads_[i], perTick);
            perTick += reads_[i]->columns.size();
        }
    }
    void pass(std::uint32_t node, Ticks ticks) {
        double* const values = &values_[node * columns_];
        for (std::size_t i = 0; i < columns_; ++i) values[i] += perTick_[i] * static_cast<double>(ticks);
    }
    void end(std::span<const std::size_t>) {}

    /// Time that samples found in other functions than it was booked on counts there.
    void moveToSampled(const replay::LocationCalls& calls) {
        std::map<std::size_t, Ticks> moved;  // by node: how much of its time is that of others
        for (const replay::SharedTime& part : calls.shared) moved[part.from.index()] += part.ticks;
        const std::vector<double> booked = moved.empty() ? std::vector<double>() : values_;
        for (const replay::SharedTime& part : calls.shared) {
            const Ticks all = calls.tree[part.from].exclusive + moved[part.from.index()];
            if (all <= 0) continue;
            const std::size_t from = part.from.index() * columns_, to = part.to.index() * columns_;
            for (std::size_t i = 0; i < columns_; ++i) {
                const double share =
                    booked[from + i] * static_cast<double>(part.ticks) / static_cast<double>(all);
                values_[from + i] -= share;
                values_[to + i] += share;
            }
        }
    }

    void addTo(const SharedTables& tables, LocationId location,
               const std::vector<std::optional<algebra::CallPathId>>& pathOf) const {
        std::size_t column = 0;
        for (const Read* read : reads_)
            for (const auto& [position, member] : read->columns) {
                SharedTable* const table = tables[member.index()].get();
                for (std::size_t node = 0; table != nullptr && node < pathOf.size(); ++node)
                    if (pathOf[node])
                        table->add(*pathOf[node], algebra::LocationId(location.index()),
                                   values_[node * columns_ + column]);
                ++column;
            }
    }

  private:
    static constexpr std::size_t kNone = ~std::size_t{0};

    /// Time is now before this reading, or behind the last one.
    static void passTo(std::size_t reading, const Read& read, double* perTick) {
        const std::size_t columns = read.columns.size();
        if (reading < read.ticks.size())
            std::copy_n(read.perTick.data() + reading * columns, columns, perTick);
        else
            std::fill_n(perTick, columns, 0.0);
    }

    std::span<Read* const> reads_;
    std::size_t columns_ = 0;  ///< of all reads together
    std::vector<std::size_t> next_;
    std::vector<double> perTick_;  ///< by column
    std::vector<double> values_;   ///< by node, all columns of it side by side
};

GrowthShares::GrowthShares(const replay::ReplayedCalls& calls, const paths::MergedTree& merged,
                           workers::Workers& workers)
    : calls_(calls),
      merged_(merged),
      workers_(workers),
      cuts_(calls.definitions, replay::classTimes(calls.locations)),
      readsFor_(calls.locations.size()),
      isDivided_(calls.definitions.metricMembers.size()) {
    for (std::size_t reader = 0; reader < calls.locations.size(); ++reader)
        for (const replay::Growths& growths : calls.locations[reader].counters.growths) {
            Read& read = reads_.emplace_back(reader, growths, calls.definitions);
            for (const LocationId location : read.metricClass.readFor)
                readsFor_[location.index()].push_back(&read);
            for (const Column& column : read.columns) isDivided_[column.member.index()] = true;
        }
    forLocations([&](LocationId location) {
        TimeSum sum(readsFor_[location.index()]);
        visitTimes(location, sum);
    });
    workers_.forEach(reads_.size(), [&](std::size_t i) { reads_[i].findPerTick(); });
}

void GrowthShares::forLocations(const std::function<void(LocationId)>& work) const {
    const std::size_t count = reads_.empty() ? 0 : readsFor_.size();
    workers_.forEach((count + kLocationsAtATime - 1) / kLocationsAtATime, [&](std::size_t unit) {
        const std::size_t end = std::min(count, (unit + 1) * kLocationsAtATime);
        for (std::size_t i = unit * kLocationsAtATime; i < end; ++i)
            if (!readsFor_[i].empty()) work(LocationId(i));
    });
}

template <class Visitor>
void GrowthShares::visitTimes(LocationId location, Visitor& visitor) const {
    const auto cuts = cuts_.of(location);
    const replay::LocationCalls& calls = calls_[location];
    if (calls.intervals.size() < cuts.size()) return;  // it was not read
    const std::vector<Read*>& reads = readsFor_[location.index()];
    const std::vector<char> areOwn = ownNodes(calls.tree, merged_.pathOf[location.index()]);
    std::vector<std::size_t> next(reads.size());
    replay::PackedSlices::Reader slices(calls.intervals);
    for (const Ticks end : cuts) {
        for (std::size_t i = 0; i < reads.size(); ++i) {
            const std::vector<Ticks>& ends = reads[i]->growths.ends;
            while (next[i] < ends.size() && ends[next[i]] < end) ++next[i];
        }
        visitor.begin(next);
        slices.visit([&](std::uint32_t node, Ticks ticks) {
            if (areOwn[node] != 0) visitor.pass(node, ticks);
        });
        visitor.end(next);
    }
}

std::optional<algebra::CallPathId> GrowthShares::rootFor(const Read& read) const {
    if (const auto program = merged_.pathOf[read.reader][replay::kProgram.index()]) return program;
    for (const LocationId location : read.metricClass.readFor)
        if (const auto root = rootOf(merged_, location.index())) return root;
    return std::nullopt;
}

void GrowthShares::addOthers(const Read& read, const SharedTables& tables) const {
    const auto root = rootFor(read);
    if (!root) return;
    for (const Column& column : read.columns) {
        if (!tables[column.member.index()]) continue;
        double others = 0;
        for (std::size_t i = 0; i < read.ticks.size(); ++i)
            if (!(read.timeBefore(i) > 0)) others += read.growth(i, column);
        tables[column.member.index()]->add(*root, algebra::LocationId(read.reader), others);
    }
}

void GrowthShares::addTo(Tables& tables, const std::vector<char>& areLeftOut) const {
    SharedTables shared(tables.size());
    for (std::size_t member = 0; member < tables.size(); ++member)
        if (isDivided_[member] && tables[member] && areLeftOut[member] == 0)
            shared[member] = std::make_unique<SharedTable>(*tables[member]);
    for (const Read& read : reads_) addOthers(read, shared);
    forLocations([&](LocationId location) {
        const auto& pathOf = merged_.pathOf[location.index()];
        Division division(readsFor_[location.index()], pathOf.size());
        visitTimes(location, division);
        division.moveToSampled(calls_[location]);
        division.addTo(shared, location, pathOf);
    });
}

using algebra::CallPathId;
using trace::MetricMode;
using trace::MetricType;

double valueOf(const trace::MetricMember& member, replay::CounterValue value) {
    switch (member.type) {
        case MetricType::Real:
            return value.real * member.scale;
        case MetricType::Signed:
            return static_cast<double>(value.integer) * member.scale;
        case MetricType::Unsigned:
            break;
    }
    // A counter that goes on from one reading to the next may also have gone back a little.
    if (member.mode == MetricMode::AccumulatedSinceStart)
        return static_cast<double>(value.integer) * member.scale;
    return static_cast<double>(static_cast<std::uint64_t>(value.integer)) * member.scale;
}

algebra::Metric metricOf(const trace::MetricMember& member) {
    algebra::Metric metric;
    metric.uniqueName = algebra::safeUniqueName(member.name);
    metric.displayName = member.name;
    metric.unit = member.unit;
    metric.description = member.description;
    if (member.mode == MetricMode::Absolute)
        metric.valueType = algebra::ValueType::MaxDouble;
    else if (member.type == MetricType::Unsigned && member.scale == 1)
        metric.valueType = algebra::ValueType::UInt64;
    else if (member.type == MetricType::Signed && member.scale == 1)
        metric.valueType = algebra::ValueType::Int64;
    return metric;
}

void markAttributed(algebra::Metric& metric) {
    metric.valueType = algebra::ValueType::Double;
    if (!metric.description.empty() && metric.description.back() != '.') metric.description += '.';
    if (!metric.description.empty()) metric.description += ' ';
    metric.description +=
        "Its values by call path are an attributed estimate: it was read from time to time, for a whole "
        "process or node. What it grew by between two readings is divided among the call paths of the "
        "threads there, in proportion to their time, waiting included. The sum is what the counter grew by "
        "from its first to its last reading.";
    algebra::setAttribute(metric.attributes, algebra::kAttributedAttribute, "time");
}

void markGauge(algebra::Metric& metric) {
    metric.valueType = algebra::ValueType::MaxDouble;
    if (!metric.description.empty() && metric.description.back() != '.') metric.description += '.';
    if (!metric.description.empty()) metric.description += ' ';
    metric.description +=
        "The trace says that it only grows, but it falls: it is taken for a gauge, of which each call path "
        "has the largest value that was read there.";
}

/// By member: whether it is said to grow, but falls in some location.
std::vector<char> findGauges(const replay::ReplayedCalls& calls) {
    std::vector<char> areGauges(calls.definitions.metricMembers.size(), 0);
    for (const replay::LocationCalls& location : calls.locations)
        for (const replay::CounterSeries& series : location.counters.series)
            if (series.isGauge()) areGauges[series.member.index()] = 1;
    return areGauges;
}

/// Where levels belong that a location read which is in no call path, because the trace has no programs: a
/// sensor's, such as a temperature. That of its process, if one of its threads has one, else of any.
std::optional<CallPathId> rootOfLevels(const replay::ReplayedCalls& calls, const paths::MergedTree& merged,
                                       std::size_t reader) {
    const auto& locations = calls.definitions.locations;
    if (locations[reader].kind != trace::Location::Kind::Metric || rootOf(merged, reader))
        return std::nullopt;
    std::optional<CallPathId> ofOthers;
    for (std::size_t i = 0; i < locations.size(); ++i) {
        const auto root = rootOf(merged, i);
        if (root && locations[i].process == locations[reader].process) return root;
        if (root && !ofOthers) ofOthers = root;
    }
    return ofOthers;
}

/// One location's values of one counter, added to a table. `isLevel`: the largest ones count, not their sum.
/// `otherwise`: what belongs to no call path counts there.
template <class Series>
void addSeries(const Series& series, const trace::MetricMember& member, bool isLevel,
               const paths::MergedTree& merged, std::size_t location, algebra::SeverityTable& table,
               std::optional<CallPathId> otherwise = std::nullopt) {
    for (std::size_t node = 0; node < series.values.size(); ++node) {
        if (series.seen[node] == 0) continue;
        const bool isOutside = replay::NodeId(node) == replay::kOutside;
        const auto own = isOutside ? std::nullopt : merged.pathOf[location][node];
        const auto path = own ? own : otherwise;
        if (!path) continue;
        const double value = valueOf(member, series.values[node]);
        if (!isLevel) {
            table.add(*path, algebra::LocationId(location), value);
            continue;
        }
        const bool fresh = !table.hasRow(*path);
        const auto row = table.editRow(*path);
        if (fresh) std::ranges::fill(row, std::numeric_limits<double>::lowest());
        row[location] = std::max(row[location], value);
    }
}

}  // namespace

void addCounters(algebra::Experiment& experiment, const replay::ReplayedCalls& calls,
                 const paths::MergedTree& merged, workers::Workers& workers) {
    const std::vector<char> areGauges = findGauges(calls);
    GrowthShares::Tables tables(calls.definitions.metricMembers.size());
    for (std::size_t location = 0; location < calls.locations.size(); ++location)
        for (const replay::CounterSeries& series : calls.locations[location].counters.series) {
            auto& table = tables[series.member.index()];
            if (!table) table = experiment.newTable();
            const trace::MetricMember& member = calls.definitions.metricMembers[series.member.index()];
            if (areGauges[series.member.index()] != 0)
                addSeries(series.levels, member, true, merged, location, *table,
                          rootOfLevels(calls, merged, location));
            else if (member.mode == MetricMode::Absolute)
                addSeries(series, member, true, merged, location, *table,
                          rootOfLevels(calls, merged, location));
            else
                addSeries(series, member, false, merged, location, *table);
        }
    const GrowthShares shares(calls, merged, workers);
    shares.addTo(tables, areGauges);
    for (std::size_t i = 0; i < tables.size(); ++i) {
        if (!tables[i]) continue;
        algebra::Metric metric = metricOf(calls.definitions.metricMembers[i]);
        if (areGauges[i] != 0)
            markGauge(metric);
        else if (shares.has(trace::MemberId(i)))
            markAttributed(metric);
        // Two counters of one name are kept apart, and neither may hide a metric of the catalog.
        const std::string name = metric.uniqueName;
        for (int copy = 2; experiment.findMetric(metric.uniqueName); ++copy)
            metric.uniqueName = name + "_" + std::to_string(copy);
        experiment.severities.set(experiment.metrics.add(std::move(metric)), std::move(*tables[i]));
    }
}

}  // namespace holos::analyzer::assemble
