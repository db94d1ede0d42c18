// SPDX-License-Identifier: BSD-3-Clause
#include "validation/validation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>

#include "base/error.h"
#include "base/json.h"
#include "base/process.h"
#include "tracing/counters/selection.h"
#include "validation/microbenchmark.h"
#include "validation/processors.h"

namespace holos::validation {

namespace {

constexpr unsigned kLongestSeconds = 60;

/// The names in an answer.
constexpr const char* kEvents = "events";
constexpr const char* kNanoseconds = "nanoseconds_a_read";
constexpr const char* kError = "error";

/// Counters in this thread.
class CountedWindow final : public Window {
  public:
    explicit CountedWindow(const std::vector<std::string>& events)
        : selection_(events),
          reader_(selection_.open()),
          first_(selection_.counters().size()),
          last_(first_.size()) {
        begin();  // the first reading is the slowest
        end();
    }
    void begin() noexcept override { good_ = reader_->read(first_.data()); }
    void end() noexcept override { good_ = reader_->read(last_.data()) && good_; }

    std::vector<double> counts() const {
        std::vector<double> counts;
        for (std::size_t i = 0; i < last_.size(); ++i) {
            const counters::Counter& counter = selection_.counters()[i];
            if (!good_) throw Error(counter.name + ": its counter stopped");
            const bool isState = counter.mode == counters::Mode::Absolute;
            counts.push_back(static_cast<double>(isState ? last_[i] : last_[i] - first_[i]));
        }
        return counts;
    }
    double nanosecondsARead() {
        constexpr int kReads = 1'000;
        const auto begin = std::chrono::steady_clock::now();
        for (int each = 0; each < kReads; ++each) end();
        return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count() /
               kReads;
    }

  private:
    counters::Selection selection_;
    std::unique_ptr<counters::Reader> reader_;
    std::vector<std::uint64_t> first_, last_;
    bool good_ = true;
};

}  // namespace

Counted countHere(const std::vector<std::string>& events, const std::string& name, std::uint64_t size) {
    ::alarm(kLongestSeconds);
    const Microbenchmark& benchmark = microbenchmark(name);
    CountedWindow window(events);
    benchmark.run(size, window);
    return {window.counts(), name == kReading ? window.nanosecondsARead() : 0.0};
}

std::string answerText(const Counted& counted) {
    return jsonText(nlohmann::json{{kEvents, counted.events}, {kNanoseconds, counted.nanosecondsARead}}) +
           '\n';
}

std::string answerText(const Error& error) {
    return jsonText(nlohmann::json{{kError, error.what()}}) + '\n';
}

Counted countInFreshProcess(const std::string& holos, const std::vector<std::string>& events,
                            const std::string& microbenchmark, std::uint64_t size) {
    const std::string names = fmt::format("{}", fmt::join(events, ","));
    const Answer answer =
        answerOf({holos, "counters", "validate", "--events", names, "--microbenchmark", microbenchmark,
                  "--format", "json", kFreshProcessOption, std::to_string(size)},
                 ErrorOutput::WithOutput);
    const std::string what = names + " by " + microbenchmark;
    if (WIFSIGNALED(answer.status))
        throw Error(what + ": ended by signal " + strsignal(WTERMSIG(answer.status)));
    const auto found = nlohmann::json::parse(answer.text, nullptr, /*allow_exceptions=*/false);
    if (!found.contains(kError) && !found.contains(kEvents))
        throw Error(what + ": " + answer.text.substr(0, answer.text.find('\n')));
    if (found.contains(kError)) throw Error(found.at(kError).get<std::string>());
    return {found.at(kEvents), found.at(kNanoseconds)};
}

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
