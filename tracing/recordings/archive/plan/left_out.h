// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tracing/recordings/archive/process/recorded_process.h"

namespace holos::archive {

/// The program, its process and host, for people.
std::string programText(const RecordedProcess& process);

/// Processes that are not in the trace, each with the reason.
class LeftOut {
  public:
    /// `reason`: what stands behind "it", or "they", and a verb in the past: `recorded no events`.
    void add(const RecordedProcess& process, const std::string& reason);

    /// One sentence for each reason: a single process is described, of many the programs are counted.
    std::vector<std::string> notes() const;

  private:
    std::map<std::string, std::vector<const RecordedProcess*>> byReason_;
};

}  // namespace holos::archive
