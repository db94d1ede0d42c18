// SPDX-License-Identifier: BSD-3-Clause
#include "validation/validation.h"

#include <algorithm>

#include "base/error.h"
#include "tracing/counters/selection.h"
#include "validation/counting.h"
#include "validation/microbenchmark.h"
#include "validation/processors.h"

namespace holos::validation {

namespace {

/// Events that are counted in the same runs of a microbenchmark.
struct Group {
    std::vector<std::string> events;
    const Microbenchmark* benchmark;
};

std::optional<std::string> whyNotCounted(const std::string& event) {
    try {
        counters::Selection({event}).open();
        return std::nullopt;
    } catch (const Error& error) {
        return error.what();
    }
}

bool predicts(const Microbenchmark& benchmark, const std::string& event) {
    return std::ranges::find(benchmark.events, event) != benchmark.events.end();
}

/// Events in the order in which microbenchmarks predict them.
std::vector<std::string> predictedEvents() {
    std::vector<std::string> events;
    for (const Microbenchmark& each : microbenchmarks())
        for (const char* event : each.events)
            if (std::ranges::find(events, event) == events.end()) events.emplace_back(event);
    return events;
}

/// The events that can be counted; the others become `omitted`.
std::vector<std::string> countedEvents(const Request& request, Validation& validation) {
    std::vector<std::string> counted;
    for (const std::string& event : request.events.isAll() ? predictedEvents() : request.events.given()) {
        const auto why = whyNotCounted(event);
        if (why && !request.events.isAll()) throw Error(*why);
        if (why)
            validation.omitted[event] = *why;
        else
            counted.push_back(event);
    }
    return counted;
}

void add(const std::string& event, const Microbenchmark& benchmark, bool together,
         std::vector<Group>& groups) {
    const auto same = std::ranges::find(groups, &benchmark, &Group::benchmark);
    if (together && same != groups.end())
        same->events.push_back(event);
    else
        groups.push_back({{event}, &benchmark});
}

std::vector<Group> groupsOf(const std::vector<std::string>& events, const Request& request,
                            Validation& validation) {
    std::vector<Group> groups;
    const bool any = request.microbenchmark && !request.events.isAll();
    for (const std::string& event : events) {
        std::string why = "no microbenchmark predicts it; --microbenchmark takes any";
        bool isCounted = false;
        for (const Microbenchmark& each : microbenchmarks()) {
            const bool isWanted = !request.microbenchmark || *request.microbenchmark == each.name;
            if (!isWanted || (!any && !predicts(each, event))) continue;
            if (each.processors > processorCount()) {
                why = std::string(each.name) + " needs " + std::to_string(each.processors) + " processors";
            } else {
                add(event, each, request.together, groups);
                isCounted = true;
            }
        }
        const bool wanted = !request.microbenchmark || any;
        if (!isCounted && wanted) validation.omitted[event] = why;
    }
    for (const Group& group : groups)
        if (group.events.size() > 1) counters::Selection(group.events).open();  // says why not
    return groups;
}

std::vector<std::uint64_t> sizesOf(const Microbenchmark& benchmark, const Request& request) {
    std::vector<std::uint64_t> sizes = benchmark.sizes();
    std::erase_if(sizes, [&](std::uint64_t size) { return static_cast<double>(size) > request.largest; });
    return sizes;
}

/// Runs fresh processes and says how far it is.
class Runner {
  public:
    Runner(const Request& request, std::string holos, const Progress& progress, std::size_t cases)
        : request_(request), holos_(std::move(holos)), progress_(progress), all_(cases * request.runs) {}

    std::vector<Counted> run(const std::vector<std::string>& events, const char* benchmark,
                             std::uint64_t size) {
        std::vector<Counted> counted;
        for (std::size_t run = 0; run < request_.runs; ++run) {
            counted.push_back(countInFreshProcess(holos_, events, benchmark, size));
            if (progress_) progress_(++done_, all_);
        }
        return counted;
    }

  private:
    const Request& request_;
    std::string holos_;
    const Progress& progress_;
    std::size_t all_;
    std::size_t done_ = 0;
};

/// Of the n-th event that was counted in these runs.
Case caseOf(std::uint64_t predicted, const std::vector<Counted>& runs, std::size_t event) {
    std::vector<double> counts;
    for (const Counted& each : runs) counts.push_back(each.events.at(event));
    return validation::caseOf(static_cast<double>(predicted), counts);
}

ReadCost costOfReading(const std::string& event, Runner& runner) {
    const auto runs = runner.run({event}, kReading, 0);
    const auto fastest = std::ranges::min_element(runs, {}, &Counted::nanosecondsARead);
    return {event, fastest->nanosecondsARead, caseOf(0, runs, 0)};
}

/// A suite for each event of the group. Where a case fails, they have those before it.
std::vector<Suite> suitesOf(const Group& group, const Request& request, Runner& runner,
                            Validation& validation) {
    std::vector<Suite> suites;
    for (const std::string& event : group.events) suites.push_back({event, group.benchmark->name, 0, {}});
    try {
        for (const std::uint64_t size : sizesOf(*group.benchmark, request)) {
            const auto runs = runner.run(group.events, group.benchmark->name, size);
            for (std::size_t i = 0; i < suites.size(); ++i) suites[i].cases.push_back(caseOf(size, runs, i));
        }
    } catch (const Error& error) {
        for (const Suite& suite : suites)
            validation.omitted[suite.event + " by " + suite.microbenchmark] = error.what();
    }
    std::erase_if(suites, [](const Suite& suite) { return suite.cases.empty(); });
    return suites;
}

}  // namespace

Validation validate(const Request& request, const std::string& holos, const Progress& progress) {
    if (request.microbenchmark) microbenchmark(*request.microbenchmark);
    Validation validation;
    const auto groups = groupsOf(countedEvents(request, validation), request, validation);
    std::vector<std::string> events;
    std::size_t cases = 0;
    for (const Group& group : groups) {
        for (const std::string& event : group.events)
            if (std::ranges::find(events, event) == events.end()) events.push_back(event);
        cases += sizesOf(*group.benchmark, request).size();
    }
    Runner runner(request, holos, progress, cases + events.size());
    for (const std::string& event : events) validation.reads.push_back(costOfReading(event, runner));
    for (const Group& group : groups)
        for (Suite& suite : suitesOf(group, request, runner, validation))
            validation.suites.push_back(std::move(suite));
    return validation;
}

}  // namespace holos::validation
