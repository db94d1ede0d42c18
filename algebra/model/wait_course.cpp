// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/model/wait_course.h"

#include <sstream>

#include "algebra/model/number_lines.h"

namespace holos::algebra {

std::string waitCourseText(const std::vector<WaitCourse>& courses) {
    std::string text;
    for (const WaitCourse& course : courses) {
        NumberLine line{course.metric, course.seconds};
        line.numbers.insert(line.numbers.end(), course.waits.begin(), course.waits.end());
        text += textOf(line);
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
        if (!line || (line->numbers.size() != kCourseParts && line->numbers.size() != 2 * kCourseParts))
            continue;
        const auto middle = line->numbers.begin() + kCourseParts;
        courses.push_back({line->name, {line->numbers.begin(), middle}, {middle, line->numbers.end()}});
    }
    return courses;
}

}  // namespace holos::algebra
