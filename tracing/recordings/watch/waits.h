// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "tracing/recordings/watch/followed_run.h"
#include "tracing/recordings/watch/wait_graph.h"

namespace holos::watch {

/// A thread of a picture.
struct ThreadAt {
    std::size_t process = 0;  ///< its place in `Picture::processes`
    std::size_t thread = 0;   ///< its place in `SeenProcess::threads`
};

/// What a thread waits for, in words, with those whom it waits for.
struct Wait {
    std::string what;               ///< `a message from rank 1 (tag 7, MPI_COMM_WORLD)`
    std::vector<std::size_t> whom;  ///< places in `Waits::threads`
    bool oneIsEnough = false;
    bool isPartlyKnown = false;  ///< it may wait for others, too
    /// Who of `whom` it may not have to wait for: of several messages one may be on its way.
    std::vector<std::size_t> perhaps = {};
};

/// Who waits for whom. Processes are looked at one after the other, so that a call counts as waiting only
/// where the thread was in it at the look before, too: all who wait did so at one moment. Messages and
/// operations are waited for by processes: of a process that is waited for, its first thread stands for all.
struct Waits {
    std::vector<ThreadAt> threads;  ///< those that have not ended
    std::vector<Wait> waits;        ///< of each; `what` is empty where it waits for nothing
    /// What does not fit together: messages that were sent and not received, where somebody waits for
    /// another one of the same sender, and operations that differ.
    std::vector<std::string> remarks;

    WaitGraph graph() const;
};

Waits findWaits(const FollowedRun& run);

/// `rank 3`, `rank 3, OMP thread 2`, `process 17 on node5`.
std::string nameOf(const SeenProcess& process);
std::string nameOf(const Picture& picture, const ThreadAt& thread);
/// `0-3,7`
std::string rangesOf(std::vector<std::uint32_t> numbers);

}  // namespace holos::watch
