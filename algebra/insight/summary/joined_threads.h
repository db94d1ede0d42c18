// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "algebra/insight/summary/measures.h"
#include "algebra/insight/summary/spread.h"
#include "algebra/insight/summary/summary.h"

/// Threads that others start, and wait for.
namespace holos::algebra {

/// Threads that others join, or may join, and what they do (`work`, of a thread as a whole).
std::vector<Member> joinedThreads(const Measures& measures, const WaitRule& joins, const MetricNames& work);

/// How long first threads that start others wait for these while, on average, all of them work: nobody needs
/// to do anything else then. Nobody knows that of teams of OpenMP, which work at other times.
double waitingWhileAllWork(const Measures& measures, const MetricNames& waits);

struct LateThreads {
    Problem problem;
    std::optional<double> beyond;  ///< seconds that each of those who end last works more than the others
    double longest = 0;            ///< seconds that the one with most work or sleep takes
};

/// What makes the thread that ends last in its process live longer than the others of `threads`, on average:
/// seconds of all processes.
struct LateEnd {
    double works = 0;    ///< it works or sleeps longer, or lacks a processor
    double waits = 0;    ///< it waits longer, for whatever it is
    double atLocks = 0;  ///< the part of that which is for locks
    bool isByWaits() const { return waits > 0 && waits > works; }
};
LateEnd lateEndOf(const Measures& measures, const std::vector<Member>& threads);

/// A thread that waits for others which it has started loses nothing while all of them work: `place` has
/// only what is beyond that. `oneAtATime`: no two of them are there at once.
LateThreads lateJoinedThreads(const Measures& measures, const std::vector<Member>& threads, bool oneAtATime,
                              const Place& place);

/// Threads that others start for so little work that it takes about as long to start one and to wait for its
/// end; many, or else that hardly matters.
struct ShortThreads {
    std::size_t number = 0;
    double lives = 0;     ///< seconds of all, without those in which they had no processor
    double managing = 0;  ///< seconds of starting and ending them, without waiting

    /// Starting and ending them is a part of what they live that matters.
    bool areDear() const;
    std::string text() const;
};
std::optional<ShortThreads> shortThreadsOf(const Measures& measures);

/// Parts of `pthread_management` in which a thread only waits.
const MetricNames& waitsInManagementOfThreads();

/// Who waits, as the rule says it, and how long.
std::string waitersText(const Measures& measures, const WaitRule& rule);

}  // namespace holos::algebra
