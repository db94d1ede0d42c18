// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/run_records.h"

#include <algorithm>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

#include "algebra/model/call_names.h"
#include "analyzer/matching/matches.h"
#include "analyzer/memory/records.h"
#include "analyzer/patterns/search.h"
#include "analyzer/read_trace.h"
#include "analyzer/trace/anchor.h"
#include "analyzer/trace/definitions_reader.h"

namespace holos::analyzer {

using trace::LocationId;
using trace::ProcessId;
using trace::Ticks;

namespace {

/// Of a call path that comes again: when first, and until when.
struct Recurrence {
    std::uint64_t calls = 0;
    Ticks first = std::numeric_limits<Ticks>::max();
    Ticks last = 0;  ///< begin of the last one
    Ticks end = 0;
    Ticks inside = 0;  ///< the calls

    Ticks span() const { return calls == 0 ? 0 : end - first; }
};

/// When the calls of each node of a location are.
class RecurrenceFinder final : public replay::CallListener {
  public:
    void left(const replay::LeftCall& call) override {
        if (ofNode_.size() <= call.node.index()) ofNode_.resize(call.node.index() + 1);
        Recurrence& known = ofNode_[call.node.index()];
        ++known.calls;
        known.first = std::min(known.first, call.enter);
        known.last = std::max(known.last, call.enter);
        known.end = std::max(known.end, call.leave);
        known.inside += call.leave - call.enter;
    }
    const std::vector<Recurrence>& ofNode() const { return ofNode_; }

  private:
    std::vector<Recurrence> ofNode_;
};

/// When the calls of one node begin.
class BeginFinder final : public replay::CallListener {
  public:
    explicit BeginFinder(replay::NodeId node) : node_(node) {}
    void left(const replay::LeftCall& call) override {
        if (call.node == node_) begins_.push_back(call.enter);
    }
    std::vector<Ticks> take() {
        std::ranges::sort(begins_);
        return std::move(begins_);
    }

  private:
    replay::NodeId node_;
    std::vector<Ticks> begins_;
};

using Recurrences = std::map<algebra::CallPathId, Recurrence>;

/// Twice may be chance: before and after the loop.
constexpr std::uint64_t kFewestIterations = 3;

/// The calls are those of one call in each iteration or of several, in many iterations one more or less; or
/// of one in every so many iterations. The more calls in each, the less one more or less says: of 8
/// iterations, 87 calls are eleven in each but one by chance.
bool fits(std::uint64_t calls, std::uint64_t iterations) {
    constexpr std::uint64_t kMany = 8;  // for each call in an iteration
    if (calls < iterations) return iterations % calls == 0;
    const std::uint64_t rest = calls % iterations;
    const std::uint64_t inEach = (calls + 1) / iterations;
    return rest == 0 || (iterations >= kMany * inEach && (rest == 1 || rest + 1 == iterations));
}

/// How well the calls of a path tell iterations: by the paths that mostly lie within the time of its calls.
struct Fit {
    std::size_t within = 0;
    std::size_t fitting = 0;  ///< whose number of calls fits to its own
    std::size_t equals = 0;   ///< that come as often

