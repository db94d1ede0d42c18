// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/model/period_waits.h"

#include <sstream>

#include "algebra/model/number_lines.h"

namespace holos::algebra {

std::string periodWaitsText(const PeriodWaits& periods) {
    std::string text = textOf({"length", periods.lengths});
    for (const auto& [metric, seconds] : periods.waits) text += textOf({metric, seconds});
    return text;
}

PeriodWaits periodWaitsOf(const Experiment& experiment) {
    PeriodWaits periods;
    const auto found = experiment.files.find(kPeriodsFile);
    if (found == experiment.files.end()) return periods;
    std::istringstream lines(found->second);
    std::string text;
    std::getline(lines, text);
    if (auto line = numberLineIn(text)) periods.lengths = std::move(line->numbers);
    while (std::getline(lines, text))
        if (auto line = numberLineIn(text); line && line->numbers.size() == periods.lengths.size())
            periods.waits[line->name] = std::move(line->numbers);
    return periods;
}

}  // namespace holos::algebra
