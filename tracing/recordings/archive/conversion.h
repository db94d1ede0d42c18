// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/temporary_folder.h"
#include "tracing/recordings/archive/account/result.h"
#include "tracing/recordings/archive/folder/measurement_folder.h"
#include "tracing/recordings/archive/helpers.h"
#include "tracing/recordings/archive/run/reading.h"

namespace holos::archive {

/// How old what is known of a recording that goes on was at its `Moment`, by the clocks of its machines.
struct Age {
    std::int64_t newest = 0;    ///< nanoseconds since the newest event of all
    std::int64_t oldest = 0;    ///< since that of the process that has recorded nothing for the longest time
    std::uint64_t process = 0;  ///< the latter
    std::string host;
};

struct Conversion {
    std::vector<std::string> notes = {};  ///< that the result has, too
    std::optional<Moment> moment = {};    ///< of a recording that processes may go on with
    /// Called before the events of each location, from any thread. What it throws ends the conversion.
    std::function<void()> beforeEach = {};
    Helpers* helpers = nullptr;  ///< who translates, too; null: nobody
};

struct Converted {
    Result result;
    std::optional<Age> age;  ///< where there is a moment, and an event
};

/// Makes the trace of a recording, which stays as it is, in the folder `to`. Throws `Error` as `finish`.
Converted convert(const fs::path& recording, const fs::path& to, const Conversion& how = {});

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
