// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/predictor.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "algebra/insight/summary/starvation.h"
#include "analyzer/assemble/additions.h"
#include "analyzer/assemble/experiment_builder.h"
#include "analyzer/diagnoses.h"
#include "analyzer/matching/matches.h"
#include "analyzer/paths/call_tree_merge.h"
#include "analyzer/patterns/search.h"
#include "analyzer/predict/graph_builder.h"
#include "analyzer/predict/scenario.h"
#include "analyzer/predict/timing.h"
#include "analyzer/read_trace.h"
#include "analyzer/recorded_facts.h"
#include "analyzer/trace/anchor.h"
#include "analyzer/trace/copied_archive.h"
#include "analyzer/trace/definitions_reader.h"

namespace holos::analyzer {

using trace::Ticks;

namespace {

/// Writes each event of a location at the time that it has in a prediction, also those that the replay does
/// not ask for.
class ArchivingClock final : public replay::Clock {
  public:
    /// The graph, the shifts and the scales must outlive the clock.
    ArchivingClock(const predict::LocationGraph& graph, const predict::PackedTicks& shifts,
                   const predict::LocationScales& scales, std::unique_ptr<trace::EventCopy> copy)
        : clock_(graph, shifts, scales), copy_(std::move(copy)) {}

    /// The call path that has the time until the event has that until those before it, too.
    Ticks at(std::uint64_t event, Ticks recorded, replay::NodeId node) override {
        copy_->copyBefore(event,
                          [&](Ticks time) { return clock_.at(event, std::min(time, recorded), node); });
        const Ticks time = clock_.at(event, recorded, node);
        copy_->copyBefore(event + 1, [time](Ticks) { return time; });
        return time;
    }
    Ticks later(Ticks recorded) const override { return clock_.later(recorded); }
    void note(const replay::ClockEvent&) override {}
    /// The rest. Returns how many events were written.
    std::uint64_t finish() {
        return copy_->finish([this](Ticks recorded) { return clock_.later(recorded); });
    }
    const trace::EventCopy& copy() const { return *copy_; }

  private:
    predict::RetimedClock clock_;
    std::unique_ptr<trace::EventCopy> copy_;
};

}  // namespace

struct Prediction::State {
    predict::Scenario scenario;
    predict::Timing timing;
    double seconds = 0;
    bool changesAnything = false;
};

double Prediction::seconds() const {
    return state_->seconds;
}

bool Prediction::changesAnything() const {
    return state_->changesAnything;
}

/// What stays of a trace: how its events depend on each other, and how long each call path took between them.
struct Predictor::Run {
    std::filesystem::path anchor;
    trace::Definitions definitions;
    std::vector<trace::RegionClass> classes;
    std::vector<std::vector<trace::RegionId>> regionOf;
    std::vector<std::vector<std::optional<algebra::CallPathId>>> pathOf;
    algebra::Experiment experiment;
    std::vector<Diagnosis> diagnoses;
    replay::ReplayedTrace trace{definitions, {}};  ///< only profiles
    predict::NetworkEstimate network;
    predict::RunGraph graph;
    predict::Timing unchanged;
    ModelFacts facts;

