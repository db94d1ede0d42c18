// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "tracing/counters/memory_access.h"

/// Records of perf events as the kernel writes them (linux/perf_event.h, `perf_event_type`), of events that
/// were opened by `openLeader`.
namespace holos::attach {

/// Registers that the kernel writes into samples: those by which a stack is walked.
#if defined(__x86_64__)
inline constexpr std::uint64_t kSampledRegisters = 0xFF01FF;  ///< without flags and segments
inline constexpr unsigned kRegisters = 17;
inline constexpr unsigned kStackPointer = 7;  ///< its place among them
#else
inline constexpr std::uint64_t kSampledRegisters = 0x1FFFFFFFF;  ///< x0 to x30, sp, pc
inline constexpr unsigned kRegisters = 33;
inline constexpr unsigned kStackPointer = 31;
#endif

/// Bytes of each thread's stack that the kernel writes into a sample.
inline constexpr std::uint32_t kSampledStack = 8 * 1024;

struct KernelSample {
    std::uint32_t process = 0;
    std::uint32_t thread = 0;
    std::uint64_t time = 0;
    std::vector<std::uint64_t> callers;    ///< by frame pointers, innermost first; the program's part alone
    std::vector<std::uint64_t> registers;  ///< of the program, in the order of their bits; or none
    std::vector<unsigned char> stack;      ///< from the stack pointer on
    std::optional<counters::MemoryAccess> access;  ///< what it did, where that was asked for
};
struct KernelFork {
    std::uint32_t process = 0, parent = 0, thread = 0, parentThread = 0;
    std::uint64_t time = 0;
};
struct KernelExit {
    std::uint32_t process = 0, thread = 0;
    std::uint64_t time = 0;
};
/// The process runs another program.
struct KernelExec {
    std::uint32_t process = 0;
    std::uint64_t time = 0;
};
/// A file with code was mapped.
struct KernelMapping {
    std::uint32_t process = 0;
    std::uint64_t begin = 0, bytes = 0, offset = 0, time = 0;
    std::string path;
};
/// How many records found no room.
struct KernelLoss {
    std::uint64_t records = 0;
};
/// The processor wrote records of its own, about the thread that ran then.
struct KernelOwnRecords {
    std::uint32_t process = 0, thread = 0;
    std::uint64_t time = 0;
    std::uint64_t from = 0, bytes = 0;  ///< where in their ring
};
using KernelRecord =
    std::variant<KernelSample, KernelFork, KernelExit, KernelExec, KernelMapping, KernelLoss>;

/// Of such a record; nothing of others.
std::optional<KernelOwnRecords> parseOwnRecords(std::span<const unsigned char> record);

/// Of one record with its header. `hasAccesses`: samples have an access to memory. Nothing for kinds that are
/// of no interest, and for a record that is shorter than it says.
std::optional<KernelRecord> parseKernelRecord(std::span<const unsigned char> record,
                                              bool hasAccesses = false);

/// When it happened, in nanoseconds of CLOCK_MONOTONIC_RAW; 0 for a loss.
std::uint64_t timeOf(const KernelRecord& record);

}  // namespace holos::attach
