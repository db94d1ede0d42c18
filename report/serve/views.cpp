// SPDX-License-Identifier: BSD-3-Clause
#include "report/serve/views.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "algebra/model/source_lines.h"
#include "algebra/operators/aggregates.h"
#include "algebra/operators/derive/derive.h"
#include "algebra/operators/diff.h"
#include "algebra/operators/merge.h"
#include "algebra/operators/only.h"
#include "algebra/operators/rows/regroup.h"
#include "analyzer/analyze.h"
#include "analyzer/recorded_facts.h"
#include "analyzer/trace/anchor.h"
#include "base/error.h"
#include "base/number.h"
#include "base/stopped.h"
#include "report/serve/server.h"
#include "report/tables/notes.h"

namespace holos::serve {

using namespace algebra;

namespace {

constexpr std::size_t kMostNamed = 256;

struct NamesOfPart {
    std::string_view word;
    std::vector<std::string> Part::*list;
    bool isRow;  ///< names are keys of rows, which stay escaped
    const char* before;
    const char* after = "";
};
constexpr std::array<NamesOfPart, 4> kNames{
    {{"only-system", &Part::places, true, ""},
     {"only-call", &Part::callPaths, true, "in "},
     {"only-region", &Part::regions, false, "calls of ", " (without callees)"},
     {"only-kind", &Part::kinds, false, "calls that belong to ", " (without callees of other kinds)"}}};

[[noreturn]] void refuse(std::string_view word) {
    throw Error("part: not understood: '" + std::string(word) + "'");
}

double secondsIn(std::string_view text, std::string_view word) {
    const auto seconds = asFiniteNumber(text);
    if (!seconds) refuse(word);
    return *seconds;
}

Part::Range rangeIn(std::string_view text, std::string_view word) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) refuse(word);
    const Part::Range range{secondsIn(text.substr(0, colon), word), secondsIn(text.substr(colon + 1), word)};
    if (range.from < 0.0 || range.from >= range.to) refuse(word);
    return range;
}

std::string exactly(double seconds) {
    std::array<char, 32> text{};
    const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), seconds);
    return {text.data(), end};
}

/// `node 1 / MPI Rank 1`; of long keys the end.
std::string rowText(std::string_view key) {
    const std::size_t last = key.rfind('/');
    const std::size_t begin =
        last == std::string_view::npos || last == 0 ? std::string_view::npos : key.rfind('/', last - 1);
    std::string text = begin == std::string_view::npos ? "" : "… / ";
    for (const char each : key.substr(begin == std::string_view::npos ? 0 : begin + 1))
        text += each == '/' ? std::string(" / ") : std::string(1, each);
    return linkUnescaped(text).value_or(text);
}

std::size_t nodeOf(const ShownExperiment& shown, Tree tree, const std::string& key) {
    const auto node = shown.withKey(tree, key);
    if (!node) throw Error("this part of the run has no " + linkUnescaped(key).value_or(key));
    return *node;
}

std::vector<bool> locationsIn(const ShownExperiment& shown, const std::vector<std::string>& places) {
    const SystemTree& system = shown.experiment().system;
    std::vector<bool> isIn(shown.nodes(Tree::System), false);
    for (const std::string& place : places) isIn[nodeOf(shown, Tree::System, place)] = true;
    const std::size_t first = isIn.size() - system.locations.size();
    std::vector<bool> locations(system.locations.size());
    for (std::size_t at = 0; at < locations.size(); ++at)
        for (std::optional up = first + at; up; up = shown.parentOf(Tree::System, *up))
            if (isIn[*up]) locations[at] = true;
    return locations;
}

bool hasName(const std::vector<std::string>& names, const std::string& name) {
    return names.empty() || std::ranges::find(names, name) != names.end();
}

std::vector<bool> callPathsIn(const ShownExperiment& shown, const Part& part) {
    const Experiment& experiment = shown.experiment();
    const CallTree& tree = experiment.callTree;
    std::vector<bool> isIn(tree.size(), part.callPaths.empty());
    for (const std::string& key : part.callPaths) isIn[nodeOf(shown, Tree::Calls, key)] = true;
    for (const CallPathId path : tree.ids())
        if (const auto above = tree.parent(path); above && isIn[above->index()]) isIn[path.index()] = true;
    for (const CallPathId path : tree.ids()) {
        const Region& region = experiment.regionOf(path);
        if (!hasName(part.regions, region.name) || !hasName(part.kinds, belongingOf(region)))
            isIn[path.index()] = false;
    }
    return isIn;
}

}  // namespace

