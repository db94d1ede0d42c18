// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/summary/growth.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "algebra/model/wait_files.h"

namespace holos::algebra {

namespace {

/// From the first two fifths to the last two.
constexpr double kGrows = 1.5;
/// Waits are in so many parts of the run, or it is not a course but a few of them.
constexpr std::size_t kFilled = kCourseParts / 2;
/// Standard deviations from what chance makes: less than once in a thousand runs.
constexpr double kNoChance = 3;

/// Whether the metric is one of these, or below one.
bool isPartOf(const Measures& measures, MetricId metric, const MetricNames& names) {
    for (const char* name : names)
        if (const auto whole = measures.find(name);
            whole && measures.experiment().metrics.isWithin(metric, *whole))
            return true;
    return false;
}

/// What all locations wait in each part of the run, and how often where that is known.
struct Course {
    std::array<double, kCourseParts> seconds{};
    std::array<double, kCourseParts> waits{};
    std::array<double, kCourseParts> typical{};  ///< seconds times what a typical wait takes
};

Course courseOf(const Measures& measures, const MetricNames& names) {
    Course course;
    for (const WaitCourse& one : waitCoursesOf(measures.experiment())) {
        const auto metric = measures.find(one.metric);
        if (!metric || !isPartOf(measures, *metric, names)) continue;
        for (std::size_t i = 0; i < kCourseParts; ++i) {
            course.seconds[i] += one.seconds[i];
            if (!one.waits.empty()) course.waits[i] += one.waits[i];
            if (!one.typical.empty()) course.typical[i] += one.seconds[i] * one.typical[i];
        }
    }
    return course;
}

/// How long a wait is in that part of the run: one of those that most waiting is of, where that is known. Not
/// the time that is waited in it: steps that take longer are fewer there. Nor the mean: balanced steps beside
/// them have short waits, now one more, now one less.
double lengthIn(const Course& course, std::size_t part) {
    if (course.typical[part] > 0) return course.typical[part] / course.seconds[part];
    return course.waits[part] > 0 ? course.seconds[part] / course.waits[part] : course.seconds[part];
}

/// The lengths of waits in the parts of the run that have some, since waiting began: nobody waits for others
/// before they have started. The part in which it began is left out.
std::vector<double> lengthsOf(const Course& course) {
    std::vector<double> lengths;
    bool hasBegun = false;
    for (std::size_t i = 0; i < kCourseParts; ++i) {
        if (!(course.seconds[i] > 0)) continue;
        const bool isFirst = !std::exchange(hasBegun, true);
        if (isFirst && i > 0) continue;
        lengths.push_back(lengthIn(course, i));
    }
    return lengths;
}

/// How many standard deviations more pairs grow than by chance: the test of Mann and Kendall.
double trendOf(std::span<const double> values) {
    double growing = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
        for (std::size_t j = i + 1; j < values.size(); ++j)
            growing += values[j] > values[i] ? 1 : values[j] < values[i] ? -1 : 0;
    const auto n = static_cast<double>(values.size());
    const double deviation = std::sqrt(n * (n - 1) * (2 * n + 5) / 18);
    return deviation > 0 ? (growing - 1) / deviation : 0;
}

/// A phase has this much of the waiting, in at most so much of the program's part of the run.
constexpr double kMostOfWaiting = 0.8;
constexpr double kShort = 0.4;

/// How many parts of the run are the program's: the others start and end MPI, and nobody is late there.
/// Faults that recur in every step would be in the middle of a short run otherwise, and look like a phase of
/// it.
double partsOfProgram(const Measures& measures) {
    const std::vector<double> starts = measures.perLocation({"mpi_init_exit"});
    double start = 0;
    for (const CountedProcess& process : measures.processes())
        start += starts[process.threads.front().index()];
    const double all = measures.wall() * static_cast<double>(measures.processes().size());
    return all > 0 ? kCourseParts * std::clamp(1 - start / all, 0.0, 1.0) : kCourseParts;
}

/// Not by chance, and not in one step from little to much: in each half, too.
bool isGrowing(const std::vector<double>& lengths) {
    constexpr double kInHalves = 1;
    if (lengths.size() < kFilled) return false;
    const std::span<const double> all(lengths);
    const std::size_t half = all.size() / 2;
    return trendOf(all) >= kNoChance && trendOf(all.first(half)) >= kInHalves &&
           trendOf(all.last(half)) >= kInHalves;
}

}  // namespace

std::optional<double> growthOf(const Measures& measures, const MetricNames& waits) {
    const std::vector<double> lengths = lengthsOf(courseOf(measures, waits));
    if (!isGrowing(lengths)) return std::nullopt;
    const auto twoFifths = static_cast<std::ptrdiff_t>(2 * lengths.size() / 5);
    const double first = std::accumulate(lengths.begin(), lengths.begin() + twoFifths, 0.0);
    const double last = std::accumulate(lengths.end() - twoFifths, lengths.end(), 0.0);
    if (last < kGrows * first) return std::nullopt;
    return last / first;
}

std::optional<WaitingPhase> waitingPhaseOf(const Measures& measures, const MetricNames& waits) {
    const std::array<double, kCourseParts> parts = courseOf(measures, waits).seconds;
    const double all = std::accumulate(parts.begin(), parts.end(), 0.0);
    if (!(all > 0)) return std::nullopt;
    const double longest = std::ceil(kShort * partsOfProgram(measures));
    for (std::size_t length = 1; static_cast<double>(length) <= longest; ++length)
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
