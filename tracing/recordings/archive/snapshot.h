// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "base/temporary_folder.h"
#include "tracing/recordings/archive/conversion.h"

namespace holos::archive {

/// A trace of what a recording holds at a moment, while processes go on with it. It takes no lock and writes
/// nothing to the recording's folder, so that nobody waits for it, and folders of others can be read. Removed
/// with the object.
class Snapshot {
  public:
    /// `place`: where the trace is kept meanwhile. Throws `Error` where nothing is recorded yet, the
    /// recording cannot be read, or there is no room in that place. `beforeEach`: that of `Conversion`.
    Snapshot(const fs::path& directory, const fs::path& place, std::function<void()> beforeEach = {});

    /// False where the recording was finished or replaced while it was read: then parts of it may be missing
    /// here.
    bool isWhole() const { return isWhole_; }
    /// The folder of the trace.
    fs::path path() const { return folder_.path() / "trace"; }
    const Result& result() const { return converted_.result; }
    const Moment& moment() const { return moment_; }
    const std::optional<Age>& age() const { return converted_.age; }

  private:
    TemporaryFolder folder_;
    Moment moment_;
    Converted converted_;
    bool isWhole_ = true;
};

}  // namespace holos::archive
