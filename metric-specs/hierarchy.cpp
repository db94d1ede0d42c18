// SPDX-License-Identifier: BSD-3-Clause
#include "metric-specs/hierarchy.h"

#include <algorithm>
#include <boost/graph/strong_components.hpp>
#include <boost/graph/topological_sort.hpp>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <unordered_set>

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

namespace {

constexpr std::size_t kNowhere = ~std::size_t{0};

class Resolver {
  public:
    Resolver(const Specification& specification, const std::vector<std::string>& measured,
             std::optional<double> hertz)
        : spec_(specification),
          graph_(specification),
          measured_(measured.begin(), measured.end()),
          hertz_(hertz) {
        const std::size_t count = graph_.names().size();
        nodes_.resize(count);
        definitions_.resize(count);
        children_.resize(count);
        aliases_.resize(count);
        for (const Definition& each : spec_.definitions)
            definitions_[graph_.vertex(each.name)].push_back(&each);
        for (const Alias& each : spec_.aliases) aliases_[graph_.vertex(each.name)].push_back(&each);
        for (const auto& [event, others] : spec_.otherNames)
            for (const std::string& other : others)
                if (!measured_.contains(event)) nameInFile_.emplace(other, event);
    }

    Hierarchy run(const std::vector<std::string>& measured) {
        const auto order = graph_.termsFirst();
        for (const Vertex vertex : order) decide(vertex);
        placeBelowCompositions();
        representByAliases();
        return arrange(order, measured);
    }

  private:
    using Vertex = TermGraph::Vertex;

    void decide(Vertex vertex) {
        HierarchyNode& node = nodes_[vertex];
        node.name = graph_.names()[vertex];
        if (const auto event = measurementOf(vertex))
            measuredAs(node, *event);
        else if (definitions_[vertex].empty())
            renamed(vertex);
        else
            define(vertex);
        annotate(node);
        placeTerms(vertex);
    }

    /// The measurement that a metric or event is, by its own name or one that the file gives it.
    std::optional<std::string_view> measurementOf(Vertex vertex) const {
        if (const auto event = measuredName(nodes_[vertex].name)) return event;
        for (const Alias* alias : aliases_[vertex]) {
            const bool isTerm = definitions_[vertex].empty() && isDefined(alias->event);
            const auto event = measuredName(alias->event);
            if (!isTerm && event) return event;
        }
        return std::nullopt;
    }

    /// Under which of its names an event was measured.
    std::optional<std::string_view> measuredName(std::string_view event) const {
        if (const auto found = measured_.find(event); found != measured_.end()) return *found;
        const auto others = spec_.otherNames.find(event);
        if (others != spec_.otherNames.end())
            for (const std::string& other : others->second)
                if (const auto found = measured_.find(other); found != measured_.end()) return *found;
        return std::nullopt;
    }

    void measuredAs(HierarchyNode& node, std::string_view event) const {
        node.state = State::Measured;
        node.event = event;
        const auto inFile = nameInFile_.find(event);
        auto scope = spec_.scopes.find(inFile == nameInFile_.end() ? event : inFile->second);
        if (scope == spec_.scopes.end()) scope = spec_.scopes.find(node.name);
        if (scope != spec_.scopes.end()) node.scope = scope->second;
    }

    bool isDefined(std::string_view name) const {
        const auto vertex = graph_.find(name);
        return vertex && !definitions_[*vertex].empty();
    }

    /// A name that only `measure` defines, by an event that is itself composed or computed.
    void renamed(Vertex vertex) {
        for (const Alias* alias : aliases_[vertex])
            if (isDefined(alias->event) && isTerm(alias->event))
                return composed(nodes_[vertex], {alias->event});
    }

    /// The first alternative that is complete, or else the first that has anything.
    void define(Vertex vertex) {
        const HierarchyNode empty = nodes_[vertex];
        HierarchyNode first = empty;
        for (const Definition* definition : definitions_[vertex]) {
            HierarchyNode& node = nodes_[vertex] = empty;
            apply(*definition, node);
            if (node.state != State::Unavailable && !node.incomplete) return;
            if (first.state == State::Unavailable) first = node;
        }
        nodes_[vertex] = std::move(first);
    }

