// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

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

}  // namespace holos::archive
