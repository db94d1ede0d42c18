// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>

#include "cli/counters/spec_text.h"
#include "metric-specs/formula.h"
#include "metric-specs/hierarchy.h"

namespace holos::cli {

using namespace specs;

namespace {

struct Row {
    std::string derived;
    std::string sign;
    std::string counters;
};

/// What one measurement set derives from its counters.
class SetTable {
  public:
    SetTable(const Specification& specification, const MeasurementSet& set)
        : spec_(specification), set_(set), hierarchy_(resolve(specification, set.events, 1.0)) {}

    std::vector<Row> rows() {
        for (std::size_t i = 0; i < hierarchy_.nodes.size(); ++i)
            if (!hierarchy_.nodes[i].parent) tree(i);
        partialComputations();
        return std::move(rows_);
    }

  private:
    bool isMeasuredHere(const HierarchyNode& node) const {
        return node.state == State::Measured &&
               std::ranges::find(set_.events, node.event) != set_.events.end();
    }

    std::size_t rootOf(std::size_t i) const {
        while (hierarchy_.nodes[i].parent) i = *hierarchy_.nodes[i].parent;
        return i;
    }

    /// The root, unless it is a counter itself; then counters, then what is computed.
    void tree(std::size_t root) {
        const HierarchyNode& top = hierarchy_.nodes[root];
        if (top.state == State::Unavailable || top.state == State::Ratio) return;
        if (top.state == State::Composed) rows_.push_back({shown(top), "", ""});
        for (std::size_t i = root; i < hierarchy_.nodes.size(); ++i)
            if (rootOf(i) == root && isMeasuredHere(hierarchy_.nodes[i])) counter(hierarchy_.nodes[i]);
        for (std::size_t i = root; i < hierarchy_.nodes.size(); ++i)
            if (rootOf(i) == root && hierarchy_.nodes[i].state == State::Computed)
                rows_.push_back({shown(hierarchy_.nodes[i]), "≐", textOf(hierarchy_.nodes[i].formula)});
    }

    void counter(const HierarchyNode& node) {
        if (node.event != node.name) {
            rows_.push_back({node.name, "=", node.event});
        } else if (node.parent) {
            const HierarchyNode& sum = hierarchy_.nodes[*node.parent];
            const bool alone =
                sum.state == State::Composed && !sum.incomplete && sum.formula.terms.size() == 1;
            rows_.push_back({shown(sum), alone ? "=" : "+", node.event});
        } else {
            rows_.push_back({"", "", node.event});
        }
    }

    /// Computations of which the set has a part only: other sets bring the rest.
    void partialComputations() {
        for (const Definition& each : spec_.definitions) {
            if (each.kind != Definition::Kind::Compute) continue;
            const auto node = hierarchy_.find(each.name);
            if (!node || hierarchy_.nodes[*node].state != State::Unavailable) continue;
            const auto& terms = each.formula.terms;
            if (std::ranges::any_of(terms, [this](const std::string& term) {
                    return std::ranges::find(set_.events, term) != set_.events.end();
                }))
                rows_.push_back({"~" + each.name, "≐", textOf(each.formula)});
        }
    }

    static std::string shown(const HierarchyNode& node) { return (node.incomplete ? "~" : "") + node.name; }

    const Specification& spec_;
    const MeasurementSet& set_;
    Hierarchy hierarchy_;
    std::vector<Row> rows_;
};

}  // namespace

std::string setTables(const Specification& specification, const Style& style) {
    std::size_t setWidth = 0, derivedWidth = 0;
    std::vector<std::vector<Row>> tables;
    for (const MeasurementSet& set : specification.sets) {
        setWidth = std::max(setWidth, set.name.size());
        tables.push_back(SetTable(specification, set).rows());
        for (const Row& row : tables.back()) derivedWidth = std::max(derivedWidth, row.derived.size());
    }
    std::string text;
    for (std::size_t i = 0; i < tables.size(); ++i) {
        std::string name = specification.sets[i].name;
        for (const Row& row : tables[i]) {
            const std::string sign = row.sign.empty() ? " " : row.sign;
            std::string line = fmt::format("  {:<{}}  {} {}", row.derived, derivedWidth, sign, row.counters);
            line.erase(line.find_last_not_of(' ') + 1);
            text += "  " + style.strong(fmt::format("{:<{}}", name, setWidth)) + line + '\n';
            name.clear();
        }
    }
    return text;
}

}  // namespace holos::cli
