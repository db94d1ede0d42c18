// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/assemble/cause_metrics.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "analyzer/assemble/table_parts.h"

namespace holos::analyzer::assemble {

namespace {

using algebra::CallPathId;
using algebra::MetricId;
using algebra::SeverityTable;

/// Values that are added to others.
struct Summand {
    algebra::RowsPtr rows;
    double factor = 1;
};

/// Their sum, made row by row when it is asked for, and in their order: nothing is kept. At least one.
class SummedRows final : public algebra::Rows {
  public:
    explicit SummedRows(std::vector<Summand> summands)
        : Rows(summands[0].rows->callPaths(), summands[0].rows->locations(), 0.0),
          summands_(std::move(summands)) {}

    bool hasRow(CallPathId path) const override {
        return std::ranges::any_of(summands_,
                                   [&](const Summand& summand) { return summand.rows->hasRow(path); });
    }
    std::span<const double> row(CallPathId path, std::span<double> scratch) const override {
        if (!hasRow(path)) return {};
        std::ranges::fill(scratch, 0.0);
        std::vector<double> room(locations());
        for (const Summand& summand : summands_) {
            const std::span<const double> values = summand.rows->row(path, room);
            for (std::size_t i = 0; i < values.size(); ++i) scratch[i] += summand.factor * values[i];
        }
        return scratch.first(locations());
    }

  private:
    std::vector<Summand> summands_;
};

void addScaled(double factor, std::span<const double> row, std::span<double> sum) {
    for (std::size_t i = 0; i < row.size(); ++i) sum[i] += factor * row[i];
}

/// A location has values in few of the call paths: each is looked up once for so many of them.
constexpr std::size_t kSparsePaths = 128;

class CauseTables {
  public:
    CauseTables(algebra::Experiment& experiment, const trace::Definitions& definitions,
                const Present& present, const std::vector<causes::LocationCauses>& causes,
                workers::Workers& workers)
        : experiment_(experiment),
          definitions_(definitions),
          present_(present),
          causes_(causes),
          workers_(workers),
          zeros_(zeros(experiment.callTree.size(), experiment.system.locations.size())) {}

    void add(const CauseCatalog& entries) {
        CauseCatalog wanted;
        for (const CauseEntry* entry : entries)
            if (describe(*entry)) wanted.push_back(entry);
        for (const CauseEntry* entry : wanted)
            std::visit([&](const auto& source) { fill(entry->uniqueName, source); }, entry->source);
        sumUp(wanted);
    }

  private:
    /// Metrics that are the sums of their children, as far as these have values.
    void sumUp(const CauseCatalog& entries) {
        std::map<std::string_view, std::vector<Summand>> children;  // by name of the parent
        for (std::size_t i = entries.size(); i-- > 0;) {            // children before parents
            const CauseEntry& entry = *entries[i];
            const char* const name = entry.uniqueName;
            if (std::holds_alternative<patterns::FromChildren>(entry.source))
                if (const auto known = children.find(name); known != children.end())
                    fill(name, known->second);
            if (entry.parent != nullptr && isFilled(name)) children[entry.parent].push_back({rows(name)});
        }
    }

    /// Whether it is one of this experiment's.
    bool describe(const CauseEntry& entry) {
        const auto id = addMetric(experiment_, present_, entry);
        if (!id) return false;
        ids_[entry.uniqueName] = *id;
        experiment_.severities.setRows(*id, zeros_);
        return true;
    }
    /// From now on it counts as filled.
    SeverityTable& table(const char* name) {
        filled_.insert(name);
        return experiment_.severities.edit(ids_.at(name));
    }
    bool isFilled(const char* name) const { return filled_.contains(name); }
    algebra::RowsPtr rows(const char* name) const {
        return experiment_.severities.rows(experiment_.findMetric(name).value());
    }
    /// With sums that are made when they are needed.
    void fill(const char* name, std::vector<Summand> summands) {
        filled_.insert(name);
        const bool isOther = summands.size() == 1 && summands[0].factor == 1;  // mostly: nothing to make
        algebra::RowsPtr rows =
            isOther ? summands[0].rows : std::make_shared<const SummedRows>(std::move(summands));
        experiment_.severities.setRows(ids_.at(name), [rows = std::move(rows)] { return rows; });
    }

