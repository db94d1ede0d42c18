// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>

#include "report/comparison.h"
#include "report/query/iterations.h"

namespace holos::report {

namespace {

Row rowOf(std::string name, std::size_t runs, const query::IterationComparison& all, double before,
          double after) {
    Row row{std::move(name), 0, "sec", std::vector<Cell>(runs, Cell{kNothing, std::nullopt, false})};
    row.cells.back() = {after, std::nullopt, true};
    if (!all.before.empty()) row.cells.front() = {before, std::nullopt, true};
    return row;
}

std::string because(const std::vector<query::IterationReason>& reasons) {
    return reasons.empty() ? "" : ": " + query::reasonText(reasons);
}

}  // namespace

Section iterationsOf(const std::vector<query::IterationTimes>& runs, std::size_t top) {
    Section section{"Iterations", {}, {}};
    if (runs.empty()) return section;
    const query::IterationComparison all = runs.size() == 1
                                               ? query::compareIterations(runs.front())
                                               : query::compareIterations(runs.front(), runs.back());
    const std::string which =
        fmt::format("Iterations of {}, as the mean of the processes' first threads{}. ", runs.back().loop,
                    runs.size() == 1 ? "" : ", compared by their numbers between the first and the last run");
    const auto other = query::otherLoopText({"the first run", runs.front()}, {"the last one", runs.back()});
    section.explanation =
        which + (other ? "But " + *other + ". " : "") +
        (all.odd.empty()
             ? "None differs from the others by more than 5 % and by more than they do by chance."
             : "Listed are those that differ from the others by more than 5 % and by more than they do by "
               "chance, with the call paths (without waiting) and waits that make the difference.");
    section.rows.push_back(
        rowOf("Median" + because(all.typical), runs.size(), all, all.medianBefore, all.medianAfter));
    for (std::size_t i = 0; i < std::min(top, all.odd.size()); ++i) {
        const query::OddIteration& odd = all.odd[i];
        section.rows.push_back(rowOf(fmt::format("Iteration {}{}", odd.number, because(odd.reasons)),
                                     runs.size(), all, odd.before, odd.after));
    }
    return section;
}

}  // namespace holos::report
