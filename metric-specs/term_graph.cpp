// SPDX-License-Identifier: BSD-3-Clause
#include "metric-specs/term_graph.h"

#include <boost/graph/strong_components.hpp>
#include <boost/graph/topological_sort.hpp>
#include <iterator>

namespace holos::specs {

TermGraph::TermGraph(const Specification& specification) {
    for (const Definition& definition : specification.definitions) {
        const Vertex from = add(definition.name);
        for (const Formula* formula : {&definition.formula, &definition.denominator})
            for (const std::string& term : formula->terms) boost::add_edge(from, add(term), graph_);
    }
    const std::size_t defined = names_.size();
    for (const Alias& alias : specification.aliases) {
        const bool hasFormula = index_.contains(alias.name) && out_degree(index_.at(alias.name), graph_) > 0;
        const Vertex from = add(alias.name);
        const auto event = index_.find(alias.event);
        const bool eventIsMetric = event != index_.end() && event->second < defined;
        if (!hasFormula && eventIsMetric) boost::add_edge(from, event->second, graph_);
    }
}

TermGraph::Vertex TermGraph::add(std::string_view name) {
    const auto [found, isNew] = index_.emplace(name, names_.size());
    if (isNew) {
        names_.push_back(name);
        boost::add_vertex(graph_);
    }
    return found->second;
}

std::vector<std::vector<std::string>> TermGraph::cycles() const {
    std::vector<std::size_t> component(names_.size());
    const auto indexMap = get(boost::vertex_index, graph_);
    const std::size_t count =
        boost::strong_components(graph_, boost::make_iterator_property_map(component.begin(), indexMap));
    std::vector<std::size_t> size(count);
    for (const std::size_t each : component) ++size[each];

    std::vector<std::vector<std::string>> found;
    std::vector<bool> done(names_.size());
    std::vector<bool> reported(count);
    for (Vertex start = 0; start < names_.size(); ++start) {
        if (reported[component[start]]) continue;
        const bool self = boost::edge(start, start, graph_).second;
        if (size[component[start]] == 1 && !self) continue;
        reported[component[start]] = true;
        std::vector<std::string>& cycle = found.emplace_back();
        for (Vertex at = start; !done[at];) {
            done[at] = true;
            cycle.emplace_back(names_[at]);
            for (const auto edge : boost::make_iterator_range(out_edges(at, graph_)))
                if (component[target(edge, graph_)] == component[start] && !done[target(edge, graph_)]) {
                    at = target(edge, graph_);
                    break;
                }
        }
    }
    return found;
}

std::vector<TermGraph::Vertex> TermGraph::termsFirst() const {
    std::vector<Vertex> order;
    order.reserve(names_.size());
    boost::topological_sort(graph_, std::back_inserter(order));
    return order;
}

}  // namespace holos::specs
