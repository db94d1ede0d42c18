// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "tracing/recordings/archive/helpers.h"

namespace holos::archive {

/// How a recording is read by who makes its trace and by helpers: each packs the files of some processes, as
/// a rule those of its own host, into one file in `recording/packed`, and all read the packed files.
/// Processes of helpers that fail or are gone are packed by nobody, and read by each.
class SharedReading {
  public:
    /// Has the files packed, waits for that, and tells the helpers to read. Nothing is done without helpers.
    SharedReading(Helpers* helpers, const fs::path& recording);
    ~SharedReading();  ///< removes the packed files
    SharedReading(SharedReading&&) = delete;

    const std::vector<fs::path>& packed() const { return packed_; }

  private:
    using Names = std::vector<std::string>;
    std::vector<Names> distribute(const Helpers& helpers) const;
    void pack(Helpers& helpers);
    fs::path fileOf(std::size_t packer) const;

    const fs::path recording_;
    bool isMade_ = false;  ///< the folder of packed files
    std::vector<fs::path> packed_;
};

}  // namespace holos::archive
