// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <boost/graph/adjacency_list.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "metric-specs/formula.h"
#include "metric-specs/specification.h"

namespace holos::specs {

/// Which names of a specification are made of which: an edge from each defined name to each of its terms, and
/// from a name that only `measure` defines to events that are defined metrics themselves. Refers to the
/// specification, which must outlive it.
class TermGraph {
  public:
    using Vertex = std::size_t;
    using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;

    explicit TermGraph(const Specification& specification);

    /// Names in the order of first mention; the index is the vertex.
    const std::vector<std::string_view>& names() const { return names_; }
    /// The vertex of a name that the specification mentions as metric or term.
    Vertex vertex(std::string_view name) const { return index_.at(name); }
    std::optional<Vertex> find(std::string_view name) const {
        const auto found = index_.find(name);
        return found == index_.end() ? std::nullopt : std::optional<Vertex>(found->second);
    }

    /// Every group of names that are made of each other, once, along its edges where it is a single ring.
    std::vector<std::vector<std::string>> cycles() const;
    /// All vertices, terms before what is made of them. Only for a graph without cycles.
    std::vector<Vertex> termsFirst() const;

  private:
    Vertex add(std::string_view name);

    std::vector<std::string_view> names_;
    std::unordered_map<std::string_view, Vertex> index_;
    Graph graph_;
};

/// What becomes of a metric, given what was measured (paper, sections 2.1 and 2.3).
enum class State : std::uint8_t {
    Measured,  ///< by the event of its name or by an alias; wins over any formula
    Composed,  ///< the sum of the terms that are available
    Computed,  ///< by a formula all of whose terms are available and complete
    Ratio,     ///< a quotient of such formulas, to be evaluated on aggregates; no term of anything
    Unavailable,
};

struct HierarchyNode {
    std::string name;
    State state = State::Unavailable;
    /// A composition of which a term is unavailable or incomplete: shown as `~NAME`.
    bool incomplete = false;
    std::string event;  ///< of a measured metric: the name of the measurement
    /// Of a composed or computed metric, or the numerator of a ratio. A composition has its available terms
    /// only; every term is the name of an available node.
    Formula formula;
    Formula denominator;                ///< of a ratio
    double minimum = 0.0;               ///< of a ratio: undefined where the denominator is smaller
    std::optional<std::size_t> parent;  ///< index of the first composition of the file that has it as a term
    std::string within;                 ///< of seconds: the metric of the trace whose time they are a part of
    std::string unit;                   ///< given, or that of the first term with one, or `sec`; else empty
    Scope scope = Scope::Thread;        ///< of a measured metric: who shares the counter
    std::string description;            ///< given, or empty
};

/// The metrics of a specification and the measurements that it does not mention.
struct Hierarchy {
    /// Available ones and unavailable ones that the file defines; parents before their children, otherwise in
    /// the order of the file. An event that stands in several hierarchies has a node in each, all of one
    /// name. Measurements that no hierarchy places follow as roots.
    std::vector<HierarchyNode> nodes;

    /// The first node of this name.
    std::optional<std::size_t> find(std::string_view name) const;
    /// Indices of the composed and computed nodes, those first that others are made of.
    std::vector<std::size_t> evaluationOrder;
};

/// Decides for every metric where its values come from, given the names of what was measured. Without
/// `hertz`, the clock of the processor, `seconds` of its cycles are unavailable.
Hierarchy resolve(const Specification& specification, const std::vector<std::string>& measured,
                  std::optional<double> hertz = std::nullopt);

}  // namespace holos::specs
