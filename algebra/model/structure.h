// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cassert>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "algebra/model/ids.h"

namespace holos::algebra {

/// Nodes with parents, in a dense table. A parent always stands before its children, so that
/// a loop over ascending ids visits parents first and a loop over descending ids children first.
template <class Node, class NodeId>
class Forest {
  public:
    /// Appends a node below `parent`, or as a root. The parent must exist already.
    NodeId add(Node node, std::optional<NodeId> parent = std::nullopt) {
        assert(!parent || parent->index() < nodes_.size());
        const NodeId id(nodes_.size());
        nodes_.push_back(std::move(node));
        parents_.push_back(parent);
        children_.emplace_back();
        (parent ? children_[parent->index()] : roots_).push_back(id);
        return id;
    }

    std::size_t size() const { return nodes_.size(); }
    bool empty() const { return nodes_.empty(); }
    bool contains(NodeId id) const { return id.index() < nodes_.size(); }

    const Node& operator[](NodeId id) const { return nodes_[id.index()]; }
    Node& operator[](NodeId id) { return nodes_[id.index()]; }

    std::optional<NodeId> parent(NodeId id) const { return parents_[id.index()]; }
    /// In the order in which they were added.
    const std::vector<NodeId>& children(NodeId id) const { return children_[id.index()]; }
    const std::vector<NodeId>& roots() const { return roots_; }

    /// 0 for a root.
    std::size_t depth(NodeId id) const {
        std::size_t depth = 0;
        for (auto up = parent(id); up; up = parent(*up)) ++depth;
        return depth;
    }

    /// True for the ancestor itself, too.
    bool isWithin(NodeId id, NodeId ancestor) const {
        std::optional<NodeId> up = id;
        while (up && *up != ancestor) up = parent(*up);
        return up.has_value();
    }

    /// The node and everything below it, depth first, parents before children.
    std::vector<NodeId> subtree(NodeId id) const {
        std::vector<NodeId> found;
        std::vector<NodeId> open{id};
        while (!open.empty()) {
            const NodeId next = open.back();
            open.pop_back();
            found.push_back(next);
            const auto& below = children(next);
            open.insert(open.end(), below.rbegin(), below.rend());
        }
        return found;
    }

    /// Calls `enter` for the node and everything below it, depth first, and `leave` for each when all below
    /// it is done.
    template <class Enter, class Leave>
    void walk(NodeId root, Enter enter, Leave leave) const {
        std::vector<NodeId> path;
        for (const NodeId node : subtree(root)) {
            for (; !path.empty() && parent(node) != path.back(); path.pop_back()) leave(path.back());
            enter(node);
            path.push_back(node);
        }
        for (; !path.empty(); path.pop_back()) leave(path.back());
    }

    /// In ascending order.
    Ids<NodeId> ids() const { return Ids<NodeId>(nodes_.size()); }

  private:
    std::vector<Node> nodes_;
    std::vector<std::optional<NodeId>> parents_;
    std::vector<std::vector<NodeId>> children_;
    std::vector<NodeId> roots_;
};

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
    /// CUBE's spelling of the type, such as `FLOAT`; empty: the usual one of `valueType`.
    std::string typeName;
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

/// True when the metric's value of a whole is the sum of the values of its parts, such as lines of code or
/// threads. False for minima, maxima and whatever is evaluated on aggregates.
bool isSumOfParts(const Metric& metric);

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

/// What a value of this type is that was never set: 0, or the "no value" of minima and maxima.
double missingValue(ValueType type);

bool isUnsigned(ValueType type);
/// True for the types of whole numbers.
bool isIntegral(ValueType type);
/// A type that holds the values of both.
ValueType commonType(ValueType a, ValueType b);
/// A metric of whole numbers gets the largest such type: a sum of small numbers may need more bits.
void widen(Metric& metric);

}  // namespace holos::algebra
