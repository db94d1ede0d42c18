// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/known_actor.h"
#include "tests/support/known_trace.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {

/// All times of known traces are multiples of it, so that clocks which run by whole millionths faster stay
/// exact.
inline constexpr Tick kStep = 1'000'000;

// Of a scene, from its start on. Work takes up to a thousand steps.
inline constexpr Tick kForks = 5 * kStep;
inline constexpr Tick kWorkBegins = 10 * kStep;
inline constexpr Tick kJoins = 2500 * kStep;
inline constexpr Tick kSceneEnds = 2900 * kStep;
inline constexpr Tick kAllMeet = 3000 * kStep;
inline constexpr Tick kAllHaveMet = 3010 * kStep;
inline constexpr Tick kSceneLength = 3020 * kStep;

enum class Scene : std::uint8_t {
    LateSender,
    LateReceiver,
    WrongOrder,
    AllToAll,
    Barrier,
    OneToAll,
    AllToOne,
    Scan,
    Fence,
    File,
    Counters,
    Team,
    Critical,
    Faults
};
inline constexpr std::size_t kSceneKinds = static_cast<std::size_t>(Scene::Faults) + 1;

/// Who comes last to a scene; of equal ones the first.
struct Latest {
    unsigned rank = 0;
    Tick time = 0;
};

/// What was found out about all processes, so that not each has to ask all others.
struct Meetings {
    std::vector<Latest> latest;   ///< by round and scene; time 0: not known yet
    std::vector<Tick> scannedTo;  ///< by round: the latest of the ranks that have scanned
};

/// A scene of a round: who comes when. Ranks play in their order.
struct Play {
    const KnownTraceShape& shape;
    Meetings& meetings;
    Scene scene;
    std::uint64_t round;
    Tick begin;

    /// Of all processes, or all but one: the same one each time.
    Latest latest(unsigned except = ~0U) const;
    /// What all processes together wait for one that comes then.
    Tick waitOfAll(Tick latest) const;
    /// When a thread's work ends: any time, but always the same.
    Tick arrival(unsigned rank, unsigned thread = 0) const;
};

/// The scenes of processes, played by their first threads.
void playMessages(Actor& actor, const Play& play);
void playCollective(Actor& actor, const Play& play);
void playShared(Actor& actor, const Play& play);
/// The scenes of threads, played by all of them.
void playTeam(Actor& actor, const Play& play);

/// Computes in a function until it arrives.
void work(Actor& actor, const Play& play);
inline const std::string kWork = "work";

}  // namespace holos::testing
