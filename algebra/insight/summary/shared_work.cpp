// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/summary/shared_work.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

#include "algebra/insight/summary/starvation.h"
#include "algebra/model/processors.h"

namespace holos::algebra {

namespace {

const MetricNames kComputation{"comp"};

/// In which threads wait for others or for a processor, or manage what they do.
const MetricNames& kindsOfNoWork() {
    static const MetricNames names{"mpi",          "omp_time", "omp_idle_threads",
                                   "pthread_time", "overhead", "processor_waiting"};
    return names;
}

std::vector<double> sumOf(std::vector<double> one, const std::vector<double>& other) {
    std::ranges::transform(one, other, one.begin(), std::plus());
    return one;
}

/// Of those who are late beyond the others; all of it where all are late in turn.
double beyondOthers(const Spread& spread, const std::vector<Member>& members) {
    double beyond = 0;
    if (spread.members.empty()) {
        for (const Member& member : members) beyond += member.value;
        return beyond;
    }
    // Of a gradient all but the one with least have more than they need.
    const double others = spread.shape == Spread::Shape::Gradient
                              ? std::ranges::min(members, {}, &Member::value).value
                              : lateWorkOf(spread, members).others;
    for (const std::size_t late : spread.members) beyond += std::max(0.0, members[late].value - others);
    return beyond;
}

/// Each has its part of that afterwards. What others wait says that, too, but where processors lacked: there
/// it is more than the work makes them wait.
double gainOf(const Measures& measures, const Spread& spread, const std::vector<Member>& members) {
    const bool isLack = starvationOf(measures).seconds > 0 || measures.total("off_processor") > 0;
    const auto number = static_cast<double>(std::max<std::size_t>(1, members.size()));
    return beyondOthers(spread, members) * (isLack ? 1 - 1 / number : 1);
}

/// Each with no more than `mostOf` says of that one of its threads for which it is most; it is told what the
/// kernel counted of the thread, if anything.
template <class MostOf>
std::vector<Member> limitedTo(const Measures& measures, std::vector<Member> members, const MostOf& mostOf) {
    for (Member& member : members) {
        double most = 0;
        for (const LocationId thread : member.locations)
            most =
                std::max(most, mostOf(member, thread, processorTimeOf(measures.experiment().system[thread])));
        member.value = std::min(member.value, most);
    }
    return members;
}

/// What they do in the place that is compared.
std::vector<Member> doneThere(const LateWorkers& workers) {
    const std::vector<double> work = onProcessors(workers.measures(), workers.times(kComputation));
    const MetricNames besides = workers.areAwake() ? MetricNames{} : sleepTimes();
    return workers.members(sumOf(work, workers.times(besides)));
}

}  // namespace

std::vector<double> onProcessors(const Measures& measures, const std::vector<double>& computed) {
    const std::vector<double> off = measures.perLocation({"off_processor"}),
                              all = measures.perLocation(kComputation);
    std::vector<double> on = computed;
    for (const LocationId thread : measures.threads()) {
        const std::size_t at = thread.index();
        on[at] -= std::clamp(off[at] - (all[at] - computed[at]), 0.0, std::max(0.0, computed[at]));
        const auto counted = processorTimeOf(measures.experiment().system[thread]);
        if (counted && counted->on > 0) on[at] = std::min(on[at], counted->on);
    }
    return on;
}

double gainOfSharedWork(const LateWorkers& workers, const Spread& spread) {
    if (!workers.measures().find("comp")) return std::numeric_limits<double>::infinity();
    return gainOf(workers.measures(), spread, doneThere(workers));
}

double workOfLate(const LateWorkers& workers, std::size_t member) {
    if (!workers.measures().find("comp")) return std::numeric_limits<double>::infinity();
    return doneThere(workers)[member].value;
}

std::vector<Member> withoutLack(const Measures& measures, std::vector<Member> members) {
    const std::vector<double> times = measures.perLocation({"time"});
    return limitedTo(measures, std::move(members),
                     [&](const Member&, LocationId thread, const auto& counted) {
                         return times[thread.index()] - (counted && counted->waiting ? *counted->waiting : 0);
                     });
}

double gainOfSharedWork(const Measures& measures, const Spread& spread, std::vector<Member> members) {
    const std::vector<double> asleep = measures.perLocation({"system_waiting"});
    return gainOf(measures, spread,
                  limitedTo(measures, std::move(members),
                            [&](const Member& member, LocationId thread, const auto& counted) {
                                return counted ? counted->on + asleep[thread.index()] : member.value;
                            }));
}

bool isForNoWork(const LateWorkers& workers, const Spread& spread) {
    if (!workers.path() || !spread.members.empty()) return false;
    const LatePlace& place = workers.place();
    const std::vector<double> done = without(place.times({"time", "mpi_io", "mpi_mgmt_file"}, workers.path()),
                                             place.times(kindsOfNoWork(), workers.path()));
    const std::vector<Member> members = workers.members(done);
    const double others = static_cast<double>(members.size()) - 1;
    return others > 0 && others * beyondOthers(spread, members) < kMainPart * place.cost();
}

double gainOfIdleThreads(const Measures& measures) {
    if (!measures.find("comp")) return std::numeric_limits<double>::infinity();
    std::vector<double> done = onProcessors(measures, measures.perLocation(kComputation));
    const std::vector<double> besides = measures.perLocation({"system_waiting", "file_io"});
    double most = 0;
    for (const CountedProcess& process : measures.processes()) {
        const std::size_t first = process.threads.front().index();
        most = std::max(
            most, (done[first] + besides[first]) * (1 - 1 / static_cast<double>(process.threads.size())));
    }
    return most;
}

}  // namespace holos::algebra
