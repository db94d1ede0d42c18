// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "tracing/counters/interrupts.h"
#include "tracing/counters/selection.h"
#include "tracing/recordings/attach/call_chain.h"
#include "tracing/recordings/attach/foreign_files.h"
#include "tracing/recordings/attach/memory_map.h"
#include "tracing/recordings/attach/process_files.h"

namespace holos::attach {

/// What is wanted of processes.
struct Wanted {
    std::vector<counters::Counter> ofThreads;
    std::vector<counters::Counter> ofProcess;  ///< read by time, as are those of the node
    std::vector<counters::Counter> ofNode;
    std::optional<counters::Interrupts> samples;
};

/// One program in one process that is looked at from outside, and what is known of it.
///
/// Thread safety: one thread.
class AttachedProcess {
  public:
    /// `code`: what is known to be loaded by the time that it begins, for a process that has ended before it
    /// could be looked at.
    AttachedProcess(const std::filesystem::path& recording, const std::string& run, pid_t process,
                    const ProgramFacts& program, const Wanted& wanted, std::vector<LoadedPart> code);

    const std::vector<LoadedPart>& code() const { return code_; }

    /// Records come in the order of their times, in nanoseconds of CLOCK_MONOTONIC_RAW; one that is earlier
    /// than the last one of its location counts as of that time.
    void begin(pid_t thread, std::uint64_t time);
    void end(pid_t thread, std::uint64_t time);
    void sample(const KernelSample& sample);
    void counters(pid_t thread, std::uint64_t time, std::span<const std::uint64_t> values);
    /// Of the process, and behind them of the node.
    void sampled(std::uint64_t time, std::span<const std::uint64_t> values);
    /// A file with code came.
    void mapped(const KernelMapping& mapping);
    void switchTo(bool isOn, std::uint64_t time);
    void trouble(const std::string& what);
    /// Between records; see `ProcessFiles::keepTime`.
    void keepTime(std::uint64_t now) { files_.keepTime(now); }
    void lost(std::uint64_t samples) { files_.countLostSamples(samples); }
    bool hasThread(pid_t thread) const { return threads_.contains(thread); }
    bool hasThreads() const;

    /// Nothing comes behind it.
    void finish(std::uint64_t time);

  private:
    struct Thread {
        std::uint32_t location = 0;
        std::uint32_t number = 0;  ///< 0: the first one
        std::uint64_t last = 0;
        bool hasEnded = false;
    };

    void define(const Wanted& wanted);
    std::uint32_t newLocation(tracing::LocationKind kind, std::uint32_t number, const char* name);
    void accessed(Thread& thread, const KernelSample& sample);
    std::uint64_t nextTime(Thread& thread, std::uint64_t time) const;
    void lookAtCode();

    pid_t process_;
    ProcessFiles files_;
    std::uint64_t begin_;
    std::map<pid_t, Thread> threads_;
    std::uint32_t locations_ = 0;
    std::uint32_t threadNumbers_ = 0;
    std::optional<Thread> sampled_;
    std::vector<std::uint64_t> noCounts_;  ///< of a thread that begins
    ForeignFiles foreign_;
    CallChains chains_;
    MemoryMap memory_;
    std::vector<LoadedPart> code_;
    std::vector<LoadedPart> mapped_;  ///< as far as it was told
    bool codeIsKnown_ = false;
    std::uint64_t definedFiles_ = 0;
};

}  // namespace holos::attach
