// SPDX-License-Identifier: BSD-3-Clause
#include "report/query/iterations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "algebra/operators/history/provenance.h"
#include "algebra/operators/history/recorded_run.h"
#include "base/error.h"
#include "base/text.h"
#include "report/query/database.h"

namespace holos::query {

namespace {

constexpr double kWorthALook = 0.05;  ///< of an iteration

/// Seconds of one part in all iterations.
using Course = std::vector<double>;

/// Rows of a name, an iteration and seconds.
class Sums final : public Answer {
  public:
    using Take = std::function<void(const std::vector<Cell>& row, std::size_t iteration, double seconds)>;
    explicit Sums(Take take) : take_(std::move(take)) {}
    void begin(const std::vector<AnswerColumn>&) override {}
    void row(const std::vector<Cell>& cells) override {
        const auto* iteration = std::get_if<std::int64_t>(&cells[cells.size() - 2]);
        const auto* seconds = std::get_if<double>(&cells.back());
        if (iteration != nullptr && seconds != nullptr && *iteration > 0)
            take_(cells, static_cast<std::size_t>(*iteration) - 1, *seconds);
    }
    void end() override {}

  private:
    Take take_;
};

std::string cellText(const Cell& cell) {
    const auto* text = std::get_if<std::string>(&cell);
    return text == nullptr ? std::string() : *text;
}

/// Middle ones of an even number: their mean. 0 of none.
double medianOf(Course values) {
    if (values.empty()) return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    if (values.size() % 2 == 1) return *middle;
    return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

/// How far values are usually from their median, as a standard deviation, whatever a few of them are.
double usualDeviation(const Course& values, double median) {
    constexpr double kOfNormal = 1.4826;  // standard deviation / median deviation of a normal distribution
    Course far;
    far.reserve(values.size());
    for (const double value : values) far.push_back(std::abs(value - median));
    return kOfNormal * medianOf(std::move(far));
}

/// What a part changed by, and what that is in most iterations.
struct Change {
    Course seconds;
    double typical = 0;
};
using Changes = std::map<std::string, Change>;

Course differences(const Course& before, const Course& after, std::size_t count) {
    const auto at = [](const Course& course, std::size_t i) { return i < course.size() ? course[i] : 0.0; };
    Course all(count);
    for (std::size_t i = 0; i < count; ++i) all[i] = at(after, i) - at(before, i);
    return all;
}

/// Of the parts that either has.
Changes changesOf(const IterationTimes& before, const IterationTimes& after, std::size_t count) {
    static const Course kNone;
    Changes changes;
    const auto add = [&](const std::string& part) {
        const auto [change, isNew] = changes.try_emplace(part);
        if (!isNew) return;
        const auto courseIn = [&](const IterationTimes& run) -> const Course& {
            const auto found = run.parts.find(part);
            return found == run.parts.end() ? kNone : found->second;
        };
        change->second.seconds = differences(courseIn(before), courseIn(after), count);
        change->second.typical = medianOf(change->second.seconds);
    };
    for (const auto& [part, course] : before.parts) add(part);
    for (const auto& [part, course] : after.parts) add(part);
    return changes;
}

/// The largest ones that go the same way as the whole, as far as they are worth saying; none where they are
/// less than half of it, so that it has other reasons.
std::vector<IterationReason> largest(std::vector<IterationReason> all, double whole) {
    constexpr std::size_t kMost = 3;
    constexpr double kWorthSaying = 0.1;
    constexpr double kOfTheWhole = 0.5;
    std::erase_if(all, [whole](const IterationReason& each) {
        return whole == 0 || each.seconds / whole < kWorthSaying;
    });
    std::ranges::stable_sort(all, std::greater(),
                             [](const IterationReason& each) { return std::abs(each.seconds); });
    if (all.size() > kMost) all.resize(kMost);
    double together = 0;
    for (const IterationReason& each : all) together += each.seconds;
    if (std::abs(together) < kOfTheWhole * std::abs(whole)) all.clear();
    return all;
}

std::vector<IterationReason> reasonsFor(std::size_t iteration, double excess, const Changes& changes) {
    std::vector<IterationReason> all;
    for (const auto& [part, change] : changes)
        all.push_back({part, change.seconds[iteration] - change.typical});
    return largest(std::move(all), excess);
}

/// Iterations that change by more than others do by chance, and by more than is worth a look.
std::vector<OddIteration> oddOnes(const Course& before, const Course& after, const Changes& changes) {
    constexpr double kDeviations = 5;
    const Course change = differences(before, after, std::min(before.size(), after.size()));
    const double typical = medianOf(change);
    const double least =
        std::max(kDeviations * usualDeviation(change, typical), kWorthALook * medianOf(after));
    std::vector<OddIteration> odd;
    for (std::size_t i = 0; i < change.size(); ++i) {
        const double excess = change[i] - typical;
        if (std::abs(excess) > least)
            odd.push_back({i + 1, before[i], after[i], excess, reasonsFor(i, excess, changes)});
    }
    std::ranges::stable_sort(odd, std::greater(),
                             [](const OddIteration& each) { return std::abs(each.excess); });
    return odd;
}

/// How many processes have the loop.
std::size_t processesOf(Run& run) {
    std::size_t processes = 0;
    for (std::size_t process = 0; process < run.records().definitions().processes.size(); ++process)
        if (!run.records().iterations(analyzer::trace::ProcessId(process)).begins.empty()) ++processes;
    return processes;
}

/// Lengths, as the mean of the processes that have the loop, and times of the first of these.
void addLengths(Run& run, IterationTimes& times) {
    const analyzer::trace::Definitions& definitions = run.records().definitions();
    std::size_t processes = 0;
    for (std::size_t process = 0; process < definitions.processes.size(); ++process) {
        const analyzer::Iterations& all = run.records().iterations(analyzer::trace::ProcessId(process));
        if (all.begins.empty()) continue;
        if (processes++ == 0) {
            for (const analyzer::trace::Ticks begin : all.begins)
                times.begins.push_back(definitions.seconds(begin));
            times.end = definitions.seconds(all.end);
        }
        times.seconds.resize(std::max(times.seconds.size(), all.begins.size()));
        for (std::size_t i = 0; i < all.begins.size(); ++i)
            times.seconds[i] += definitions.seconds(
                (i + 1 < all.begins.size() ? all.begins[i + 1] : all.end) - all.begins[i]);
    }
    for (double& each : times.seconds) each /= static_cast<double>(processes);
}

}  // namespace

IterationTimes readIterationLengths(Run& run) {
    IterationTimes times;
    const auto& loop = run.records().iterationPath();
    if (!loop)
        throw Error(
            "no loop is found whose iterations all processes have ('holos query' says how they are found)",
            Place{.file = run.archive().string()});
    times.loop = *loop;
    addLengths(run, times);
    return times;
}

IterationTimes readIterationTimes(Run& run) {
    IterationTimes times = readIterationLengths(run);
    const auto processes = static_cast<double>(processesOf(run));
    times.waits.resize(times.seconds.size());
    const auto add = [&](const std::string& part, std::size_t iteration, double seconds) {
        Course& course = times.parts[part];
        course.resize(times.seconds.size());
        if (iteration < course.size()) course[iteration] += seconds / processes;
    };
    Database database(run);
    Sums own([&](const std::vector<Cell>& row, std::size_t iteration, double seconds) {
        add(cellText(row[0]), iteration, seconds);
    });
    database.ask(
        "SELECT call_path, iteration, sum(own) FROM calls WHERE thread = 0 AND iteration > 0 GROUP BY 1, 2",
        {}, own);
    Sums waits([&](const std::vector<Cell>& row, std::size_t iteration, double seconds) {
        const std::string path = cellText(row[1]), culprit = cellText(row[2]);
        add(cellText(row[0]) + " in " + path + (culprit.empty() ? "" : " (waiting for " + culprit + ")"),
            iteration, seconds);
        add(path, iteration, -seconds);
        if (iteration < times.waits.size()) times.waits[iteration] += seconds / processes;
    });
    database.ask(
        "SELECT name, call_path, culprit_path, iteration, sum(duration) FROM waits WHERE thread = 0 AND "
        "iteration > 0 GROUP BY 1, 2, 3, 4",
        {}, waits);
    return times;
}

IterationComparison compareIterations(const IterationTimes& run) {
    IterationComparison all;
    all.after = run.seconds;
    all.medianBefore = all.medianAfter = medianOf(run.seconds);
    const Course usual(run.seconds.size(), all.medianAfter);
    all.odd = oddOnes(usual, run.seconds, changesOf({}, run, run.seconds.size()));
    return all;
}

IterationComparison compareIterations(const IterationTimes& before, const IterationTimes& after) {
    IterationComparison all;
    all.before = before.seconds;
    all.after = after.seconds;
    const std::size_t count = std::min(before.seconds.size(), after.seconds.size());
    const auto firstOf = [count](const Course& course) {
        return Course(course.begin(), course.begin() + static_cast<std::ptrdiff_t>(count));
    };
    all.medianBefore = medianOf(firstOf(before.seconds));
    all.medianAfter = medianOf(firstOf(after.seconds));
    const Changes changes = changesOf(before, after, count);
    std::vector<IterationReason> typical;
    for (const auto& [part, change] : changes) typical.push_back({part, change.typical});
    all.typical = largest(std::move(typical), medianOf(differences(before.seconds, after.seconds, count)));
    all.odd = oddOnes(firstOf(before.seconds), firstOf(after.seconds), changes);
    return all;
}

std::optional<std::string> otherLoopText(const NamedIterations& before, const NamedIterations& after) {
    const auto function = [](const std::string& path) {
        const std::string withoutPlace = path.substr(0, path.rfind(" @"));
        return withoutPlace.substr(withoutPlace.rfind('/') + 1);
    };
    if (function(before.times.loop) == function(after.times.loop)) return std::nullopt;
    return fmt::format(
        "the iterations of {} begin with {}, those of {} with {}: it is not known whether they do the same work",
        before.name, before.times.loop, after.name, after.times.loop);
}

std::string reasonText(const std::vector<IterationReason>& reasons) {
    std::string text;
    for (const IterationReason& each : reasons)
        text += fmt::format("{}{} {:+.3g} s", text.empty() ? "" : "; ", each.part, each.seconds);
    return text;
}

namespace {

std::string because(const std::vector<IterationReason>& reasons) {
    return reasons.empty() ? std::string() : ", because of " + reasonText(reasons);
}

/// Iterations `20, 40 and 50`, and how many more.
std::string numbersOf(const std::vector<const OddIteration*>& odd) {
    constexpr std::size_t kMost = 5;
    std::string text;
    for (std::size_t i = 0; i < std::min(kMost, odd.size()); ++i)
        text += fmt::format("{}{}", i == 0 ? "" : i + 1 == odd.size() ? " and " : ", ", odd[i]->number);
    if (odd.size() > kMost) text += fmt::format(" and {} more", odd.size() - kMost);
    return text;
}

/// Of those that became longer, or shorter, with the reasons of the one that did so most.
std::optional<std::string> oddSentence(const IterationComparison& all, bool isLonger) {
    std::vector<const OddIteration*> odd;
    for (const OddIteration& each : all.odd)
        if ((each.excess > 0) == isLonger) odd.push_back(&each);
    if (odd.empty()) return std::nullopt;
    const OddIteration& most = *odd.front();
    return fmt::format(
        "{} {} took {} than the usual change explains: {} took {:.3g} s instead of {:.3g} s{}.",
        odd.size() == 1 ? "Iteration" : "Iterations", numbersOf(odd), isLonger ? "more time" : "less time",
        odd.size() == 1 ? "it" : fmt::format("number {}", most.number), most.after, most.before,
        because(most.reasons));
}

/// Which loops are compared. One function may be called in several places: each run is told with its own.
std::string loopsText(const NamedIterations& before, const NamedIterations& after) {
    if (before.times.loop == after.times.loop) return " of " + after.times.loop;
    return fmt::format(" (of {} in {}, of {} in {})", before.times.loop, before.name, after.times.loop,
                       after.name);
}

}  // namespace

std::vector<std::string> changeSentences(const NamedIterations& before, const NamedIterations& after) {
    if (otherLoopText(before, after)) return {};
    const IterationComparison all = compareIterations(before.times, after.times);
    const double change = all.medianAfter - all.medianBefore;
    const bool isWorthALook = std::abs(change) > kWorthALook * all.medianBefore;
    std::vector<std::string> sentences{
        fmt::format("{}{} took {:.3g} s each in {} and {:.3g} s in {} (medians){}.",
                    counted(std::min(all.before.size(), all.after.size()), "iteration"),
                    loopsText(before, after), all.medianBefore, before.name, all.medianAfter, after.name,
                    isWorthALook ? because(all.typical) : "")};
    for (const bool isLonger : {true, false})
        if (auto sentence = oddSentence(all, isLonger)) sentences.push_back(std::move(*sentence));
    return sentences;
}

namespace {

std::uint64_t eventsOf(Run& run) {
    std::uint64_t events = 0;
    for (const auto& location : run.records().definitions().locations) events += location.events;
    return events;
}

/// Whether it is the analysis of a whole trace, which then is beside it.
bool isAnalysis(const algebra::Experiment& experiment) {
    const auto origin = algebra::provenanceOf(experiment);
    return origin && origin->operation == "analyze" && !algebra::partOfRun(experiment);
}

}  // namespace

std::vector<std::string> changeSentencesOfFiles(const RunOfFile& before, const RunOfFile& after) {
    constexpr std::uint64_t kSoonRead = 10'000'000;
    if (!isAnalysis(before.experiment) || !isAnalysis(after.experiment)) return {};
    try {
        Run first(before.file, {}), second(after.file, {});
        const bool areThere = first.hasTrace() && second.hasTrace() && first.archive() != second.archive();
        if (!areThere || eventsOf(first) + eventsOf(second) > kSoonRead) return {};
        return changeSentences({before.name, readIterationTimes(first)},
                               {after.name, readIterationTimes(second)});
    } catch (const Error&) {  // what can be said of the experiments is said
        return {};
    }
}

}  // namespace holos::query
