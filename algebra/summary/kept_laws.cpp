// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/summary/kept_laws.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "algebra/operators/history/provenance.h"

namespace holos::algebra {

namespace {

struct Operation {
    std::string_view name;
    KeptLaws keeps;
};

constexpr KeptLaws kAllLaws{};
constexpr KeptLaws kNoLaws{
    .signs = false, .parts = false, .balance = false, .causes = false, .lengths = false};
constexpr KeptLaws kOfSums{.lengths = false};

/// What is not named here keeps none.
constexpr auto kOperations = std::to_array<Operation>({
    {"analyze", kAllLaws},
    {"predict", kAllLaws},
    {"convert", kAllLaws},
    {"derive", kAllLaws},
    {"remap", kAllLaws},
    {"mean", kOfSums},
    {"sum", kOfSums},
    {"collapse", kOfSums},
    {"flatten", {.balance = false, .lengths = false}},  // tasks that were apart are among the others
    // Each metric is of the runs that measured it: two of them may be of different runs.
    {"merge", {.parts = false, .causes = false, .lengths = false}},
    {"scale", kNoLaws},  // by any factor, and some of the metrics only
    {"cut", {.balance = false, .causes = false, .lengths = false}},
    {"min", {.parts = false, .balance = false, .causes = false, .lengths = false}},
    {"max", {.parts = false, .balance = false, .causes = false, .lengths = false}},
    {"diff", {.signs = false, .parts = false, .causes = false, .lengths = false}},
});

KeptLaws both(const KeptLaws& one, const KeptLaws& other) {
    return {.signs = one.signs && other.signs,
            .parts = one.parts && other.parts,
            .balance = one.balance && other.balance,
            .causes = one.causes && other.causes,
            .lengths = one.lengths && other.lengths};
}

KeptLaws keptBy(const Provenance& made) {
    const auto* const operation = std::ranges::find(kOperations, made.operation, &Operation::name);
    KeptLaws kept = operation != kOperations.end() ? operation->keeps : kNoLaws;
    for (const Provenance::Input& input : made.inputs)
        for (const Provenance& origin : input.origin) kept = both(kept, keptBy(origin));
    return kept;
}

}  // namespace

KeptLaws keptLaws(const Experiment& experiment) {
    const auto made = provenanceOf(experiment);
    return made ? keptBy(*made) : kAllLaws;
}

}  // namespace holos::algebra
