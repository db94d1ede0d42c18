// SPDX-License-Identifier: BSD-3-Clause
#pragma once

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

}  // namespace holos::query
