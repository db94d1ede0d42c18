// SPDX-License-Identifier: BSD-3-Clause
// Threads of a process: a team that waits at the end of its parallel region, and one whose threads enter a
// critical section before.
//
//   thread 0  ─┤ parallel ┤ work ├ critical ···│══├┤ barrier ···│─├──    ═ has the lock
//   thread 1  ─┤          ┤ work  ├ critical ══├┤ barrier ······│─├──
//
#include <algorithm>
#include <numeric>

#include "tests/support/known_scenes.h"

namespace holos::testing {
namespace {

/// What a thread does in a parallel region, and when.
struct Member {
    Tick arrives;   ///< after its work
    Tick acquires;  ///< the lock, if there is one
    Tick atBarrier;
    std::uint32_t turn;  ///< with the lock, from 0
};

Tick timeInCritical(unsigned threads) {
    constexpr Tick kUsual = 30;
    constexpr Tick kAll = 1200;
    return std::clamp<Tick>(kAll / threads, 1, kUsual) * kStep;
}

std::vector<Member> membersOf(const Play& play, unsigned rank) {
    std::vector<Member> members;
    for (unsigned thread = 0; thread < play.shape.threads; ++thread) {
        const Tick arrives = play.arrival(rank, thread);
        members.push_back({arrives, arrives, arrives, 0});
    }
    if (play.scene != Scene::Critical) return members;
    std::vector<unsigned> turns(members.size());
    std::iota(turns.begin(), turns.end(), 0);
    std::stable_sort(turns.begin(), turns.end(),
                     [&](unsigned a, unsigned b) { return members[a].arrives < members[b].arrives; });
    Tick released = 0;
    for (std::uint32_t turn = 0; turn < turns.size(); ++turn) {
        Member& member = members[turns[turn]];
        member.turn = turn;
        member.acquires = std::max(member.arrives, released);
        released = member.acquires + timeInCritical(play.shape.threads);
        member.atBarrier = released + kStep;
    }
    return members;
}

/// Whom all wait for: of equal ones the first.
unsigned latestOf(const std::vector<Member>& members) {
    const auto later = [](const Member& a, const Member& b) { return a.atBarrier < b.atBarrier; };
    return static_cast<unsigned>(std::max_element(members.begin(), members.end(), later) - members.begin());
}

void critical(Actor& actor, const Play& play, const Member& member) {
    const std::uint32_t lock = actor.rank();
    const auto order = static_cast<std::uint32_t>(play.round * play.shape.threads + member.turn + 1);
    actor.call(member.arrives, member.atBarrier, "!$omp critical @known.c:20", [&] {
        actor.script().acquire(member.acquires, lock, order).release(member.atBarrier - kStep, lock, order);
        actor.addTime("omp_lock_contention_critical", member.acquires - member.arrives);
    });
}

/// What the last one did longer than the others shares what they wait, as much of it as there was.
void addDelays(Actor& actor, const std::vector<Member>& members, const std::string& work,
               const std::string& section) {
    const Member& self = members[actor.thread()];
    for (const Member& other : members) {
        const auto wait = static_cast<double>(self.atBarrier - other.atBarrier);
        const Tick inSection = self.atBarrier - self.arrives;
        const Tick otherInSection = other.atBarrier - other.arrives;
        const Tick more = self.arrives - other.arrives;
        const Tick moreInSection = inSection - std::min(inSection, otherInSection);
        if (wait <= 0) continue;
        const double share = wait / static_cast<double>(more + moreInSection);
        actor.addSeconds("delay_ompbarrier", work, share * static_cast<double>(more) / kKnownTicksPerSecond);
        actor.addSeconds("delay_ompbarrier", section,
                         share * static_cast<double>(moreInSection) / kKnownTicksPerSecond);
    }
}

}  // namespace

void playTeam(Actor& actor, const Play& play) {
    const std::vector<Member> members = membersOf(play, actor.rank());
    const Member& self = members[actor.thread()];
    const unsigned latest = latestOf(members);
    const bool isMaster = actor.thread() == 0;
    const Tick enters = play.begin + kWorkBegins;
    const Tick leaves = members[latest].atBarrier + 15 * kStep;
    const Tick forks = play.begin + kForks;
    const Tick joins = play.begin + kJoins;

    if (isMaster) actor.script().fork(forks, play.shape.threads);
    actor.script().teamBegin(enters);
    actor.enter(enters, "!$omp parallel @known.c:10");
    actor.addTime("omp_fork", enters - forks);
    actor.addTime("omp_management", enters - forks + joins - leaves);
    if (actor.thread() == latest)
        addDelays(actor, members, actor.path(kWork), actor.path("!$omp critical @known.c:20"));
    work(actor, play);
    if (play.scene == Scene::Critical) critical(actor, play, self);
    actor.call(self.atBarrier, leaves - 5 * kStep, "!$omp implicit barrier @known.c:30",
               [&] { actor.addTime("omp_ibarrier_wait", members[latest].atBarrier - self.atBarrier); });
    actor.leave(leaves);
    actor.script().teamEnd(leaves);
    if (!isMaster) return;
    actor.script().join(joins);
    actor.give(enters - forks + joins - leaves);
}

}  // namespace holos::testing
