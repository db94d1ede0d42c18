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

Tick waitsForLock(const Member& member) {
    return member.acquires - member.arrives;
}

/// Calls `visit` for each who waits at the barrier: what a tick that the last one worked longer, or waited
/// for the lock, costs, and how much longer it worked.
template <class Visit>
void visitBarrierWaits(const std::vector<Member>& members, const Member& last, Visit&& visit) {
    for (const Member& other : members) {
        const auto wait = static_cast<double>(last.atBarrier - other.atBarrier);
        if (wait <= 0) continue;
        const auto more = static_cast<double>(last.arrives - other.arrives);
        visit(wait / (more + static_cast<double>(waitsForLock(last))), more);
    }
}

void addBarrierDelays(Actor& actor, const std::vector<Member>& members, const std::string& work) {
    visitBarrierWaits(members, members[actor.thread()], [&](double share, double more) {
        actor.addSeconds("delay_ompbarrier", work, share * more / kKnownTicksPerSecond);
    });
}

/// What a thread's wait for the lock costs later waits.
struct LockCosts {
    double wait = 0;
    double atLock = 0;
    double atBarrier = 0;
};

/// By turn. Each waits for the one before, which was in the section, or itself waited.
std::vector<LockCosts> lockCosts(const std::vector<Member>& members, const Member& last, double inSection) {
    std::vector<LockCosts> costs(members.size());
    for (const Member& member : members) costs[member.turn].wait = static_cast<double>(waitsForLock(member));
    visitBarrierWaits(members, last,
                      [&](double share, double) { costs.back().atBarrier += share * costs.back().wait; });
    for (std::size_t turn = costs.size() - 1; turn-- > 0;) {
        const LockCosts& next = costs[turn + 1];
        const double share = costs[turn].wait / (inSection + costs[turn].wait);
        costs[turn].atLock = share * (next.wait + next.atLock);
        costs[turn].atBarrier = share * next.atBarrier;
    }
    return costs;
}

void addLockDelays(Actor& actor, const Play& play, const std::vector<Member>& members, const Member& last,
                   const std::string& section) {
    const auto inSection = static_cast<double>(timeInCritical(play.shape.threads));
    const std::vector<LockCosts> costs = lockCosts(members, last, inSection);
    const std::uint32_t turn = members[actor.thread()].turn;
    const double own = costs[turn].wait;
    const auto add = [&](const char* metric, double ticks) {
        if (ticks != 0) actor.addSeconds(metric, section, ticks / kKnownTicksPerSecond);
    };
    double handedOn = 0;
    if (turn + 1 < costs.size()) {
        const LockCosts& next = costs[turn + 1];
        const double share = inSection / (inSection + own);
        add("delay_omp_lock", share * next.wait);
        add("delay_omp_lock_longterm", share * next.atLock);
        add("delay_ompbarrier_longterm", share * next.atBarrier);
        handedOn = next.wait * own / (inSection + own);
    }
    add("lock_wait_propagating", handedOn);
    add("lock_wait_terminal", own - handedOn);
    const double before = turn != 0 ? costs[turn - 1].wait : 0;
    const double indirect = own * before / (inSection + before);
    add("lock_wait_indirect", indirect);
    add("lock_wait_direct", own - indirect);
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
    if (actor.thread() == latest) addBarrierDelays(actor, members, actor.path(kWork));
    if (play.scene == Scene::Critical)
        addLockDelays(actor, play, members, members[latest], actor.path("!$omp critical @known.c:20"));
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
