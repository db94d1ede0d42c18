// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <string>

#include "tracing/counters/memory_access.h"

namespace holos::attach {

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

}  // namespace holos::attach
