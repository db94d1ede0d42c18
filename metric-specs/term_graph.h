// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <boost/graph/adjacency_list.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

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

}  // namespace holos::specs