    void apply(const Definition& definition, HierarchyNode& node) const {
        switch (definition.kind) {
            case Definition::Kind::Compose:
                return composed(node, definition.formula.terms);
            case Definition::Kind::Compute:
                return computed(node, definition.formula);
            case Definition::Kind::Seconds:
                return seconds(node, definition);
            case Definition::Kind::Ratio:
                return ratio(node, definition);
        }
    }

    void composed(HierarchyNode& node, const std::vector<std::string>& terms) const {
        std::vector<std::string> available;
        for (const std::string& name : terms) {
            node.incomplete = node.incomplete || !isComplete(name);
            if (isTerm(name)) available.push_back(name);
        }
        if (available.empty()) {
            node.incomplete = false;
            return;
        }
        node.state = State::Composed;
        node.formula = sumOf(std::move(available));
    }

    void computed(HierarchyNode& node, const Formula& formula) const {
        if (!allComplete(formula)) return;
        node.state = State::Computed;
        node.formula = formula;
    }

    void seconds(HierarchyNode& node, const Definition& definition) const {
        const auto hertz = definition.hertz ? definition.hertz : hertz_;
        if (!hertz) return;
        computed(node, definition.formula);
        if (node.state == State::Unavailable) return;
        node.formula.steps.push_back({Step::Kind::Number, 0, *hertz});
        node.formula.steps.push_back({Step::Kind::Divide, 0, 0.0});
        node.unit = "sec";
        node.within = definition.within;
    }

    void ratio(HierarchyNode& node, const Definition& definition) const {
        if (!allComplete(definition.formula) || !allComplete(definition.denominator)) return;
        node.state = State::Ratio;
        node.formula = definition.formula;
        node.denominator = definition.denominator;
        node.minimum = definition.minimum;
    }

    bool isTerm(std::string_view name) const {
        const State state = termOf(name).state;
        return state != State::Unavailable && state != State::Ratio;
    }
    bool isComplete(std::string_view name) const { return isTerm(name) && !termOf(name).incomplete; }
    bool allComplete(const Formula& formula) const {
        return std::ranges::all_of(formula.terms,
                                   [this](const std::string& name) { return isComplete(name); });
    }

    const HierarchyNode& termOf(std::string_view name) const { return nodes_[graph_.vertex(name)]; }

    void annotate(HierarchyNode& node) const {
        if (const auto unit = spec_.units.find(node.name); unit != spec_.units.end())
            node.unit = unit->second;
        else if (node.unit.empty())
            node.unit = unitOfEvent(node);
        node.description = spec_.description(node.name);
        if (node.description.empty()) node.description = spec_.description(node.event);
        const auto scales = [](const Step& step) {
            return step.kind == Step::Kind::Multiply || step.kind == Step::Kind::Divide;
        };
        if (node.state == State::Ratio) return;
        if (std::ranges::any_of(node.formula.steps, scales)) return;
        for (const std::string& term : node.formula.terms)
            if (node.unit.empty()) node.unit = termOf(term).unit;
    }

    std::string unitOfEvent(const HierarchyNode& node) const {
        const auto unit = spec_.units.find(node.event);
        return unit == spec_.units.end() ? std::string() : unit->second;
    }

    /// What a metric is composed of in this case stands below it; of a measured or computed one that has a
    /// composition, too, its terms.
    void placeTerms(Vertex vertex) {
        const HierarchyNode& node = nodes_[vertex];
        const std::vector<std::string>* terms = node.state == State::Composed ? &node.formula.terms : nullptr;
        const auto holdsAll = [&node](const Definition* each) {
            const auto& all = each->formula.terms;
            return std::ranges::all_of(node.formula.terms, [&all](const auto& term) {
                return std::ranges::find(all, term) != all.end();
            });
        };
        for (const Definition* each : definitions_[vertex]) {
            if (each->kind != Definition::Kind::Compose) continue;
            if (node.state == State::Composed && !holdsAll(each)) continue;
            terms = &each->formula.terms;
            break;
        }
        if (terms == nullptr) return;
        for (const std::string& term : *terms) children_[vertex].push_back(graph_.vertex(term));
    }

