// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "report/query/run.h"

namespace holos::query {

/// locations, regions, call_paths: of the trace, or of the experiment where there is no trace.
void addDefinitionTables(Run& run, Tables& tables);
/// calls, readings: streamed from the trace.
void addEventTables(Run& run, Tables& tables);
/// statistics: added up while the trace is read.
void addStatisticsTable(Run& run, Tables& tables);
/// messages, waits: what analysis keeps of the trace.
void addRecordTables(Run& run, Tables& tables);
/// metrics, severities, run: of the experiment.
void addExperimentTables(Run& run, Tables& tables);

/// A table of what is in the run's trace: the rows come from a cursor over its records.
class RecordedTable final : public Table {
  public:
    struct Facts {
        const char* name;
        const char* meaning;
        std::vector<Column> columns;
        double rowsOfAnEvent;  ///< about how many, on average
    };
    using MakeCursor = std::unique_ptr<Cursor> (*)(Run& run, Question question);

    RecordedTable(Run& run, Facts facts, MakeCursor makeCursor)
        : run_(run), facts_(std::move(facts)), makeCursor_(makeCursor) {}

    const char* name() const override { return facts_.name; }
    const char* meaning() const override { return facts_.meaning; }
    const std::vector<Column>& columns() const override { return facts_.columns; }
    double size() const override {
        double rows = 1;
        if (!run_.hasTrace()) return rows;
        for (const analyzer::trace::Location& location : run_.records().definitions().locations)
            rows += facts_.rowsOfAnEvent * static_cast<double>(location.events);
        return rows;
    }
    std::unique_ptr<Cursor> ask(Question question) override { return makeCursor_(run_, std::move(question)); }

  private:
    Run& run_;
    Facts facts_;
    MakeCursor makeCursor_;
};

/// Makes the cursors of a table that are of this class.
template <class Rows>
std::unique_ptr<Cursor> cursorOver(Run& run, Question question) {
    return std::make_unique<Rows>(run.records(), std::move(question));
}

}  // namespace holos::query
