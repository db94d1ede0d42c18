// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <vector>

#include "tracing/counters/perf_event_names.h"

namespace holos::attach {

/// Counts events in threads of other programs. Each thread that is there at the start counts for itself and
/// for all that it starts later; of what came later and is counted by itself, its values are taken off again.
/// The sum is exact in that way, and what a new thread did before it was seen counts for the one that
/// descends from the start.
///
/// Thread safety: one thread.
class ThreadCounters {
  public:
    explicit ThreadCounters(std::vector<counters::PerfEvent> events) : events_(std::move(events)) {}
    ~ThreadCounters();
    ThreadCounters(ThreadCounters&&) = delete;

    const std::vector<counters::PerfEvent>& events() const { return events_; }

    /// Counts a thread that is there at the start. Throws `Error` where the kernel does not allow it.
    void addFirst(pid_t thread);
    /// Counts one that `parent` started; nothing where it has ended already.
    void add(pid_t thread, pid_t parent);
    void enable(bool isOn);

    /// The last values of a thread that has ended; none of one that is not counted.
    std::vector<std::uint64_t> end(pid_t thread);

    /// By thread one value for each event, since the start: also of threads that have ended.
    std::map<pid_t, std::vector<std::uint64_t>> read();

  private:
    struct Counted {
        std::vector<int> files;
        std::vector<std::uint64_t> last;
        pid_t first;  ///< the thread of the start that it descends from; or itself
    };
    /// False where the thread is gone. `inherited`: also what it starts.
    bool open(pid_t thread, bool inherited, Counted& counted);
    static void close(Counted& counted);
    void readLater(Counted& counted);

    std::vector<counters::PerfEvent> events_;
    std::map<pid_t, Counted> threads_;
    bool isOn_ = true;
};

}  // namespace holos::attach
