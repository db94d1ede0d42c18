// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/model/wait_estimates.h"

#include <algorithm>
#include <sstream>

#include "algebra/model/number_lines.h"

namespace holos::algebra {

std::string waitEstimatesText(const WaitEstimates& estimates) {
    std::string phase = estimates.phase;
    std::ranges::replace_if(
        phase, [](char one) { return one == '\t' || one == '\n'; }, ' ');
    std::string text =
        textOf({phase, {estimates.instances, static_cast<double>(estimates.traced), estimates.shareOfTime}});
    for (const WaitEstimate& wait : estimates.waits) {
        NumberLine line{wait.metric, {wait.traced, wait.whole}};
        if (wait.error) line.numbers.push_back(*wait.error);
        text += textOf(line);
    }
    return text;
}

std::optional<WaitEstimates> waitEstimatesOf(const Experiment& experiment) {
    const auto found = experiment.files.find(kEstimatesFile);
    if (found == experiment.files.end()) return std::nullopt;
    std::istringstream lines(found->second);
    std::string text;
    std::getline(lines, text);
    const auto head = numberLineIn(text);
    if (!head || head->numbers.size() != 3 || !(head->numbers[1] >= 0 && head->numbers[1] < 1e15))
        return std::nullopt;
    WaitEstimates estimates{
        head->name, head->numbers[0], static_cast<std::size_t>(head->numbers[1]), head->numbers[2], {}};
    while (std::getline(lines, text)) {
        const auto line = numberLineIn(text);
        if (!line || line->numbers.size() < 2) continue;
        WaitEstimate wait{line->name, line->numbers[0], line->numbers[1], {}};
        if (line->numbers.size() > 2) wait.error = line->numbers[2];
        estimates.waits.push_back(std::move(wait));
    }
    return estimates;
}

}  // namespace holos::algebra
