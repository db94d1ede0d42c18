// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/model/wait_course.h"

#include <sstream>

#include "algebra/model/number_lines.h"

namespace holos::algebra {

std::string waitCourseText(const std::vector<WaitCourse>& courses) {
    std::string text;
    for (const WaitCourse& course : courses) text += textOf({course.metric, course.seconds});
    return text;
}

std::vector<WaitCourse> waitCoursesOf(const Experiment& experiment) {
    std::vector<WaitCourse> courses;
    const auto found = experiment.files.find(kWaitCourseFile);
    if (found == experiment.files.end()) return courses;
    std::istringstream lines(found->second);
    for (std::string line; std::getline(lines, line);)
        if (auto course = numberLineIn(line); course && course->numbers.size() == kCourseParts)
            courses.push_back({std::move(course->name), std::move(course->numbers)});
    return courses;
}

}  // namespace holos::algebra
