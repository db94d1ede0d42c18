// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/model/wait_course.h"

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <sstream>

namespace holos::algebra {

namespace {

/// As short as it can be read back.
std::string textOf(double value) {
    constexpr std::size_t kLongest = 32;
    std::array<char, kLongest> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    return {text.data(), end};
}

std::optional<WaitCourse> courseIn(const std::string& line) {
    std::istringstream fields(line);
    WaitCourse course;
    std::getline(fields, course.metric, '\t');
    for (std::string field; std::getline(fields, field, '\t');) {
        double value = 0;
        const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
        if (error != std::errc() || end != field.data() + field.size() || !std::isfinite(value))
            return std::nullopt;
        course.seconds.push_back(value);
    }
    if (course.metric.empty() || course.seconds.size() != kCourseParts) return std::nullopt;
    return course;
}

}  // namespace

std::string waitCourseText(const std::vector<WaitCourse>& courses) {
    std::string text;
    for (const WaitCourse& course : courses) {
        text += course.metric;
        for (const double seconds : course.seconds) text += '\t' + textOf(seconds);
        text += '\n';
    }
    return text;
}

std::vector<WaitCourse> waitCoursesOf(const Experiment& experiment) {
    std::vector<WaitCourse> courses;
    const auto found = experiment.files.find(kWaitCourseFile);
    if (found == experiment.files.end()) return courses;
    std::istringstream lines(found->second);
    for (std::string line; std::getline(lines, line);)
        if (auto course = courseIn(line)) courses.push_back(std::move(*course));
    return courses;
}

}  // namespace holos::algebra
