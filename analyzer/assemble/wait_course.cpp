// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/assemble/wait_records.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "analyzer/patterns/list.h"

namespace holos::analyzer::assemble {

namespace {

using algebra::kCourseParts;
using trace::Ticks;

/// The waits that begin in a part of a trace. Locations are summed in their order, so that nothing depends on
/// who judged which.
struct Part {
    Ticks ticks = 0;
    std::uint64_t waits = 0;
    double squares = 0;  ///< of ticks

    void addWait(Ticks wait) { add({wait, 1, static_cast<double>(wait) * static_cast<double>(wait)}); }
    void add(const Part& more) {
        ticks = patterns::wrappingSum(ticks, more.ticks);
        waits += more.waits;
        squares += more.squares;
    }
};
using Parts = std::array<Part, kCourseParts>;
/// By unique name.
using Courses = std::map<std::string, Parts>;

/// Where the parts of a trace begin.
class Division {
  public:
    explicit Division(Ticks length) : part_(std::max<Ticks>(0, length) / kParts + 1) {}

    Part& at(Parts& parts, Ticks begin) const {
        return parts[static_cast<std::size_t>(std::clamp<Ticks>(begin / part_, 0, kParts - 1))];
    }

  private:
    static constexpr Ticks kParts = kCourseParts;
    Ticks part_;
};

Courses coursesOf(const patterns::JudgedTrace& run, trace::LocationId location, const Division& division) {
    Courses courses;
    const auto note = [&](const patterns::SingleWait& wait) {
        if (wait.wait <= 0) return;
        division.at(courses[wait.metric.uniqueName], wait.begin).addWait(wait.wait);
    };
    patterns::visitAllWaits(run, location, note);
    return courses;
}

}  // namespace

std::vector<algebra::WaitCourse> waitCourses(const patterns::JudgedTrace& run, workers::Workers& workers) {
    const Division division(static_cast<Ticks>(run.trace.definitions.clock.length));
    std::vector<Courses> byLocation(run.trace.locations.size());
    workers.forEach(byLocation.size(),
                    [&](std::size_t i) { byLocation[i] = coursesOf(run, trace::LocationId(i), division); });
    Courses all;
    for (const Courses& local : byLocation)
        for (const auto& [metric, parts] : local)
            for (std::size_t i = 0; i < kCourseParts; ++i) all[metric][i].add(parts[i]);
    const auto perSecond = static_cast<double>(run.trace.definitions.clock.ticksPerSecond);
    std::vector<algebra::WaitCourse> courses;
    for (const auto& [metric, parts] : all) {
        courses.push_back({metric, {}, {}, {}});
        for (const Part& part : parts) {
            const auto ticks = static_cast<double>(part.ticks);
            courses.back().typical.push_back(part.ticks > 0 ? part.squares / ticks / perSecond : 0);
            courses.back().seconds.push_back(run.trace.definitions.seconds(part.ticks));
            courses.back().waits.push_back(static_cast<double>(part.waits));
        }
    }
    return courses;
}

}  // namespace holos::analyzer::assemble
