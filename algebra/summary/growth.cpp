// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/summary/growth.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "algebra/model/wait_course.h"

namespace holos::algebra {

namespace {

constexpr std::size_t kFifths = 5;
/// From the first two to the last two. Time passes slower when steps take longer: it is less than one thinks.
constexpr double kGrows = 1.5;
/// Of the fifth before: what a fifth that belongs to a growth has at least. Long steps begin in one or
/// another.
constexpr double kNotLess = 0.6;
/// Waits are in so many parts of the run, or it is not a course but a few of them.
constexpr std::size_t kFilled = kCourseParts / 2;

/// Whether the metric is one of these, or below one.
bool isPartOf(const Measures& measures, MetricId metric, const MetricNames& names) {
    for (const char* name : names)
        if (const auto whole = measures.find(name);
            whole && measures.experiment().metrics.isWithin(metric, *whole))
            return true;
    return false;
}

/// What all locations wait in each part of the run.
std::array<double, kCourseParts> courseOf(const Measures& measures, const MetricNames& waits) {
    std::array<double, kCourseParts> parts{};
    for (const WaitCourse& course : waitCoursesOf(measures.experiment())) {
        const auto metric = measures.find(course.metric);
        if (!metric || !isPartOf(measures, *metric, waits)) continue;
        for (std::size_t i = 0; i < kCourseParts; ++i) parts[i] += course.seconds[i];
    }
    return parts;
}

/// In the fifths of the time since waiting began: nobody waits for others before they have started. The part
/// of the run in which it began is left out with those before.
std::array<double, kFifths> fifthsOf(const std::array<double, kCourseParts>& parts) {
    const auto began = std::ranges::find_if(parts, [](double part) { return part > 0; });
    std::size_t at = static_cast<std::size_t>(began - parts.begin());
    if (at > 0) ++at;
    std::array<double, kFifths> fifths{};
    if (at >= kCourseParts) return fifths;
    const double length = static_cast<double>(kCourseParts - at) / kFifths;
    for (std::size_t fifth = 0; fifth < kFifths; ++fifth)
        for (std::size_t i = at; i < kCourseParts; ++i) {
            const auto begin = static_cast<double>(i - at), first = static_cast<double>(fifth) * length;
            const double within = std::min(begin + 1, first + length) - std::max(begin, first);
            fifths[fifth] += parts[i] * std::clamp(within, 0.0, 1.0);
        }
    return fifths;
}

/// A phase has this much of the waiting, in at most so many parts of the run.
constexpr double kMostOfWaiting = 0.8;
constexpr std::size_t kShort = kCourseParts * 2 / 5;

}  // namespace

std::optional<double> growthOf(const Measures& measures, const MetricNames& waits) {
    const std::array<double, kCourseParts> parts = courseOf(measures, waits);
    const std::array<double, kFifths> fifths = fifthsOf(parts);
    const auto empty = static_cast<std::size_t>(std::ranges::count(parts, 0.0));
    const double first = fifths[0] + fifths[1], last = fifths[3] + fifths[4];
    if (kCourseParts - empty < kFilled || !(fifths[1] > 0) || last < kGrows * first) return std::nullopt;
    for (std::size_t i = 1; i < kFifths; ++i)
        if (fifths[i] < kNotLess * fifths[i - 1] || fifths[i] < fifths[0]) return std::nullopt;
    return last / first;
}

std::optional<WaitingPhase> waitingPhaseOf(const Measures& measures, const MetricNames& waits) {
    const std::array<double, kCourseParts> parts = courseOf(measures, waits);
    const double all = std::accumulate(parts.begin(), parts.end(), 0.0);
    if (!(all > 0)) return std::nullopt;
    for (std::size_t length = 1; length <= kShort; ++length)
        for (std::size_t first = 0; first + length <= kCourseParts; ++first) {
            const auto begin = parts.begin() + static_cast<std::ptrdiff_t>(first);
            const double in = std::accumulate(begin, begin + static_cast<std::ptrdiff_t>(length), 0.0);
            if (in >= kMostOfWaiting * all)
                return WaitingPhase{static_cast<double>(first) / kCourseParts,
                                    static_cast<double>(first + length) / kCourseParts, in / all};
        }
    return std::nullopt;
}

}  // namespace holos::algebra
