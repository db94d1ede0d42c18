// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <memory>

#include "analyzer/trace/event_file.h"
#include "analyzer/trace/quiet_calls.h"
#include "base/temporary_folder.h"

namespace holos::analyzer::trace {

/// A temporary folder with an archive like another one, whose locations lack some of their events.
///
/// Thread safety: one thread for each location.
class ShortenedArchive {
  public:
    /// Makes the folder in this one. `anchor` is that of the archive. Throws `holos::Error`.
    ShortenedArchive(const std::filesystem::path& anchor, const std::filesystem::path& folder);

    /// The events of a location but for these, which are in their order; null where they cannot be left out.
    /// Who reads says where (`EventFile::leaveOut`).
    std::unique_ptr<EventFile> open(const Definitions& definitions, LocationId location,
                                    const std::vector<QuietCalls>& without) const;

  private:
    std::filesystem::path original_;
    TemporaryFolder folder_;
    std::filesystem::path anchor_;
    std::uint64_t chunkSize_ = 0;  ///< of files of events
};

}  // namespace holos::analyzer::trace
