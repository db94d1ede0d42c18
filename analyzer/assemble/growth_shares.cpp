// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/assemble/growth_shares.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <span>
#include <utility>

namespace holos::analyzer::assemble {

using trace::LocationId;
using trace::Ticks;

namespace {

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

}  // namespace

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
        for (std::optional<algebra::CallPathId> path : merged_.pathOf[location.index()]) {
            if (!path) continue;
            while (const auto parent = merged_.tree.parent(*path)) path = parent;
            return path;
        }
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

}  // namespace holos::analyzer::assemble