    void fill(const char* name, FromCause source) {
        const auto ticksPerSecond = static_cast<double>(definitions_.clock.ticksPerSecond);
        if (std::ranges::all_of(causes_,
                                [&](const auto& causes) { return causes.values(source.cause).empty(); }))
            return;
        SeverityTable* const tables[] = {&table(name)};
        editParts(
            tables, workers_,
            [&](std::span<TablePart> parts, std::size_t begin, std::size_t end) {
                for (std::size_t location = 0; location < causes_.size(); ++location) {
                    const auto values = causes_[location].values(source.cause);
                    auto next = std::ranges::lower_bound(values, begin, {}, &causes::PathFraction::path);
                    for (; next != values.end() && next->path < end; ++next)
                        parts[0].add(CallPathId(next->path), algebra::LocationId(location),
                                     next->ticks / ticksPerSecond);
                }
            },
            kSparsePaths);
    }
    void fill(const char* name, FromDifference source) {
        std::vector<Summand> summands{{rows(source.whole)}};
        for (const char* const also : source.alsoWhole)
            if (also != nullptr && experiment_.findMetric(also)) summands.push_back({rows(also)});
        summands.push_back({rows(source.part), -1});
        fill(name, std::move(summands));
    }
    void fill(const char*, patterns::FromChildren) {}

    void fill(const char* name, FromPathImbalance) {
        const algebra::RowsPtr critical = rows("critical_path");
        std::vector<Summand> summands{{rows("time")}};
        for (const Metric* inactive : metricCatalog())
            if (const auto metric = experiment_.findMetric(inactive->uniqueName);
                inactive->activity == patterns::Activity::None && metric &&
                !isZero(experiment_.severities, *metric))
                summands.push_back({rows(inactive->uniqueName), -1});
        const std::vector<double> path = inclusiveTotals({{critical}});
        const std::vector<double> all = inclusiveTotals(summands);
        const auto& locations = experiment_.system.locations;
        const auto threads = static_cast<double>(
            std::ranges::count(locations, algebra::Location::Type::Thread, &algebra::Location::type));
        SeverityTable* const tables[] = {&table(name)};
        editParts(tables, workers_, [&](std::span<TablePart> parts, std::size_t begin, std::size_t end) {
            std::vector<double> room(critical->locations());
            for (std::size_t i = begin; i < end; ++i) {
                const double excess = path[i] - all[i] / threads;
                if (path[i] <= 0 || excess <= 0) continue;
                const auto row = critical->row(CallPathId(i), room);
                for (std::size_t location = 0; location < row.size(); ++location)
                    parts[0].add(CallPathId(i), algebra::LocationId(location),
                                 row[location] * excess / path[i]);
            }
        });
    }

    /// Of a sum of tables: their sums over the call paths below and all threads, by call path.
    std::vector<double> inclusiveTotals(const std::vector<Summand>& summands) const {
        const auto& locations = experiment_.system.locations;
        std::vector<double> totals(experiment_.callTree.size(), 0);
        forRanges(totals.size(), locations.size(), workers_, [&](std::size_t begin, std::size_t end) {
            std::vector<double> sum(locations.size());
            std::vector<double> room(locations.size());
            for (std::size_t path = begin; path < end; ++path) {
                std::ranges::fill(sum, 0.0);
                for (const Summand& summand : summands)
                    addScaled(summand.factor, summand.rows->row(CallPathId(path), room), sum);
                for (std::size_t i = 0; i < sum.size(); ++i)
                    if (locations[i].type == algebra::Location::Type::Thread) totals[path] += sum[i];
            }
        });
        for (std::size_t path = totals.size(); path-- > 0;)
            if (const auto parent = experiment_.callTree.parent(CallPathId(path)))
                totals[parent->index()] += totals[path];
        return totals;
    }

    algebra::Experiment& experiment_;
    const trace::Definitions& definitions_;
    const Present& present_;
    const std::vector<causes::LocationCauses>& causes_;
    workers::Workers& workers_;
    algebra::RowSource zeros_;
    std::map<std::string_view, MetricId> ids_;
    std::set<std::string_view> filled_;
};

}  // namespace

void addCauses(algebra::Experiment& experiment, const trace::Definitions& definitions, const Present& present,
               const std::vector<causes::LocationCauses>& causes, workers::Workers& workers) {
    CauseTables(experiment, definitions, present, causes, workers).add(causeCatalog());
}

}  // namespace holos::analyzer::assemble
