// SPDX-License-Identifier: BSD-3-Clause
// From one version to another, in sentences.
#include "algebra/runs/change.h"
#include "report/comparison.h"

namespace holos::report {

namespace {

algebra::RunGroup groupOf(const Subjects& subjects, std::size_t from, std::size_t to) {
    std::vector<std::string> names;
    algebra::RunGroup group;
    for (std::size_t at = from; at < to; ++at) {
        names.push_back(subjects.name(at));
        group.runs.emplace_back(subjects.experiment(at));
    }
    group.name = algebra::nameOfGroup(names);
    return group;
}

}  // namespace

std::vector<std::string> changeOf(const Subjects& subjects, std::size_t before) {
    if (before == 0 && subjects.size() == 2) before = 1;
    if (before == 0 || before >= subjects.size()) return {};
    algebra::Matching loosely;
    loosely.loosely = true;
    const auto change = algebra::changeBetween(groupOf(subjects, 0, before),
                                               groupOf(subjects, before, subjects.size()), loosely);
    return change ? change->sentences : std::vector<std::string>();
}

}  // namespace holos::report
