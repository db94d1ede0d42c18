// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/model/wait_files.h"

#include <algorithm>
#include <array>
#include <optional>
#include <sstream>

#include "algebra/model/number_lines.h"
#include "base/number.h"

namespace holos::algebra {
namespace {

std::optional<WaitInstance> instanceOf(const std::string& line) {
    constexpr std::size_t kFields = 6;
    std::array<std::string, kFields> field;
    std::istringstream fields(line);
    for (std::string& text : field) std::getline(fields, text, '\t');
    const auto wait = asNumber<double>(field[1]);
    const auto begin = asNumber<double>(field[2]);
    if (field[0].empty() || !wait || !begin) return std::nullopt;
    return WaitInstance{field[0], *wait, *begin, field[3], field[4], field[5]};
}

}  // namespace

std::vector<WaitInstance> instancesOf(const Experiment& experiment) {
    std::vector<WaitInstance> instances;
    const auto found = experiment.files.find(kInstancesFile);
    if (found == experiment.files.end()) return instances;
    std::istringstream lines(found->second);
    for (std::string line; std::getline(lines, line);)
        if (auto instance = instanceOf(line)) instances.push_back(std::move(*instance));
    return instances;
}

std::string waitCourseText(const std::vector<WaitCourse>& courses) {
    std::string text;
    for (const WaitCourse& course : courses) {
        NumberLine line{course.metric, course.seconds};
        for (const auto* more : {&course.waits, &course.typical})
            line.numbers.insert(line.numbers.end(), more->begin(), more->end());
        text += numberLineText(line);
    }
    return text;
}

std::vector<WaitCourse> waitCoursesOf(const Experiment& experiment) {
    std::vector<WaitCourse> courses;
    const auto found = experiment.files.find(kWaitCourseFile);
    if (found == experiment.files.end()) return courses;
    std::istringstream lines(found->second);
    for (std::string text; std::getline(lines, text);) {
        const auto line = numberLineIn(text);
        if (!line || line->numbers.empty() || line->numbers.size() % kCourseParts != 0 ||
            line->numbers.size() > 3 * kCourseParts)
            continue;
        const auto part = [&](std::size_t number) -> std::vector<double> {
            if (line->numbers.size() <= number * kCourseParts) return {};
            const auto begin = line->numbers.begin() + static_cast<std::ptrdiff_t>(number * kCourseParts);
            return {begin, begin + kCourseParts};
        };
        courses.push_back({line->name, part(0), part(1), part(2)});
    }
    return courses;
}

std::string periodWaitsText(const PeriodWaits& periods) {
    std::string text = numberLineText({"length", periods.lengths});
    for (const auto& [metric, seconds] : periods.waits) text += numberLineText({metric, seconds});
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

std::string waitEstimatesText(const WaitEstimates& estimates) {
    std::string phase = estimates.phase;
    std::ranges::replace_if(
        phase, [](char one) { return one == '\t' || one == '\n'; }, ' ');
    std::string text = numberLineText(
        {phase, {estimates.instances, static_cast<double>(estimates.traced), estimates.shareOfTime}});
    for (const WaitEstimate& wait : estimates.waits) {
        NumberLine line{wait.metric, {wait.traced, wait.whole}};
        if (wait.error) line.numbers.push_back(*wait.error);
        text += numberLineText(line);
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