    /// Where calls from different places count as one path, their numbers fit to nothing.
    bool isGood() const { return 4 * fitting >= 3 * within; }
};

Fit fitOf(const Recurrence& loop, const Recurrences& ofPath) {
    Fit fit;
    for (const auto& [path, known] : ofPath) {
        const Ticks common = std::min(known.end, loop.end) - std::max(known.first, loop.first);
        if (known.calls < kFewestIterations || 2 * common < known.span()) continue;
        ++fit.within;
        if (fits(known.calls, loop.calls)) ++fit.fitting;
        if (known.calls == loop.calls) ++fit.equals;
    }
    return fit;
}

/// Call paths of which one may tell the iterations, the best first: what several paths do equally often is a
/// loop rather than what is done in some iterations only. None where nothing is repeated for a hundredth of
/// the run: that is a few calls in a row, such as one for each dimension of a grid.
std::vector<algebra::CallPathId> candidates(const Recurrences& ofPath, Ticks run) {
    constexpr Ticks kShare = 100;
    Ticks longest = 0;
    for (const auto& [path, known] : ofPath)
        if (known.calls >= kFewestIterations) longest = std::max(longest, known.span());
    if (longest < run / kShare) return {};
    std::map<std::uint64_t, Fit> fitBy;  // of equal numbers of calls the first path
    std::vector<algebra::CallPathId> found;
    for (const auto& [path, known] : ofPath) {
        if (known.calls < kFewestIterations || known.span() < longest - longest / 4) continue;
        const auto fit = fitBy.try_emplace(known.calls, fitOf(known, ofPath)).first;
        if (fit->second.isGood()) found.push_back(path);
    }
    std::ranges::stable_sort(found, [&](algebra::CallPathId a, algebra::CallPathId b) {
        const auto rank = [&](algebra::CallPathId path) {
            const Recurrence& known = ofPath.at(path);
            return std::tuple(fitBy.at(known.calls).equals < 2, known.calls, known.first, path);
        };
        return rank(a) < rank(b);
    });
    return found;
}

std::string pathText(const paths::MergedTree& merged, const trace::Definitions& definitions,
                     const std::vector<std::string>& before, algebra::CallPathId path) {
    const algebra::Region& region = merged.regions[merged.tree[path].region.index()];
    std::string own = algebra::callText(region.name, paths::callPathOf(merged.tree[path], definitions));
    const auto parent = merged.tree.parent(path);
    return parent ? before[parent->index()] + '/' + own : own;
}

}  // namespace

std::size_t Iterations::at(Ticks time) const {
    if (begins.empty() || time < begins.front() || time >= end) return 0;
    return static_cast<std::size_t>(std::ranges::upper_bound(begins, time) - begins.begin());
}

struct RunRecords::State {
    std::filesystem::path anchor;
    RecordOptions options;
    trace::Definitions definitions;
    std::vector<trace::RegionClass> classes;
    std::unique_ptr<RecordFile> file;
    std::unique_ptr<workers::Workers> workers;
    workers::Alone alone;
    std::unique_ptr<workers::Shares> shares;
    std::unique_ptr<ProgressMeter> meter;
    std::function<void(const AnalysisProgress&)> report;  ///< empty: nobody wants to know

    // Once the trace was read.
    std::unique_ptr<replay::TeamBoard> forks;
    std::optional<replay::ReplayedCalls> replayedCalls;
    std::optional<replay::ReplayedTrace> replayedTrace;
    std::optional<matching::Matches> matches;
    std::optional<patterns::Findings> found;
    std::optional<paths::MergedTree> merged;
    std::vector<std::string> pathTexts;
    std::map<ProcessId, Recurrences> recurrences;
    bool soughtIterations = false;
    std::optional<algebra::CallPathId> iterationPath;
    std::optional<std::string> iterationText;
    std::map<ProcessId, Iterations> iterations;

    mutable std::mutex mutex;
    std::set<std::string> damage;  ///< guarded by the mutex

    std::once_flag madeNoForks;
    std::unique_ptr<replay::TeamBoard> noForks;

