// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <otf2/otf2.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "analyzer/trace/event_copy.h"

namespace holos::analyzer::trace {

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

}  // namespace holos::analyzer::trace
