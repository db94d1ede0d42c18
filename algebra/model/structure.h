// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "algebra/model/forest.h"
#include "algebra/model/ids.h"

namespace holos::algebra {

/// Free-form key and value pairs of the file format, in their order.
using Attributes = std::vector<std::pair<std::string, std::string>>;

/// The type in which a metric's values are stored in a file. In memory every value is a double.
enum class ValueType : std::uint8_t {
    Double,
    Int8,
    UInt8,
    Int16,
    UInt16,
    Int32,
    UInt32,
    Int64,
    UInt64,
    MinDouble,  ///< aggregates by minimum; "no value" is +DBL_MAX
    MaxDouble,  ///< aggregates by maximum; "no value" is -DBL_MAX
    Compound,   ///< several numbers per value (histograms and the like): kept in files, not shown
};

/// Where a metric's values come from (DESIGN: Words).
enum class Origin : std::uint8_t {
    Measured,  ///< from one counter, or from the events of the trace
    Composed,  ///< a strictly additive formula; its terms are its children
    Computed,  ///< any other arithmetic over measured metrics
    Ratio,     ///< a quotient, evaluated last, on aggregates; it has an expression and no values
};

/// How CUBE stores or derives a metric (`type` of a `<metric>`).
enum class Storage : std::uint8_t {
    Exclusive,
    Inclusive,
    PostDerived,          ///< `expression` evaluated on aggregated operands
    PreDerivedInclusive,  ///< `expression` evaluated per inclusive call path and location
    PreDerivedExclusive,  ///< `expression` evaluated per exclusive call path and location
};

struct Metric {
    std::string uniqueName;   ///< Scalasca's where it has the metric; identifies it among experiments
    std::string displayName;  ///< as the specification or the pattern calls it; `~` in front while incomplete
    std::string unit;         ///< `sec`, `occ`, `bytes`, …
    std::string description;  ///< plain text, one paragraph or more
    std::string url;
    ValueType valueType = ValueType::Double;
    std::string
        typeName;  ///< CUBE's spelling of the type, such as `FLOAT`; empty: the usual one of `valueType`
    Origin origin = Origin::Measured;
    Storage storage = Storage::Exclusive;
    bool incomplete = false;     ///< a composition of which only some terms were measured
    bool ghost = false;          ///< hidden in displays, kept in files
    bool isVoid = false;         ///< only groups its children: has no value of its own
    std::string expression;      ///< CubePL of a derived metric
    std::string initialisation;  ///< CubePL that is evaluated once (`cubeplinit`)
    /// CubePL that replaces how results are aggregated, by kind: `plus`, `minus`, `aggr`.
    Attributes aggregations;
    bool rowWise = true;      ///< how CubeLib evaluates the expression; of no effect on values
    bool convertible = true;  ///< CubeLib may turn the metric into one with stored values
    bool cacheable = true;    ///< CubeLib may keep computed values
    Attributes attributes;

    /// True when the values are in the severity table, not in `expression`.
    bool hasValues() const { return storage == Storage::Exclusive || storage == Storage::Inclusive; }
};

struct Region {
    std::string name;
    std::string mangledName;
    std::string module;  ///< file or library
    std::int64_t beginLine = -1;
    std::int64_t endLine = -1;
    std::string paradigm;  ///< as Score-P writes it: `mpi`, `openmp`, `compiler`, `user`, `unknown`, …
    std::string role;      ///< `function`, `barrier`, `implicit barrier`, `parallel`, `point2point`, …
    std::string url;
    std::string description;
    Attributes attributes;
};

struct CallPath {
    RegionId region;         ///< the callee
    std::int64_t line = -1;  ///< of the call
    std::string module;      ///< of the call
    std::vector<std::pair<std::string, double>> numericParameters;
    std::vector<std::pair<std::string, std::string>> stringParameters;
    Attributes attributes;
    /// Its number in the file it was read from. Means nothing to Holos; CUBE's tools compare files by it.
    std::optional<std::uint32_t> fileNumber;
};

/// Machine, node, board, … : whatever nesting a file has above processes.
struct SystemNode {
    std::string name;
    std::string className;  ///< `machine`, `node`, …
    std::string description;
    Attributes attributes;
};

/// CUBE's location group.
struct Process {
    enum class Type : std::uint8_t { Process, Metrics, Accelerator };
    std::string name;  ///< `MPI Rank 3`
    std::int64_t rank = 0;
    Type type = Type::Process;
    SystemNodeId node;
    Attributes attributes;
};

struct Location {
    enum class Type : std::uint8_t { Thread, Metric, AcceleratorStream };
    std::string name;       ///< `OMP thread 1`
    std::int64_t rank = 0;  ///< within the process: thread number
    Type type = Type::Thread;
    ProcessId process;
    Attributes attributes;
};

using MetricForest = Forest<Metric, MetricId>;
using CallTree = Forest<CallPath, CallPathId>;

struct SystemTree {
    Forest<SystemNode, SystemNodeId> nodes;
    std::vector<Process> processes;
    std::vector<Location> locations;  ///< index = column of the severity table

    const Process& operator[](ProcessId id) const { return processes[id.index()]; }
    const Location& operator[](LocationId id) const { return locations[id.index()]; }
};

}  // namespace holos::algebra