    void noteDamage(const std::vector<Diagnosis>& diagnoses);
    replay::TeamBoard& boardWithoutForks();
    Memory memory() const { return file ? file.get() : heap(); }
    Reading reading() { return {anchor, alone, *shares, *workers, *meter, memory()}; }
    std::optional<LocationId> mainThread(ProcessId process) const {
        for (const LocationId location : definitions[process].threads)
            if (definitions[location].kind == trace::Location::Kind::Thread) return location;
        return std::nullopt;
    }
    void readAll();
    void findIterations();
    bool isOneCall(algebra::CallPathId path) const;
    std::vector<bool> waitsOfThreads() const;
    bool isWithin(algebra::CallPathId path, algebra::CallPathId caller) const;
    bool onlyWaits(algebra::CallPathId path, const Recurrences& ofPath,
                   const std::vector<bool>& areWaits) const;
    void addBegins(ProcessId process, RunRecords& records);
};

RunRecords::RunRecords(const std::filesystem::path& archiveOrDirectory, RecordOptions options)
    : state_(std::make_unique<State>()) {
    State& state = *state_;
    state.anchor = trace::findAnchor(archiveOrDirectory);
    state.options = std::move(options);
    state.definitions = trace::readDefinitions(state.anchor);
    state.classes = trace::classifyRegions(state.definitions);
    state.shares = std::make_unique<workers::Shares>(state.definitions, 1);
    state.workers = std::make_unique<workers::Stoppable>(workers::makeThreads(state.options.threads),
                                                         state.options.stopped);
    if (state.options.progress)
        state.report = [&state](const AnalysisProgress& now) {
            if (!state.merged) state.options.progress(now.part);  // later readings are of single locations
        };
    state.meter = std::make_unique<ProgressMeter>(state.report, state.definitions, state.shares->of(0), 1,
                                                  state.options.stopped);
    if (const auto limit = state.options.memoryLimit.limit())
        state.file = std::make_unique<RecordFile>(*limit, state.options.recordFolder);
}

RunRecords::~RunRecords() = default;

const trace::Definitions& RunRecords::definitions() const {
    return state_->definitions;
}

void RunRecords::State::readAll() {
    std::map<LocationId, RecurrenceFinder> finders;
    for (std::size_t i = 0; i < definitions.processes.size(); ++i)
        if (const auto main = mainThread(ProcessId(i))) finders.try_emplace(*main);
    Reading asked = reading();
    asked.listenerOf = [&](LocationId location) -> replay::CallListener* {
        const auto finder = finders.find(location);
        return finder == finders.end() ? nullptr : &finder->second;
    };
    Replay replay = readTrace(asked, definitions, classes);
    forks = std::move(replay.forks);
    forks->settle();
    replayedCalls.emplace(
        replay::ReplayedCalls{definitions, classes, std::move(replay.calls), std::move(replay.diagnoses)});
    for (const std::vector<Diagnosis>& ofLocation : replayedCalls->diagnoses) noteDamage(ofLocation);
    replayedTrace.emplace(replay::ReplayedTrace{definitions, std::move(replay.traces)});
    auto [matched, operations] = matching::matchRecords(*replayedTrace, *workers, memory());
    matches.emplace(std::move(matched));
    found.emplace(patterns::findWaits({*replayedTrace, *matches}, std::move(operations), *workers, memory()));
    merged.emplace(paths::mergeCallTrees(*replayedCalls, *workers));
    for (const algebra::CallPathId path : merged->tree.ids())
        pathTexts.push_back(pathText(*merged, definitions, pathTexts, path));
    for (const auto& [location, finder] : finders) {
        Recurrences& ofPath = recurrences[definitions[location].process];
        for (std::size_t node = 0; node < finder.ofNode().size(); ++node)
            if (const auto path = merged->pathOf[location.index()][node];
                path && finder.ofNode()[node].calls > 0)
                ofPath[*path] = finder.ofNode()[node];
    }
    std::erase_if(recurrences, [](const auto& each) { return each.second.empty(); });
    if (options.progress) options.progress(1.0);
}

RunRecords::State& RunRecords::read() {
    if (!state_->merged) state_->readAll();
    return *state_;
}

patterns::JudgedTrace RunRecords::judged() {
    const State& state = read();
    return {*state.replayedTrace, *state.matches, state.found->waits};
}

const paths::MergedTree& RunRecords::tree() {
    return *read().merged;
}

const std::vector<std::string>& RunRecords::pathTexts() {
    return read().pathTexts;
}

/// Functions of libraries are called from many places, which are one call path where they are not known.
bool RunRecords::State::isOneCall(algebra::CallPathId path) const {
    const algebra::Region& region = merged->regions[merged->tree[path].region.index()];
    return region.paradigm != "mpi" || merged->tree[path].site != trace::kNoSite;
}

/// By call path: nothing is called there, in the end, but what waits for threads, such as `pthread_join`.
std::vector<bool> RunRecords::State::waitsOfThreads() const {
    const paths::PathTree& tree = merged->tree;
    std::vector<bool> isCaller(tree.size(), false), callsOthers(tree.size(), false), waits(tree.size());
    for (std::size_t at = tree.size(); at-- > 0;) {  // what is called stands behind its caller
        const algebra::Region& region = merged->regions[tree[algebra::CallPathId(at)].region.index()];
        const bool isStart = region.name == "pthread_create" || region.name == "thrd_create";
        const bool isWait =
            (region.paradigm == "pthread" && !isStart) || region.name == algebra::kShortageRegionName;
        waits[at] = isWait || (isCaller[at] && !callsOthers[at]);
        if (const auto parent = tree.parent(algebra::CallPathId(at))) {
            isCaller[parent->index()] = true;
            if (!waits[at]) callsOthers[parent->index()] = true;
        }
    }
    return waits;
}

bool RunRecords::State::isWithin(algebra::CallPathId path, algebra::CallPathId caller) const {
    std::optional at(path);
    while (at && *at != caller) at = merged->tree.parent(*at);
    return at.has_value();
}

/// Whether the thread waits for others all the time, from the first of these calls to the last, and does
/// nothing between two of them: then they are no iterations, but the ends of threads that were started
/// before.
bool RunRecords::State::onlyWaits(algebra::CallPathId path, const Recurrences& ofPath,
                                  const std::vector<bool>& areWaits) const {
    constexpr Ticks kTimesTheRest = 10;
    const Recurrence& waits = ofPath.at(path);
    if (kTimesTheRest * (waits.span() - waits.inside) > waits.span() || !areWaits[path.index()]) return false;
    return std::ranges::none_of(ofPath, [&](const auto& each) {
        const auto& other = each.first;
        const Recurrence& known = each.second;
        const Ticks common = std::min(known.end, waits.end) - std::max(known.first, waits.first);
        return !areWaits[other.index()] && !isWithin(path, other) && known.calls >= kFewestIterations &&
               2 * common >= known.span();
    });
}

void RunRecords::State::findIterations() {
    if (std::exchange(soughtIterations, true) || recurrences.empty()) return;
    const Recurrences& first = recurrences.begin()->second;
    const std::vector<bool> areWaits = waitsOfThreads();
    const auto run = static_cast<Ticks>(definitions.clock.length);
    for (const algebra::CallPathId path : candidates(first, run)) {
        if (!isOneCall(path) || onlyWaits(path, first, areWaits)) continue;
        const auto comesAsOften = [&](const auto& each) {
            const auto known = each.second.find(path);
            return known != each.second.end() && known->second.calls == first.at(path).calls;
        };
        if (!std::ranges::all_of(recurrences, comesAsOften)) continue;
        iterationPath = path;
        iterationText = pathTexts[path.index()];
        return;
    }
}

const std::optional<std::string>& RunRecords::iterationPath() {
    read().findIterations();
    return state_->iterationText;
}

/// The last iteration goes as far as what comes as often, or a multiple of it.
void RunRecords::State::addBegins(ProcessId process, RunRecords& records) {
    const auto known = recurrences.find(process);
    const auto main = mainThread(process);
    if (!iterationPath || known == recurrences.end() || !main) return;
    const auto& pathOf = merged->pathOf[main->index()];
    const auto node = std::ranges::find(pathOf, std::optional(*iterationPath));
    BeginFinder finder(replay::NodeId(static_cast<std::size_t>(node - pathOf.begin())));
    records.readCalls(*main, finder, true);
    Iterations& wanted = iterations[process];
    wanted.begins = finder.take();
    const std::uint64_t calls = known->second.at(*iterationPath).calls;
    for (const auto& [path, each] : known->second)
        if (each.calls % calls == 0) wanted.end = std::max(wanted.end, each.end);
}

const Iterations& RunRecords::iterations(ProcessId process) {
    read().findIterations();
    if (!state_->iterations.contains(process)) {
        state_->iterations[process];
        state_->addBegins(process, *this);
    }
    return state_->iterations[process];
}

/// For calls whose paths are not known: those of a worker stand below no fork, which nobody asks for then.
replay::TeamBoard& RunRecords::State::boardWithoutForks() {
    std::call_once(madeNoForks, [this] {
        noForks = std::make_unique<replay::TeamBoard>(definitions, replay::replayOrder(definitions));
        for (std::size_t i = 0; i < definitions.locations.size(); ++i) noForks->finish(LocationId(i));
        noForks->settle();
    });
    return *noForks;
}

void RunRecords::readCalls(LocationId location, replay::CallListener& listener, bool knowsPaths) {
    State& state = knowsPaths ? read() : *state_;
    replay::TeamBoard& forks = knowsPaths ? *state.forks : state.boardWithoutForks();
    const replay::Context context{state.definitions, state.classes, forks, false, state.memory()};
    Reading reading = state.reading();
    reading.listenerOf = [&](LocationId) { return &listener; };
    state.noteDamage(readLocation(reading, context, location).diagnoses);
}

void RunRecords::forEachLocation(const std::function<void(LocationId)>& work) {
    state_->workers->forEach(state_->definitions.locations.size(),
                             [&](std::size_t location) { work(LocationId(location)); });
}

void RunRecords::State::noteDamage(const std::vector<Diagnosis>& diagnoses) {
    const std::lock_guard lock(mutex);
    for (const Diagnosis& each : diagnoses)
        if (each.trouble == Trouble::DamagedFile) damage.insert(diagnosisText(each));
}

std::vector<std::string> RunRecords::damage() const {
    const std::lock_guard lock(state_->mutex);
    return {state_->damage.begin(), state_->damage.end()};
}

}  // namespace holos::analyzer
