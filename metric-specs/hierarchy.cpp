// SPDX-License-Identifier: BSD-3-Clause
#include "metric-specs/hierarchy.h"

#include <algorithm>
#include <map>
#include <unordered_set>

#include "metric-specs/term_graph.h"

namespace holos::specs {
namespace {

constexpr std::size_t kNowhere = ~std::size_t{0};

class Resolver {
  public:
    Resolver(const Specification& specification, const std::vector<std::string>& measured)
        : spec_(specification), graph_(specification), measured_(measured.begin(), measured.end()) {
        const std::size_t count = graph_.names().size();
        nodes_.resize(count);
        definition_.resize(count);
        aliases_.resize(count);
        for (const Definition& each : spec_.definitions) definition_[graph_.vertex(each.name)] = &each;
        for (const Alias& each : spec_.aliases) aliases_[graph_.vertex(each.name)].push_back(&each);
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
        const Definition* definition = definition_[vertex];
        if (measured_.contains(node.name)) {
            measuredAs(node, node.name);
        } else if (const Alias* alias = measuringAlias(vertex)) {
            measuredAs(node, alias->event);
        } else if (definition == nullptr) {
            renamed(vertex);
        } else if (definition->kind == Definition::Kind::Compose) {
            composed(node, definition->formula.terms);
        } else {
            computed(node, definition->formula);
        }
        annotate(node);
    }

    static void measuredAs(HierarchyNode& node, std::string_view event) {
        node.state = State::Measured;
        node.event = event;
    }

    const Alias* measuringAlias(Vertex vertex) const {
        for (const Alias* alias : aliases_[vertex]) {
            const bool isTerm = definition_[vertex] == nullptr && isDefined(alias->event);
            if (!isTerm && measured_.contains(alias->event)) return alias;
        }
        return nullptr;
    }

    bool isDefined(std::string_view name) const {
        const auto vertex = graph_.find(name);
        return vertex && definition_[*vertex] != nullptr;
    }

    /// A name that only `measure` defines, by an event that is itself composed or computed.
    void renamed(Vertex vertex) {
        for (const Alias* alias : aliases_[vertex])
            if (isDefined(alias->event) && termOf(alias->event).state != State::Unavailable)
                return composed(nodes_[vertex], {alias->event});
    }

    void composed(HierarchyNode& node, const std::vector<std::string>& terms) {
        std::vector<std::string> available;
        for (const std::string& name : terms) {
            const HierarchyNode& term = termOf(name);
            node.incomplete = node.incomplete || term.incomplete || term.state == State::Unavailable;
            if (term.state != State::Unavailable) available.push_back(name);
        }
        if (available.empty()) {
            node.incomplete = false;
            return;
        }
        node.state = State::Composed;
        node.formula = sumOf(std::move(available));
    }

    void computed(HierarchyNode& node, const Formula& formula) {
        for (const std::string& name : formula.terms) {
            const HierarchyNode& term = termOf(name);
            if (term.state == State::Unavailable || term.incomplete) return;
        }
        node.state = State::Computed;
        node.formula = formula;
    }

    const HierarchyNode& termOf(std::string_view name) const { return nodes_[graph_.vertex(name)]; }

    void annotate(HierarchyNode& node) const {
        node.unit = lookUp(spec_.units, node);
        node.description = lookUp(spec_.descriptions, node);
        const auto scales = [](const Step& step) {
            return step.kind == Step::Kind::Multiply || step.kind == Step::Kind::Divide;
        };
        if (std::any_of(node.formula.steps.begin(), node.formula.steps.end(), scales)) return;
        for (const std::string& term : node.formula.terms)
            if (node.unit.empty()) node.unit = termOf(term).unit;
    }

    static std::string lookUp(const std::map<std::string, std::string, std::less<>>& texts,
                              const HierarchyNode& node) {
        auto found = texts.find(node.name);
        if (found == texts.end()) found = texts.find(node.event);
        return found == texts.end() ? std::string() : found->second;
    }

    void placeBelowCompositions() {
        parents_.assign(nodes_.size(), kNowhere);
        for (const Definition& definition : spec_.definitions)
            if (definition.kind == Definition::Kind::Compose)
                for (const std::string& term : definition.formula.terms) placeBelow(term, definition.name);
        for (const Vertex vertex : graph_.termsFirst())
            if (definition_[vertex] == nullptr)
                for (const std::string& term : nodes_[vertex].formula.terms)
                    placeBelow(term, nodes_[vertex].name);
    }

    void placeBelow(std::string_view term, std::string_view composition) {
        std::size_t& parent = parents_[graph_.vertex(term)];
        if (parent == kNowhere) parent = graph_.vertex(composition);
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
            for (std::string& term : node.formula.terms)
                if (const auto found = shownAs_.find(term); found != shownAs_.end()) term = found->second;
    }

    Hierarchy arrange(const std::vector<Vertex>& order, const std::vector<std::string>& measured) {
        std::vector<std::vector<Vertex>> children(nodes_.size());
        std::vector<Vertex> open;
        for (Vertex vertex = 0; vertex < nodes_.size(); ++vertex) {
            if (parents_[vertex] != kNowhere) children[parents_[vertex]].push_back(vertex);
            if (parents_[vertex] == kNowhere && !shownAs_.contains(nodes_[vertex].name))
                open.push_back(vertex);
        }
        std::reverse(open.begin(), open.end());

        Hierarchy hierarchy;
        std::vector<std::size_t> position(nodes_.size(), kNowhere);
        while (!open.empty()) {
            const Vertex vertex = open.back();
            open.pop_back();
            position[vertex] = hierarchy.nodes.size();
            hierarchy.nodes.push_back(nodes_[vertex]);
            if (parents_[vertex] != kNowhere) hierarchy.nodes.back().parent = position[parents_[vertex]];
            open.insert(open.end(), children[vertex].rbegin(), children[vertex].rend());
        }
        for (const Vertex vertex : order)
            if (position[vertex] != kNowhere && !nodes_[vertex].formula.terms.empty())
                hierarchy.evaluationOrder.push_back(position[vertex]);
        addUnplaced(hierarchy, measured);
        return hierarchy;
    }

    void addUnplaced(Hierarchy& hierarchy, const std::vector<std::string>& measured) const {
        std::unordered_set<std::string_view> done;
        for (const std::string& name : measured) {
            if (graph_.find(name) || shownAs_.contains(name) || !done.insert(name).second) continue;
            HierarchyNode node;
            node.name = name;
            measuredAs(node, name);
            annotate(node);
            hierarchy.nodes.push_back(std::move(node));
        }
    }

    const Specification& spec_;
    TermGraph graph_;
    std::unordered_set<std::string_view> measured_;
    std::vector<HierarchyNode> nodes_;
    std::vector<const Definition*> definition_;
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

Hierarchy resolve(const Specification& specification, const std::vector<std::string>& measured) {
    return Resolver(specification, measured).run(measured);
}

}  // namespace holos::specs
