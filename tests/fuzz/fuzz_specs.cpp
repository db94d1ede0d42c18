// SPDX-License-Identifier: BSD-3-Clause
#include <cstddef>
#include <cstdint>
#include <string>

#include "metric-specs/hierarchy.h"
#include "metric-specs/plan.h"
#include "metric-specs/problems.h"

namespace {

using namespace holos::specs;

void require(bool condition) {
    if (!condition) __builtin_trap();
}

/// Whatever was measured, the hierarchy is consistent and every formula can be evaluated.
void checkHierarchy(const Specification& specification, const std::vector<std::string>& measured) {
    const Hierarchy hierarchy = resolve(specification, measured, 1e9);
    for (std::size_t i = 0; i < hierarchy.nodes.size(); ++i) {
        const HierarchyNode& node = hierarchy.nodes[i];
        require(!node.parent || *node.parent < i);
        require(!node.incomplete || node.state == State::Composed);
        for (const Formula* formula : {&node.formula, &node.denominator})
            for (const std::string& term : formula->terms) require(hierarchy.find(term).has_value());
    }
    for (const std::size_t i : hierarchy.evaluationOrder) {
        const Formula& formula = hierarchy.nodes[i].formula;
        const std::vector<double> ones(3, 1.0);
        const std::vector<std::span<const double>> operands(formula.terms.size(), ones);
        std::vector<double> result(3);
        evaluate(formula, operands, result);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        const Specification specification =
            parse(std::string(reinterpret_cast<const char*>(data), size), "fuzz.spec");
        const std::vector<std::string> events = specification.events();
        checkHierarchy(specification, {});
        checkHierarchy(specification, events);
        checkHierarchy(specification,
                       {events.begin(), events.begin() + static_cast<std::ptrdiff_t>(events.size() / 2)});
        require(parse(specification.text, "again.spec").definitions.size() ==
                specification.definitions.size());
        const Plan found = plan(specification, {});
        require(found.atLeast <= found.runs.size());
        for (const auto& run : found.runs) require(!whyNotTogether(specification.registers, run));
    } catch (const SpecificationError& error) {
        require(!error.problems().empty());
    }
    return 0;
}
