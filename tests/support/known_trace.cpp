// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/known_trace.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "tests/support/known_scenes.h"
#include "tests/support/trace_writer.h"

namespace holos::testing {
namespace {

struct SceneKind {
    Scene scene;
    const char* function;
    void (*play)(Actor&, const Play&);
};

void playCounters(Actor& actor, const Play& play);

constexpr std::array kScenes{
    SceneKind{Scene::LateSender, "lateSender", &playMessages},
    SceneKind{Scene::LateReceiver, "lateReceiver", &playMessages},
    SceneKind{Scene::WrongOrder, "wrongOrder", &playMessages},
    SceneKind{Scene::AllToAll, "allToAll", &playCollective},
    SceneKind{Scene::Barrier, "barrier", &playCollective},
    SceneKind{Scene::OneToAll, "oneToAll", &playCollective},
    SceneKind{Scene::AllToOne, "allToOne", &playCollective},
    SceneKind{Scene::Scan, "scan", &playCollective},
    SceneKind{Scene::Fence, "fence", &playShared},
    SceneKind{Scene::File, "file", &playShared},
    SceneKind{Scene::Counters, "counters", &playCounters},
    SceneKind{Scene::Team, "team", &playTeam},
    SceneKind{Scene::Critical, "critical", &playTeam},
    SceneKind{Scene::Faults, "faults", &playMessages},
};

bool isOfThreads(Scene scene) {
    return scene == Scene::Team || scene == Scene::Critical;
}

std::vector<SceneKind> scenesOf(const KnownTraceShape& shape) {
    std::vector<SceneKind> scenes;
    for (const SceneKind& kind : kScenes)
        if ((shape.threads > 1 || !isOfThreads(kind.scene)) && (shape.faults || kind.scene != Scene::Faults))
            scenes.push_back(kind);
    return scenes;
}

/// A counter goes on while the process works, and not otherwise.
void playCounters(Actor& actor, const Play& play) {
    constexpr OTF2_MetricRef kCounters = 0;
    constexpr std::uint64_t kEach = 3;
    const std::uint64_t number = kEach * (play.arrival(actor.rank()) - play.begin) / kStep;
    actor.script().counters(play.begin + kWorkBegins, kCounters, {actor.counter()});
    actor.call(play.begin + kWorkBegins, play.arrival(actor.rank()), kWork, [&] {
        actor.countOn(number);
        actor.count("instructions", number);
        actor.script().counters(play.arrival(actor.rank()), kCounters, {actor.counter()});
    });
}

/// What a thread does in a round.
void playRound(Actor& actor, const KnownTraceShape& shape, Meetings& meetings, std::uint64_t round) {
    const std::vector<SceneKind> scenes = scenesOf(shape);
    Tick begin = round * scenes.size() * kSceneLength;
    for (const SceneKind& kind : scenes) {
        const Play play{shape, meetings, kind.scene, round, begin};
        if (actor.thread() == 0) {
            actor.enter(begin, kind.function);
            kind.play(actor, play);
            actor.leave(begin + kSceneEnds);
            actor.call(begin + kAllMeet, begin + kAllHaveMet, "MPI_Barrier", [&] {
                actor.script()
                    .collectiveBegin(begin + kAllMeet)
                    .collectiveEnd(begin + kAllHaveMet, OTF2_COLLECTIVE_OP_BARRIER, {0, 0});
            });
        } else if (isOfThreads(kind.scene)) {
            actor.standBelow(std::string("main/") + kind.function);
            kind.play(actor, play);
        }
        begin += kSceneLength;
    }
}

/// Tells the events of one thread a round at a time.
class Performance {
  public:
    Performance(TraceBuilder& trace, const KnownTraceShape& shape, Meetings& meetings, Actor actor)
        : trace_(trace), shape_(shape), meetings_(meetings), actor_(std::move(actor)) {}

    OTF2_ErrorCode write(OTF2_EvtWriter* out) {
        const Tick end = shape_.rounds * scenesOf(shape_).size() * kSceneLength;
        const bool isMaster = actor_.thread() == 0;
        if (isMaster) tell(out, [&] { actor_.enter(0, "main"); });
        for (std::uint64_t round = 0; round < shape_.rounds; ++round)
            tell(out, [&] { playRound(actor_, shape_, meetings_, round); });
        if (isMaster) tell(out, [&] { actor_.leave(end); });
        return result_;
    }

