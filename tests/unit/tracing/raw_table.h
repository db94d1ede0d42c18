// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <list>
#include <vector>

#include "tracing/recorder/profile/table.h"

namespace holos::testing {

/// What a location adds up, in chunks that grow as the recorder's do.
class RawTable {
  public:
    explicit RawTable(std::size_t counters = 0) : table_({&more, this}, counters, 0) { table_.start(); }
    RawTable(const RawTable&) = delete;
    RawTable& operator=(const RawTable&) = delete;

    tracing::profile::Table& table() { return table_; }
    /// Writes it over what the process's file of events begins with, as location 0. Somebody may read it.
    void write(const std::filesystem::path& folder) const;

  private:
    static std::uint64_t* more(void* owner, std::size_t least, std::size_t& words) noexcept;

    std::list<std::vector<std::uint64_t>> chunks_;
    tracing::profile::Table table_;
};

}  // namespace holos::testing
