// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/temporary_folder.h"
#include "tracing/recordings/archive/account/result.h"
#include "tracing/recordings/archive/folder/folder_lock.h"
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

/// Makes a trace of what the preloaded library left of a run.
namespace holos::archive {

class Helpers;

/// Makes `kProfileFile` in a folder that has the definitions of an archive, of what its run added up.
using MakeProfile = std::function<void(const fs::path& folder, const Result& result)>;

/// Whose end is looked for before a trace is made. Without looking, all that others still record is lost.
enum class Check {
    Everybody,        ///< recorded processes, also those of which nothing is known here, and `holos record`
                      ///< commands
    LivingProcesses,  ///< recorded processes that are known to live
    Nobody
};

/// Converts `DIR/recording` to `DIR/traces.otf2` with its files and `DIR/measurement.json`, and removes the
/// recording. The new files appear only when they are complete. Another process that converts the same
/// recording is waited for (`FolderLock`); what it did is not done again. What a killed one left is cleared
/// away. Throws `StillRecorded` where somebody works on the recording, and `Error` when nothing was recorded,
/// the recording cannot be read or the trace cannot be written; the recording stays then. Of a run that only
/// added up, `DIR/profile.cubex` and `DIR/measurement.json` are made and no trace. Of several MPI jobs all
/// but the first have the same in folders of their own (`folder/measurement_folder.h`).
///
/// `helpers`: other processes that translate a part of the events, of whose number the trace is independent.
Result finish(const fs::path& directory, Check check = Check::Everybody, const MakeProfile& makeProfile = {},
              const Tell& tell = {}, Helpers* helpers = nullptr);

/// Removes a recording to which no process has written anything, and `directory` where it holds nothing else.
/// False, and nothing is removed, where one has.
bool removeEmpty(const fs::path& directory);

}  // namespace holos::archive
