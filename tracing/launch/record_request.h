// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/at_most.h"
#include "tracing/counters/interrupts.h"

namespace holos::launch {

/// What `holos record` was asked for.
struct RecordRequest {
    std::string directory;
    std::string attach;  ///< numbers of processes; empty: a program is started
    bool force = false;
    bool keepCommand = false;  ///< with what looks like a secret
    bool profile = false;
    bool trace = false;                ///< beside the profile
    std::string tracePhase;            ///< as `tracedPhase` reads it
    std::optional<double> traceShare;  ///< per cent
    bool watch = false;
    std::string counters;
    std::optional<double> sampleInterval;  ///< nanoseconds
    std::string refused;
    std::string set;
    std::string specification = "linux-software";
    std::string filter;
    std::uint32_t throttle = 100'000;
    double throttleBelow = 1;
    bool compensate = false;
    bool multiplex = false;
    std::string sample;
    std::string callPaths = "full";
    std::string polls = "thin";
    std::string locks = "thin";
    std::string openMpRuntime = "own";
    std::string ranks;
    std::optional<double> first;              ///< nanoseconds
    std::optional<double> clockOffsetsEvery;  ///< nanoseconds
    std::optional<double> writeBack;          ///< nanoseconds
    std::string phase;
    std::string mpi;
    AtMost buffer = kAll;  ///< bytes of events that a thread keeps
    std::string whenFull = "stop";
    std::string whenDiskLow = "profile";
    std::optional<std::size_t> diskReserve;  ///< bytes
    std::vector<std::string> command;

    /// Beside a profile, also of a part of the run.
    bool makesTrace() const { return !profile || trace || !tracePhase.empty(); }
    bool hasOwnOpenMpRuntime() const { return openMpRuntime == "own"; }
    bool stopsWhenFull() const { return whenFull == "stop"; }
    /// Bytes that stay free on the disk that a folder is on.
    std::uint64_t reserveOn(const std::filesystem::path& folder) const;
    std::int64_t sampledEvery()
        const;  ///< nanoseconds from one reading of counters of process and node to the next
};

/// Throws `UsageError` where something that was asked for cannot be meant, in the words of the options of
/// `holos record`.
void check(const RecordRequest& request);

/// What is to interrupt the program's threads; nothing when that was not asked for. Throws `UsageError` for a
/// text that names nothing, `Error` where this build takes no samples.
std::optional<counters::Interrupts> callStackSamples(const RecordRequest& request);

}  // namespace holos::launch
