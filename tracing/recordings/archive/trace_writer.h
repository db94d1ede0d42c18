// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <otf2/otf2.h>

#include <cstdarg>
#include <functional>
#include <mutex>

#include "tracing/recordings/archive/account/result.h"
#include "tracing/recordings/archive/folder/measurement_folder.h"
#include "tracing/recordings/archive/helpers.h"
#include "tracing/recordings/archive/plan/trace_plan.h"
#include "tracing/recordings/archive/run/host_clocks.h"

namespace holos::archive {

/// While one exists, OTF2 prints nothing; what it complained about first is kept. Not all of its functions
/// return the errors of those below them: what was written without a complaint is whole.
///
/// OTF2 3.0 frees memory a second time after a write that failed. It is told that each one succeeded, so that
/// it goes on and closes its files; who writes with it asks here before it takes the trace to be whole.
///
/// Thread safety: safe, as OTF2 complains from several threads.
class Otf2Complaints {
  public:
    Otf2Complaints() : before_(OTF2_Error_RegisterCallback(&receive, this)) {}
    ~Otf2Complaints() { OTF2_Error_RegisterCallback(before_, nullptr); }
    Otf2Complaints(Otf2Complaints&&) = delete;

    /// `OTF2_SUCCESS` where there was none.
    OTF2_ErrorCode first() const {
        const std::lock_guard lock(mutex_);
        return first_;
    }

  private:
    static OTF2_ErrorCode receive(void* self, const char* file, std::uint64_t line, const char* function,
                                  OTF2_ErrorCode code, const char* format, va_list values);

    OTF2_ErrorCallback before_;
    mutable std::mutex mutex_;
    OTF2_ErrorCode first_ = OTF2_SUCCESS;
};

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

/// How a trace is written.
struct TraceWriting {
    const std::function<void()>& beforeEach;  ///< that of `Conversion`
    Helpers* helpers = nullptr;               ///< null: none
    Order order = {};                         ///< what they have to know
    fs::path directory = {};                  ///< of the measurement, where there are helpers
};

/// Writes the archive `traces` into `folder`. Adds to the plan what was found in the events: notes, and where
/// threads ran.
Result writeTrace(const fs::path& folder, TracePlan& plan, const Timeline& timeline, const TraceWriting& how);

/// Throws `Error` where the disk of the folder has not twice the room that the trace takes: who goes on to
/// record may need some of it, too.
void requireRoom(const fs::path& folder, const TracePlan& plan);

}  // namespace holos::archive
