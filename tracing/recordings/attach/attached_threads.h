// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tracing/counters/interrupts.h"
#include "tracing/counters/memory_samples.h"
#include "tracing/counters/perf_event_names.h"
#include "tracing/counters/spe_packets.h"
#include "tracing/recordings/attach/kernel_records.h"

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

/// What the kernel tells of threads of other programs, and of all that they start later, while it happens:
/// samples, and where threads, processes and programs begin and end (perf_event_open(2)). One event for each
/// thread and processor; those of a processor share a buffer, as the kernel inherits no other ones.
///
/// Thread safety: one thread.
class AttachedThreads {
  public:
    /// Throws `Error` for samples that this machine does not have.
    explicit AttachedThreads(std::optional<counters::Interrupts> samples);
    ~AttachedThreads();
    AttachedThreads(AttachedThreads&&) = delete;

    /// All threads of a process. Nothing where it has ended. Throws `Error` where the kernel does not allow
    /// it, with what would help.
    void add(pid_t process);

    /// Hands over what was told since the last time: in the order of time for each processor.
    void take(const std::function<void(KernelRecord&&)>& consume);

    void enable(bool isOn);

    /// What the kernel does not allow, for people; empty where it allows all.
    const std::string& restriction() const { return restriction_; }

  private:
    bool addThread(pid_t process, pid_t thread);
    bool addEvents(pid_t process, pid_t thread, int processor);
    void useBuffer(pid_t process, int file, int processor);
    bool hasOwnRecords() const;
    void takeOwn(RecordBuffer& buffer, const KernelOwnRecords& own,
                 const std::function<void(KernelRecord&&)>& consume) const;
    int open(const counters::MemoryEvent& event, pid_t thread, int processor, int leader) const;
    std::string whyNot(pid_t process, int error) const;

    std::optional<counters::Interrupts> samples_;
    std::vector<counters::MemoryEvent> events_;  ///< one, but for accesses to memory
    std::vector<int> files_;
    struct Processor {
        int number;
        int file;  ///< of the event whose buffer it is
        RecordBuffer buffer;
    };
    std::vector<Processor> processors_;
    std::set<pid_t> threads_;
    counters::SpeSources sources_;
    bool withoutKernel_ = false;
    std::string restriction_;
};

}  // namespace holos::attach
