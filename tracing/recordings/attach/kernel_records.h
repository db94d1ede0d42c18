// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "tracing/counters/memory_samples.h"

namespace holos::attach {

/// Records of perf events as the kernel writes them (linux/perf_event.h, `perf_event_type`), of events that
/// `attachment.cpp` opens.

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

struct perf_event_mmap_page;

namespace holos::attach {

/// What the kernel writes of the events of one processor: a ring of pages that it shares with us.
class RecordBuffer {
  public:
    /// Of an event's file. `hasOwnRecords`: with a second ring, in which the processor writes records of its
    /// own. Throws `Error` where the kernel gives no such memory, with what would help.
    explicit RecordBuffer(int file, bool hasOwnRecords = false);
    ~RecordBuffer();
    RecordBuffer(RecordBuffer&& other) noexcept;

    /// Hands over all complete records that are there, each with its header, and makes their room free.
    void take(const std::function<void(std::span<const unsigned char>)>& consume);

    /// Hands over what the processor wrote from a position on, which only grows, and makes its room free.
    void takeOwn(std::uint64_t from, std::uint64_t bytes,
                 const std::function<void(std::span<const unsigned char>)>& consume);

  private:
    std::size_t ringBytes() const;

    perf_event_mmap_page* page_ = nullptr;
    unsigned char* own_ = nullptr;  ///< null: no second ring
};

/// Some bytes of a ring from a position on, which only grows; those that are newest where it has fewer.
std::vector<unsigned char> bytesOf(std::span<const unsigned char> ring, std::uint64_t from,
                                   std::uint64_t bytes);

/// The records of a ring of a power of two bytes between two positions that only grow; each begins with its
/// header. Stops before one that cannot be a record. Returns the position behind the last one.
std::size_t recordsIn(std::span<const unsigned char> ring, std::size_t from, std::size_t to,
                      const std::function<void(std::span<const unsigned char>)>& consume);

}  // namespace holos::attach
