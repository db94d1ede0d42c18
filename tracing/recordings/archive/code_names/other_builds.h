// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tracing/recordings/archive/process/recorded_process.h"

namespace holos::archive {

/// Programs and libraries that were replaced since they ran, or that are other ones on the node of the
/// recording than here: names and lines of the files here would be wrong ones.
///
/// Thread safety: safe.
class OtherBuilds {
  public:
    /// What such files are called from here on: no file has this name, so that their functions have none.
    static constexpr const char* kMark = " (another build)";

    /// Marks such files of a process.
    void mark(RecordedProcess& process);

    /// Sentences for people.
    std::vector<std::string> notes() const;

  private:
    bool isOther(const std::string& path, const std::string& buildId);

    mutable std::mutex mutex_;
    std::map<std::string, std::optional<std::string>> here_;  ///< build-ids by path; none: no such file
    std::set<std::string> found_;
};

}  // namespace holos::archive