Part partFrom(std::string_view words) {
    Part part;
    std::size_t count = 0;
    while (!words.empty()) {
        const std::string_view word = words.substr(0, words.find(','));
        words.remove_prefix(std::min(word.size() + 1, words.size()));
        const std::size_t equals = std::min(word.find('='), word.size());
        const std::string_view value = word.substr(std::min(equals + 1, word.size()));
        if (value.empty() || ++count > kMostNamed) refuse(word);
        if (word.substr(0, equals) == "range") {
            part.range = rangeIn(value, word);
            continue;
        }
        const auto known = std::ranges::find(kNames, word.substr(0, equals), &NamesOfPart::word);
        const auto name = linkUnescaped(value);
        if (known == kNames.end() || !name) refuse(word);
        (part.*known->list).push_back(known->isRow ? std::string(value) : *name);
    }
    return part;
}

std::string partWords(const Part& part) {
    std::string words;
    const auto add = [&words](const std::string& word) { words += (words.empty() ? "" : ",") + word; };
    if (part.range) add("range=" + exactly(part.range->from) + ':' + exactly(part.range->to));
    for (const NamesOfPart& names : kNames)
        for (const std::string& name : part.*names.list)
            add(std::string(names.word) + '=' + (names.isRow ? name : linkEscaped(name)));
    return words;
}

std::string partText(const Part& part) {
    std::string text;
    const auto add = [&text](const std::string& one) { text += (text.empty() ? "" : ", ") + one; };
    if (part.range) add(exactly(part.range->from) + " s to " + exactly(part.range->to) + " s");
    for (const NamesOfPart& names : kNames)
        for (const std::string& name : part.*names.list)
            add(names.before + (names.isRow ? rowText(name) : name) + names.after);
    return text;
}

ExperimentPtr partOf(const ShownExperiment& whole, const Part& part) {
    if (!part.isOfTrees()) return whole.shared();
    Part named = part;
    named.range.reset();
    Only only;
    only.name = partText(named);
    if (!part.places.empty()) only.locations = locationsIn(whole, part.places);
    named.places.clear();
    if (named.isOfTrees()) only.callPaths = callPathsIn(whole, part);
    return std::make_shared<const Experiment>(algebra::only(copyOf(whole.experiment()), only));
}

namespace {

/// Of what is made: each may take as much memory as an experiment.
constexpr std::size_t kKeptViews = 6;
constexpr std::size_t kKeptRanges = 2;
constexpr std::size_t kMostCombined = 64;

std::size_t numberIn(std::string_view text, std::size_t subjects) {
    const auto number = asNumber<std::size_t>(text);
    if (!number) throw Error("experiment: expected a number, not '" + std::string(text) + "'");
    if (*number >= subjects) throw Error("experiment: there is no " + std::to_string(*number));
    return *number;
}

std::vector<std::size_t> numbersIn(std::string_view text, char between, std::size_t subjects) {
    std::vector<std::size_t> numbers;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::string_view one = text.substr(begin, text.find(between, begin) - begin);
        begin += one.size() + 1;
        numbers.push_back(numberIn(one, subjects));
        if (numbers.size() > kMostCombined) throw Error("experiment: too many of them");
    }
    return numbers;
}

std::string experimentName(const View& view, const std::string& part,
                           const std::vector<std::size_t>& versions) {
    std::string name = std::to_string(static_cast<int>(view.how));
    for (std::size_t at = 0; at < view.of.size(); ++at)
        name += ' ' + std::to_string(view.of[at]) + '.' + std::to_string(versions[at]);
    return name + ' ' + part;
}

Experiment combined(Combined how, const Inputs& inputs) {
    switch (how) {
        case Combined::Difference:
            return diff(inputs[0], inputs[1]);
        case Combined::Mean:
            return mean(inputs);
        default:
            return merge(inputs);
    }
}

}  // namespace

View viewFrom(const std::string& experiments, const std::string& part, std::size_t subjects) {
    View view{.part = partFrom(part)};
    const std::string_view text = experiments;
    constexpr std::string_view kMean = "mean:", kMerge = "merge:";
    if (text.starts_with(kMean)) {
        view.how = Combined::Mean;
        view.of = numbersIn(text.substr(kMean.size()), ',', subjects);
    } else if (text.starts_with(kMerge)) {
        view.how = Combined::Merged;
        view.of = numbersIn(text.substr(kMerge.size()), ',', subjects);
    } else if (!text.empty()) {
        view.of = numbersIn(text, '-', subjects);
        if (view.of.size() > 2) throw Error("experiment: a difference is of two");
        if (view.of.size() == 2) view.how = Combined::Difference;
    }
    if (view.how != Combined::One && view.part.range)
        throw Error("a range of time is shown of one experiment, not of several together");
    return view;
}

Views::Views(const std::vector<Subject>& subjects) : workshop_(kKeptViews) {
    for (const Subject& subject : subjects)
        subjects_.push_back({std::make_shared<ShownExperiment>(subject.experiment), subject.trace, 0});
}

std::shared_ptr<ShownExperiment> Views::whole(std::size_t subject) const {
    const std::lock_guard lock(mutex_);
    return subjects_[subject].shown;
}

