// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tracing/counters/interrupts.h"
#include "tracing/counters/memory_events.h"
#include "tracing/counters/spe_packets.h"
#include "tracing/recordings/attach/kernel_records.h"

namespace holos::attach {

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
