// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <otf2/otf2.h>

#include <functional>

#include "tracing/recordings/archive/folder/measurement_folder.h"
#include "tracing/recordings/archive/otf2_complaints.h"

namespace holos::archive {

/// An OTF2 archive that is being written, `traces` in a folder. What it complains about tells whether it is
/// whole.
class WrittenArchive {
  public:
    /// Throws `Error` where it cannot be made.
    WrittenArchive(const fs::path& folder, Otf2Complaints& complaints);
    ~WrittenArchive();
    WrittenArchive(WrittenArchive&&) = delete;

    OTF2_Archive* get() const { return archive_; }
    /// With its files of events open.
    void writeEvents(const std::function<void()>& write);
    /// Throws `Error` where that fails.
    void close();

  private:
    OTF2_Archive* archive_;
};

}  // namespace holos::archive