    void read(const AnalysisOptions& options);
    void evaluate(const replay::ReplayedCalls& calls, workers::Workers& workers);
    void findFacts();
    /// When each mark would come: wanted only where the trace is read again.
    predict::Timing timesOf(const predict::Scenario& scenario) const {
        return predict::retime(graph, network.network, scenario.changes, predict::Wanted::Times);
    }
    predict::Recorded recorded() const {
        return {trace, classes, regionOf, pathOf, experiment, graph, network.network};
    }
};

void Predictor::Run::read(const AnalysisOptions& options) {
    definitions = trace::readDefinitions(anchor);
    definitions.hasAllMessages = isOwnTrace(anchor);
    classes = trace::classifyRegions(definitions);
    workers::Alone alone;
    const workers::Shares shares(definitions, 1);
    const auto workers = workers::makeThreads(options.threads);
    ProgressMeter meter(options.progress, definitions, shares.of(0), 1);
    Reading reading{anchor, alone, shares, *workers, meter};
    reading.withProfiles = true;
    Replay replay = readTrace(reading, definitions, classes);
    trace.locations = std::move(replay.traces);
    evaluate({definitions, classes, std::move(replay.calls), std::move(replay.diagnoses)}, *workers);
    meter.finish();
}

namespace {

void keepProfile(replay::LocationTrace& location) {
    replay::LocationTrace kept;
    kept.profile = std::move(location.profile);
    location = std::move(kept);
}

}  // namespace

void Predictor::Run::evaluate(const replay::ReplayedCalls& calls, workers::Workers& workers) {
    for (const replay::LocationCalls& location : calls.locations) {
        auto& regions = regionOf.emplace_back();
        for (std::size_t node = 0; node < location.tree.size(); ++node)
            regions.push_back(location.tree[replay::NodeId(node)].region);
    }
    auto [matches, operations] = matching::matchRecords(trace, workers, heap());
    const patterns::Findings found =
        patterns::findWaits({trace, matches}, std::move(operations), workers, heap());
    network = predict::estimateNetwork({trace, matches}, calls);
    matches.teams.forget();
    const patterns::JudgedTrace judged{trace, matches, found.waits};
    std::vector<Diagnosis> others = unrecordedOperations(trace, calls);
    graph = predict::GraphBuilder(judged, calls, network.network, workers).build([&](std::size_t location) {
        if (trace.locations.has(location)) keepProfile(trace.locations.own(location));
    });
    others.insert(others.end(), matches.collectives.diagnoses.begin(), matches.collectives.diagnoses.end());
    diagnoses = gatherDiagnoses(calls, matches, others);
    paths::MergedTree merged = paths::mergeCallTrees(calls, workers);
    pathOf = merged.pathOf;
    experiment = assemble::buildExperiment(calls, std::move(merged), found.severities, {}, workers);
    assemble::addHardware(experiment, calls.definitions);
    trimHeap();
    findFacts();
}

void Predictor::Run::findFacts() {
    unchanged = predict::retime(graph, network.network, {});
    Ticks begin = std::numeric_limits<Ticks>::max();
    Ticks end = std::numeric_limits<Ticks>::min();
    for (const predict::LocationGraph& location : graph.locations) {
        if (location.marks.size() == 0) continue;
        begin = std::min(begin, location.first);
        end = std::max(end, location.last);
        facts.marks += location.marks.size();
    }
    facts.dependencies = graph.dependencies;
    facts.recorded = begin <= end ? definitions.seconds(end - begin) : 0;
    facts.replayed = definitions.seconds(unchanged.duration());
    facts.contradicted = graph.omissions.contradicted;
    facts.inVain = graph.omissions.inVain;
    facts.unmatched = graph.omissions.unmatched;
    facts.circular = unchanged.forced;
    if (unchanged.ofMpi > 0) {
        facts.ownInMpi = static_cast<double>(unchanged.ownInMpi) / static_cast<double>(unchanged.ofMpi);
        facts.lackingInMpi =
            static_cast<double>(unchanged.lackingInMpi) / static_cast<double>(unchanged.ofMpi);
    }
    const predict::Network& model = network.network;
    const auto perSecond = static_cast<double>(definitions.clock.ticksPerSecond);
    facts.network.latency = model.latency / perSecond;
    facts.network.bandwidth = perSecond / model.ticksPerByte;
    facts.network.messages = network.messages;
    facts.network.sizes = network.sizes;
    facts.network.starved = network.starved;
    const algebra::Measures measures(experiment);
    facts.network.isUncertain = algebra::starvationThatMatters(measures) > 0;
    if (measures.time() > 0)
        facts.withoutProcessors = algebra::starvationOf(measures).seconds / measures.time();
    if (network.atOnce != 0) facts.network.eager = network.atOnce;
    if (network.rendezvous != 0) facts.network.rendezvous = model.eager + 1;
}

Predictor::Predictor(const std::filesystem::path& archiveOrDirectory, const AnalysisOptions& options) {
    auto run = std::make_unique<Run>();
    run->anchor = trace::findAnchor(archiveOrDirectory);
    run->read(options);
    run_ = std::move(run);
}

Predictor::~Predictor() = default;

const algebra::Experiment& Predictor::recorded() const {
    return run_->experiment;
}

const std::vector<Diagnosis>& Predictor::diagnoses() const {
    return run_->diagnoses;
}

const ModelFacts& Predictor::facts() const {
    return run_->facts;
}

Prediction Predictor::predict(std::span<const predict::Condition> conditions) const {
    const auto one = workers::makeThreads(1);
    auto state = std::make_shared<Prediction::State>();
    state->scenario = predict::scenarioOf(run_->recorded(), conditions, *one);
    state->timing = predict::retime(run_->graph, run_->network.network, state->scenario.changes);
    state->seconds = run_->definitions.seconds(state->timing.duration());
    state->changesAnything = state->timing.fingerprint != run_->unchanged.fingerprint;
    return Prediction(std::move(state));
}

AnalysisResult Predictor::analyze(const Prediction& prediction, AnalysisOptions options) const {
    const Prediction::State& state = prediction.state();
    const predict::Timing timing = run_->timesOf(state.scenario);
    std::vector<std::unique_ptr<predict::RetimedClock>> clocks;
    for (std::size_t i = 0; i < run_->graph.locations.size(); ++i)
        clocks.push_back(std::make_unique<predict::RetimedClock>(run_->graph.locations[i], timing.shifts[i],
                                                                 state.scenario.scales[i]));
    options.otherTimes = OtherTimes{[&](std::size_t location) { return clocks[location].get(); },
                                    static_cast<std::uint64_t>(std::max<Ticks>(0, state.timing.end))};
    return analyzer::analyze(run_->anchor, options);
}

std::uint64_t Predictor::writeTrace(const Prediction& prediction, const std::filesystem::path& folder,
                                    const AnalysisOptions& options) const {
    const Prediction::State& state = prediction.state();
    const predict::Timing timing = run_->timesOf(state.scenario);
    const trace::Definitions& definitions = run_->definitions;
    trace::RetimedArchive archive(run_->anchor, definitions, folder);
    workers::Alone alone;
    const workers::Shares shares(definitions, 1);
    const auto workers = workers::makeThreads(options.threads);
    ProgressMeter meter(options.progress, definitions, shares.of(0), 1);
    Reading reading{run_->anchor, alone, shares, *workers, meter};
    std::vector<std::unique_ptr<ArchivingClock>> clocks(run_->graph.locations.size());
    reading.clockOf = [&](trace::LocationId location) {
        const std::size_t i = location.index();
        clocks[i] = std::make_unique<ArchivingClock>(run_->graph.locations[i], timing.shifts[i],
                                                     state.scenario.scales[i], archive.copyOf(location));
        return clocks[i].get();
    };
    replayShare(reading, definitions, run_->classes, [&](trace::LocationId location, const auto&) {
        const auto clock = std::move(clocks[location.index()]);
        archive.add(clock->copy(), clock->finish());
    });
    archive.finish(static_cast<std::uint64_t>(std::max<Ticks>(0, state.timing.end)));
    meter.finish();
    return archive.leftOut();
}

namespace {

/// Who lacks a processor is late by chance, and the next time it is somebody else: a mean hides it.
bool takesMeans(const predict::Condition& condition) {
    using Kind = predict::Condition::Kind;
    return condition.kind == Kind::Balance || condition.kind == Kind::ThreadsBalanced ||
           condition.kind == Kind::JoinedThreadsBalanced;
}

/// Nothing takes longer under it than recorded. Even work takes some longer.
bool onlyShortens(const predict::Condition& condition) {
    using Kind = predict::Condition::Kind;
    switch (condition.kind) {
        case Kind::IdealNetwork:
        case Kind::Remove:
        case Kind::Limit:
        case Kind::LocksFree:
            return true;
        case Kind::Speedup:
        case Kind::CpuRatio:
            return condition.value >= 1;
        default:
            return false;
    }
}

double deviationOf(const ModelFacts& facts) {
    return facts.recorded > 0 ? std::abs(facts.replayed / facts.recorded - 1) : 0;
}

}  // namespace

PredictedTime predictedTime(const Predictor& predictor, std::span<const predict::Condition> conditions) {
    std::vector<predict::Condition> withoutNetwork(conditions.begin(), conditions.end());
    withoutNetwork.push_back(predict::parseCondition("network=ideal"));
    PredictedTime time{predictor.predict(conditions).seconds(), predictor.predict(withoutNetwork).seconds()};
    const double own = std::max(0.0, time.seconds - time.withoutOwn);
    const algebra::Measures measures(predictor.recorded());
    const double lost = algebra::starvationOf(measures).seconds;
    const double varies =
        kUsualVariation + deviationOf(predictor.facts()) + predictor.facts().withoutProcessors;
    time.least = std::max(0.0, time.seconds - own - varies * time.seconds);
    time.most = time.seconds + own + varies * time.seconds;
    if (std::ranges::any_of(conditions, takesMeans))
        time.most += std::clamp(predictor.facts().replayed - time.seconds, 0.0, lost);
    if (std::ranges::all_of(conditions, onlyShortens))
        time.most = std::min(time.most, std::max(time.seconds, predictor.facts().replayed));
    return time;
}

}  // namespace holos::analyzer
