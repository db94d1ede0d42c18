// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <otf2/otf2.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "analyzer/trace/definitions.h"
#include "analyzer/trace/error_capture.h"
#include "analyzer/trace/event_file.h"
#include "analyzer/trace/quiet_calls.h"
#include "base/temporary_folder.h"

namespace holos::analyzer::trace {

/// Copies the events of one location into another archive, at other times. All that an event says besides
/// stays as it is; only kinds that this version of OTF2 does not know are left out.
/// Thread safety: one thread for each location, the same from the first call to the last.
class EventCopy {
  public:
    /// The time of an event that was recorded at a time; both in ticks since the trace's start.
    using TimeOf = std::function<Ticks(Ticks recorded)>;

    /// `target` is open for events, has locks, and outlives the copy. Throws `holos::Error`.
    EventCopy(const std::filesystem::path& anchor, const Definitions& definitions, LocationId location,
              OTF2_Archive* target);
    ~EventCopy();
    EventCopy(const EventCopy&) = delete;
    EventCopy& operator=(const EventCopy&) = delete;

    /// Goes on with the events before the one of this number, as OTF2 counts them. No event is earlier than
    /// the one before it. Throws `holos::Error` where they cannot be written.
    void copyBefore(std::uint64_t event, const TimeOf& timeOf);
    /// Copies the rest, and closes the file. Returns how many events there are now.
    std::uint64_t finish(const TimeOf& timeOf);
    /// Events of kinds that are not known.
    std::uint64_t leftOut() const { return leftOut_; }
    std::uint64_t reference() const { return reference_; }

  private:
    class Callbacks;
    template <class Write>
    OTF2_CallbackCode copy(std::uint64_t event, OTF2_TimeStamp time, Write&& write);
    /// Keeps what went wrong first.
    void note(OTF2_ErrorCode code, const ErrorCapture& complaints);
    void throwFailure() const;

    OTF2_TimeStamp offset_;
    std::uint64_t reference_;
    EventFile file_;
    OTF2_Archive* target_;
    OTF2_EvtWriter* out_;
    const TimeOf* timeOf_ = nullptr;
    std::uint64_t next_ = 0;  ///< the number of the event that comes next
    Ticks last_ = std::numeric_limits<Ticks>::min();
    std::uint64_t events_ = 0;
    std::uint64_t leftOut_ = 0;
    std::string failure_;
};

/// What definitions say of events.
struct CopiedEvents {
    std::map<OTF2_LocationRef, std::uint64_t> events;  ///< how many each location has
    std::uint64_t length = 0;                          ///< of the trace, in ticks
};

/// Copies the global definitions of an archive that can be read into one that is written, with other numbers
/// of events and another length. `file`: for messages. Throws `holos::Error`.
void copyDefinitions(OTF2_Reader* reader, OTF2_GlobalDefWriter* target, const CopiedEvents& copied,
                     const std::string& file);

/// A copy of an archive in which all happens at other times: its events, with all that they say, its global
/// definitions and its properties. References are global ones, and clocks agree. Markers, snapshots and
/// thumbnails are not copied: they have times of the recorded run.
/// Thread safety: `copyOf` and `add` are safe.
class RetimedArchive {
  public:
    /// `folder` exists and is empty; the archive is `folder/traces.otf2`. Throws `holos::Error`.
    RetimedArchive(const std::filesystem::path& anchor, const Definitions& definitions,
                   const std::filesystem::path& folder);
    ~RetimedArchive();
    RetimedArchive(const RetimedArchive&) = delete;
    RetimedArchive& operator=(const RetimedArchive&) = delete;

    std::unique_ptr<EventCopy> copyOf(LocationId location) const;
    /// Of a copy that is complete: how many events it has.
    void add(const EventCopy& copy, std::uint64_t events);
    /// Events that were left out, because this version of OTF2 does not know them.
    std::uint64_t leftOut() const { return leftOut_; }
    /// Completes the archive. `length`: ticks from the trace's start to its last event.
    void finish(std::uint64_t length);

  private:
    void copyProperties();
    void writeLocalDefinitions();
    void writeGlobalDefinitions();

    std::filesystem::path anchor_;
    const Definitions& definitions_;
    std::unique_ptr<OTF2_Reader, decltype(&OTF2_Reader_Close)> reader_;
    OTF2_Archive* archive_ = nullptr;
    std::mutex mutex_;
    CopiedEvents copied_;
    std::uint64_t leftOut_ = 0;
};

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
