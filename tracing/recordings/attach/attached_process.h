// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tracing/counters/interrupts.h"
#include "tracing/counters/memory_samples.h"
#include "tracing/counters/selection.h"
#include "tracing/recordings/attach/kernel_records.h"
#include "tracing/recordings/attach/process_files.h"

namespace holos::attach {

/// Finds the calls that led to a sample, by what the files of the program say of their functions' frames
/// (`.eh_frame`, as debuggers do it), in the part of the stack that the sample has.
///
/// Thread safety: one thread.
class CallChains {
  public:
    CallChains();
    ~CallChains();
    CallChains(CallChains&&) = delete;

    /// The code of the process from now on.
    void setCode(std::span<const LoadedPart> code);

    /// Addresses of instructions, the innermost first: of callers, one that belongs to the call. Where the
    /// files say nothing, by frame pointers.
    std::vector<std::uint64_t> of(const KernelSample& sample);

  private:
    class Session;
    std::unique_ptr<Session> session_;
};

/// What of a chain is the program's: without the functions of the system that call `main` and the functions
/// of threads. `isWhole`: it begins with these.
struct ProgramChain {
    std::vector<std::uint64_t> addresses;
    bool isWhole = false;
};
ProgramChain programPart(std::vector<std::uint64_t> chain, std::span<const LoadedPart> code);

/// Files of a process that sees other files than this one under the same paths, as in a container or with a
/// root folder of its own. They can be had as long as the process lives, and their symbols are looked up
/// after that: so they are copied.
///
/// Thread safety: one thread.
class ForeignFiles {
  public:
    /// `folder`: for the copies, which all processes share; made when there is one.
    ForeignFiles(pid_t process, std::filesystem::path folder);

    /// Where a file of the process can be read from now on, by its path there: the path itself, or that of a
    /// copy with the same name. What cannot be copied stays where it is.
    std::string find(const std::string& path);

  private:
    std::string copied(const std::string& path);

    std::filesystem::path root_;  ///< of the process, as this one sees it; empty: it sees the same files
    std::filesystem::path folder_;
    std::map<std::string, std::string> known_;
};

/// What lies where in the memory of a process, by /proc/PID/maps.
///
/// Thread safety: one thread.
class MemoryMap {
  public:
    explicit MemoryMap(pid_t process) : process_(process) {}

    /// What an address belongs to. `stackPointer`: of the thread that used it, from which on its stack lies;
    /// 0 where that is not known.
    counters::MemoryPart partOf(std::uint64_t address, std::uint64_t stackPointer);

    /// Reads a text such as /proc/PID/maps.
    void read(const std::string& maps);

  private:
    struct Mapping {
        std::uint64_t begin = 0;
        counters::MemoryPart part = counters::MemoryPart::Other;
    };
    const Mapping* at(std::uint64_t address) const;

    pid_t process_;
    std::map<std::uint64_t, Mapping> byEnd_;
};

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