    /// A metric has the first composition of the file as parent; an event is shown below each that has it.
    void placeBelowCompositions() {
        parents_.assign(nodes_.size(), kNowhere);
        std::vector<Vertex> inFileOrder(nodes_.size());
        std::iota(inFileOrder.begin(), inFileOrder.end(), Vertex{0});
        for (const Vertex vertex : inFileOrder)
            std::erase_if(children_[vertex], [this, vertex](Vertex child) {
                const bool first = parents_[child] == kNowhere;
                if (first) parents_[child] = vertex;
                return !first && (!definitions_[child].empty() || !aliases_[child].empty());
            });
    }

    /// A measurement that stands in no composition and is known by another name is shown by that name only.
    void representByAliases() {
        for (const Vertex vertex : graph_.termsFirst()) {
            const HierarchyNode& node = nodes_[vertex];
            if (node.state == State::Measured && node.event != node.name)
                shownAs_.emplace(node.event, node.name);
        }
        for (const HierarchyNode& node : nodes_)
            if (isDefined(node.name) || parents_[graph_.vertex(node.name)] != kNowhere)
                shownAs_.erase(node.name);
        for (HierarchyNode& node : nodes_)
            for (Formula* formula : {&node.formula, &node.denominator})
                for (std::string& term : formula->terms)
                    if (const auto found = shownAs_.find(term); found != shownAs_.end()) term = found->second;
    }

    Hierarchy arrange(const std::vector<Vertex>& order, const std::vector<std::string>& measured) {
        struct Place {
            Vertex vertex;
            std::optional<std::size_t> parent;
        };
        std::vector<Place> open;
        for (Vertex vertex = 0; vertex < nodes_.size(); ++vertex)
            if (parents_[vertex] == kNowhere && !shownAs_.contains(nodes_[vertex].name))
                open.push_back({vertex, std::nullopt});
        const auto isRatio = [this](const Place& place) {
            return nodes_[place.vertex].state == State::Ratio;
        };
        std::stable_partition(open.begin(), open.end(), std::not_fn(isRatio));
        std::ranges::reverse(open);

        Hierarchy hierarchy;
        std::vector<std::size_t> position(nodes_.size(), kNowhere);
        while (!open.empty()) {
            const auto [vertex, parent] = open.back();
            open.pop_back();
            const std::size_t at = hierarchy.nodes.size();
            if (position[vertex] == kNowhere) position[vertex] = at;
            hierarchy.nodes.push_back(nodes_[vertex]);
            hierarchy.nodes.back().parent = parent;
            for (auto child = children_[vertex].rbegin(); child != children_[vertex].rend(); ++child)
                open.push_back({*child, at});
        }
        for (const Vertex vertex : order)
            if (position[vertex] != kNowhere && nodes_[vertex].state != State::Ratio &&
                !nodes_[vertex].formula.terms.empty())
                hierarchy.evaluationOrder.push_back(position[vertex]);
        addUnplaced(hierarchy, measured);
        return hierarchy;
    }

    void addUnplaced(Hierarchy& hierarchy, const std::vector<std::string>& measured) const {
        std::unordered_set<std::string_view> done;
        for (const std::string& event : measured) {
            const auto inFile = nameInFile_.find(event);
            const std::string_view name = inFile == nameInFile_.end() ? event : inFile->second;
            if (graph_.find(name) || shownAs_.contains(name) || !done.insert(name).second) continue;
            HierarchyNode node;
            node.name = name;
            measuredAs(node, event);
            annotate(node);
            hierarchy.nodes.push_back(std::move(node));
        }
    }

    const Specification& spec_;
    TermGraph graph_;
    std::unordered_set<std::string_view> measured_;
    std::optional<double> hertz_;
    std::map<std::string, std::string, std::less<>> nameInFile_;  ///< of measurements with another name
    std::vector<HierarchyNode> nodes_;
    std::vector<std::vector<const Definition*>> definitions_;
    std::vector<std::vector<Vertex>> children_;
    std::vector<std::vector<const Alias*>> aliases_;
    std::vector<std::size_t> parents_;
    std::map<std::string, std::string, std::less<>> shownAs_;
};

}  // namespace

std::optional<std::size_t> Hierarchy::find(std::string_view name) const {
    for (std::size_t i = 0; i < nodes.size(); ++i)
        if (nodes[i].name == name) return i;
    return std::nullopt;
}

Hierarchy resolve(const Specification& specification, const std::vector<std::string>& measured,
                  std::optional<double> hertz) {
    return Resolver(specification, measured, hertz).run(measured);
}

}  // namespace holos::specs
