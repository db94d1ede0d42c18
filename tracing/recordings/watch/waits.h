// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <map>
#include <optional>
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
/// operations are waited for by processes. Where its first thread goes on, it stands for the process; else
/// any other thread of it may send, receive or enter what is waited for.
struct Waits {
    std::vector<ThreadAt> threads;  ///< those that have not ended
    std::vector<Wait> waits;        ///< of each; `what` is empty where it waits for nothing
    /// What does not fit together: messages that were sent and not received, where somebody waits for
    /// another one of the same sender, and operations that differ.
    std::vector<std::string> remarks;
    /// Threads of processes that have several, by place, the first one first. In `Wait::whom`, places behind
    /// those of `threads` are these processes.
    std::vector<std::vector<std::size_t>> processes = {};

    /// Who has a place in `Wait::whom`: of a process, its first thread.
    const ThreadAt& at(std::size_t place) const;
    WaitGraph graph() const;

  private:
    WaitGraph::Node nodeOf(const std::vector<std::size_t>& process) const;
};

Waits findWaits(const FollowedRun& run);

/// `rank 3`, `rank 3, OMP thread 2`, `process 17 on node5`.
std::string processName(const SeenProcess& process);
std::string threadName(const Picture& picture, const ThreadAt& thread);
/// `0-3,7`
std::string rangesOf(std::vector<std::uint32_t> numbers);

/// What is needed to find out who waits for whom: the threads of a picture, by what names them elsewhere.
class WaitContext {
  public:
    explicit WaitContext(const FollowedRun& run);

    const FollowedRun& run() const { return run_; }
    const Picture& picture() const { return run_.picture(); }
    const SeenProcess& seen(std::size_t process) const { return picture().processes[process]; }
    const FollowedProcess& followed(std::size_t process) const { return run_.process(seen(process).number); }
    const SeenThread& thread(const ThreadAt& at) const { return seen(at.process).threads[at.thread]; }

    /// The threads that have not ended, in the order of the picture.
    const std::vector<ThreadAt>& threads() const { return threads_; }
    /// Places in the picture.
    const std::map<std::uint32_t, std::size_t>& byRank() const { return byRank_; }
    /// Its place among the threads; nothing where it has ended or recorded nothing.
    std::optional<std::size_t> placeOf(std::size_t process, std::uint32_t location) const;

    /// The region that the thread is in, unless it has left one in it since; null where that is not known.
    const archive::RecordedRegion* regionOf(std::size_t process, const SeenThread& thread) const;
    /// Any region of a process; null where it is not known.
    const archive::RecordedRegion* region(std::size_t process, std::uint32_t ref) const;

    /// The process of that rank is waited for; or only perhaps, where it is not sure.
    void waitFor(Wait& wait, std::uint32_t worldRank, bool isSure = true) const;
    /// As in `Waits`.
    const std::vector<std::vector<std::size_t>>& processes() const { return processes_; }

  private:
    const FollowedRun& run_;
    std::vector<ThreadAt> threads_;
    std::map<std::uint32_t, std::size_t> byRank_;
    std::map<std::pair<std::size_t, std::uint32_t>, std::size_t> places_;  ///< by process and location
    /// By process, its place in `Wait::whom`; nothing where it has no thread.
    std::vector<std::optional<std::size_t>> placeOfProcess_;
    std::vector<std::vector<std::size_t>> processes_;
};

}  // namespace holos::watch