  private:
    template <class Told>
    void tell(OTF2_EvtWriter* out, const Told& told) {
        LocationScript script(trace_, TraceWriter::teamOf(actor_.rank()));
        script.clockGains(actor_.rank() * shape_.clockDrift);
        actor_.tell(script);
        told();
        for (const auto& record : script.records())
            if (result_ == OTF2_SUCCESS) result_ = record(out);
    }

    TraceBuilder& trace_;
    const KnownTraceShape& shape_;
    Meetings& meetings_;
    Actor actor_;
    OTF2_ErrorCode result_ = OTF2_SUCCESS;
};

/// Overload and underload follow from how long each computes: of all threads in parallel regions, else of
/// processes.
void addImbalance(const KnownTraceShape& shape, KnownValues& values) {
    for (const auto& [path, row] : KnownValues::Rows(values["comp"])) {
        const unsigned threads = path.find("!$omp parallel") != std::string::npos ? shape.threads : 1;
        const double average =
            std::accumulate(row.begin(), row.end(), 0.0) / (double{1} * shape.processes * threads);
        for (unsigned rank = 0; rank < shape.processes; ++rank)
            for (unsigned thread = 0; thread < threads; ++thread) {
                const double excess = row[rank * shape.threads + thread] - average;
                values.add(excess > 0 ? "imbalance_above" : "imbalance_below", path, rank, thread,
                           std::abs(excess));
            }
    }
}

}  // namespace

Tick Play::arrival(unsigned rank, unsigned thread) const {
    std::uint64_t mixed = (round << 32) ^ (std::uint64_t{rank} << 12) ^ (std::uint64_t{thread} << 4) ^
                          static_cast<std::uint64_t>(scene);
    mixed = (mixed ^ (mixed >> 29)) * 0xBF58476D1CE4E5B9;
    mixed = (mixed ^ (mixed >> 32)) * 0x94D049BB133111EB;
    constexpr std::uint64_t kSteps = 1000;
    return begin + kWorkBegins + (mixed >> 33) % kSteps * kStep;
}

Latest Play::latest(unsigned except) const {
    Latest& latest = meetings.latest[round * kSceneKinds + static_cast<std::size_t>(scene)];
    if (latest.time != 0) return latest;
    for (unsigned rank = 0; rank < shape.processes; ++rank)
        if (const Tick time = arrival(rank); rank != except && time > latest.time) latest = {rank, time};
    return latest;
}

Tick Play::waitOfAll(Tick latest) const {
    Tick sum = 0;
    for (unsigned rank = 0; rank < shape.processes; ++rank) sum += latest - std::min(latest, arrival(rank));
    return sum;
}

void work(Actor& actor, const Play& play) {
    actor.call(play.begin + kWorkBegins, play.arrival(actor.rank(), actor.thread()), kWork);
}

KnownTrace writeKnownTrace(const std::filesystem::path& directory, const KnownTraceShape& shape) {
    KnownTrace known{{}, KnownValues(shape.processes, shape.threads)};
    Meetings meetings{std::vector<Latest>(shape.rounds * kSceneKinds), std::vector<Tick>(shape.rounds)};
    TraceBuilder trace(shape.processes, shape.threads);
    trace.clock(static_cast<std::uint64_t>(kKnownTicksPerSecond), 0);
    trace.counters({{.name = "instructions"}}, OTF2_METRIC_SYNCHRONOUS);
    trace.window();
    trace.file();
    trace.timestamp(shape.rounds * scenesOf(shape).size() * kSceneLength);
    for (unsigned rank = 0; rank < shape.processes; ++rank)
        for (unsigned thread = 0; thread < shape.threads; ++thread)
            trace.on(rank, thread)
                .clockGains(rank * shape.clockDrift)
                .record([&, rank, thread](OTF2_EvtWriter* out) {
                    return Performance(trace, shape, meetings, Actor(known.values, rank, thread)).write(out);
                });
    known.anchor = trace.write(directory);
    addImbalance(shape, known.values);
    return known;
}

}  // namespace holos::testing