void Views::renew(std::size_t subject, const ExperimentPtr& experiment, const std::filesystem::path& trace) {
    auto shown = std::make_shared<ShownExperiment>(experiment);
    const std::lock_guard lock(mutex_);
    std::swap(subjects_[subject].shown, shown);
    subjects_[subject].trace = trace;
    ++subjects_[subject].version;
}

std::shared_ptr<ShownExperiment> Views::shown(const View& view, Moment until) {
    const bool isWhole = !view.part.range && !view.part.isOfTrees();
    std::vector<Shown> of;
    std::vector<std::size_t> versions;
    std::filesystem::path trace;
    {
        const std::lock_guard lock(mutex_);
        for (const std::size_t each : view.of) {
            of.push_back(subjects_[each].shown);
            versions.push_back(subjects_[each].version);
        }
        trace = subjects_[view.of.front()].trace;
    }
    if (view.how == Combined::One && isWhole) return of.front();
    const auto make = [this, view, of = std::move(of), trace](const Progress& tell) {
        return made(view, of, trace, tell);
    };
    return workshop_.take(experimentName(view, partWords(view.part), versions), make, until);
}

std::shared_ptr<ShownExperiment> Views::made(const View& view, const std::vector<Shown>& of,
                                             const std::filesystem::path& trace, const Progress& tell) {
    Shown whole = of.front();
    if (view.how != Combined::One) {
        Inputs inputs;
        for (const Shown& each : of) inputs.emplace_back(each->experiment());
        whole =
            std::make_shared<ShownExperiment>(std::make_shared<const Experiment>(combined(view.how, inputs)));
    } else if (view.part.range) {
        if (trace.empty())
            throw Error("a range of time cannot be shown: no trace lies beside this experiment");
        whole = rangeOf(trace, *view.part.range, tell);
    }
    if (!view.part.isOfTrees()) return whole;
    return std::make_shared<ShownExperiment>(partOf(*whole, view.part));
}

std::shared_ptr<ShownExperiment> Views::rangeOf(const std::filesystem::path& trace, const Part::Range& range,
                                                const Progress& tell) {
    for (const OfRange& known : ranges_)
        if (known.trace == trace && known.range.from == range.from && known.range.to == range.to)
            return known.shown;
    analyzer::AnalysisOptions options;
    options.range = analyzer::RunRange{range.from, range.to};
    options.progress = [&tell](const analyzer::AnalysisProgress& done) { tell(done.part); };
    Experiment experiment = analyzer::analyze(trace, options).experiment;
    analyzer::addRecordedFacts(experiment, trace.parent_path());
    experiment = applySpecification(std::move(experiment), "auto");
    auto shown = std::make_shared<ShownExperiment>(std::make_shared<const Experiment>(std::move(experiment)));
    ranges_.push_front({trace, range, shown});
    if (ranges_.size() > kKeptRanges) ranges_.pop_back();
    return shown;
}

namespace {

constexpr int kTimesAsLong = 9;

}  // namespace

Subject recordedSoFar(const std::filesystem::path& folder, const std::function<void()>& check) {
    tables::RecordedSoFar so = tables::recordedSoFar(folder, check);
    return {.name = folder.string(),
            .experiment = std::make_shared<const algebra::Experiment>(std::move(so.experiment)),
            .trace = so.isWholeRun ? analyzer::trace::findAnchor(folder) : std::filesystem::path(),
            .live = so.text};
}

LiveRuns::LiveRuns(std::vector<Run> runs, Uses uses) : runs_(std::move(runs)), uses_(std::move(uses)) {
    if (!runs_.empty()) thread_ = std::thread([this] { work(); });
}

LiveRuns::~LiveRuns() {
    {
        const std::lock_guard lock(mutex_);
        isOver_ = true;
    }
    isOverNow_.notify_all();
    if (thread_.joinable()) thread_.join();
}

/// False when this object goes.
bool LiveRuns::rest(std::chrono::nanoseconds time) {
    std::unique_lock lock(mutex_);
    return !isOverNow_.wait_for(lock, time, [this] { return isOver_; });
}

bool LiveRuns::renewed(const Run& run) {
    try {
        const Subject subject = recordedSoFar(run.folder, [this] {
            const std::lock_guard lock(mutex_);
            if (isOver_) throw Stopped();
        });
        uses_.renew(run.number, subject);
        return !subject.live.empty();
    } catch (const Stopped&) {
        return false;
    } catch (const std::exception&) {  // what was there before stays, and says what it is
        return true;
    }
}

void LiveRuns::work() {
    auto pause = std::chrono::nanoseconds(uses_.leastRest);
    while (!runs_.empty() && rest(pause)) {
        if (!uses_.isLookedAt()) continue;
        const auto begin = std::chrono::steady_clock::now();
        std::erase_if(runs_, [this](const Run& run) { return !renewed(run); });
        pause = std::max<std::chrono::nanoseconds>(uses_.leastRest,
                                                   kTimesAsLong * (std::chrono::steady_clock::now() - begin));
    }
}

}  // namespace holos::serve
