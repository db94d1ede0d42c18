// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <otf2/otf2.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "analyzer/trace/definitions.h"
#include "analyzer/trace/error_capture.h"
#include "analyzer/trace/event_decoder.h"
#include "analyzer/trace/event_handlers.h"
#include "analyzer/trace/local_corrections.h"

namespace holos::analyzer::trace {

/// How the reading of one location went.
struct ReadOutcome {
    std::uint64_t events = 0;            ///< that were delivered
    std::optional<std::string> problem;  ///< why there are not more
};

/// Called with the number of further events that were delivered.
using EventProgress = std::function<void(std::uint64_t)>;

/// `traces.otf2` → `traces/17.evt`
std::filesystem::path locationFile(const std::filesystem::path& anchor, std::uint64_t location,
                                   const char* extension);

/// Whether a file of local definitions has any.
bool hasDefinitions(const std::filesystem::path& file);

/// The events of one location, opened with files of its own, with the location's id maps and clock offsets
/// applied. Construction never throws for damaged files: `events` is null then, `listen` false, and `outcome`
/// says why.
///
/// Files are read by a decoder of our own (`EventDecoder`). OTF2's reader, which gives the same and takes
/// longer, reads compressed files and those in containers (SION), copies, what begins at a later event, and
/// damaged files from the first event on that is not whole.
class EventFile {
  public:
    EventFile(const std::filesystem::path& anchor, const Definitions& definitions, LocationId location)
        : EventFile(anchor, definitions, location, anchor) {}
    /// A copy that is whole of a file of the archive with the second anchor, which messages name.
    EventFile(const std::filesystem::path& anchor, const Definitions& definitions, LocationId location,
              const std::filesystem::path& named);
    ~EventFile();
    EventFile(const EventFile&) = delete;
    EventFile& operator=(const EventFile&) = delete;

    OTF2_Reader* reader() const { return reader_.get(); }
    /// OTF2's reader for callbacks of the caller's own.
    OTF2_EvtReader* events();
    /// Events are handed to these functions from now on. False where none can be read; `outcome` says why.
    bool listen(const EventHandlers& handlers, void* user);

    /// The next event that is delivered is the one of this number. False when there is none; `outcome` says
    /// so.
    bool skipTo(std::uint64_t event);
    /// Delivers to the functions that listen, until the end, damage, or an interruption. Of a file
    /// that was cut, what is there in whole.
    void deliver(const EventProgress& progress);
    /// As above, until so many were delivered altogether. Then true, if they are there.
    bool deliverUpTo(std::uint64_t events, const EventProgress& progress);
    /// Forgets who listens, and reads as above for nobody: faster than to deliver, and than OTF2's way to go
    /// to an event of a chunk, which begins at the chunk's first one each time.
    bool passUpTo(std::uint64_t events, const EventProgress& progress);
    /// The file lacks so many events at this place: they count as delivered.
    void leaveOut(std::uint64_t events, const EventProgress& progress);
    /// Delivers the next event only. False where there is none, or it cannot be read.
    bool step();
    const ReadOutcome& outcome() const { return outcome_; }
    /// The outcome, with what the definition of the location promised and the file does not have.
    ReadOutcome completeOutcome() const;

  private:
    /// False where the end was reached.
    bool deliverSome(std::uint64_t most, const EventProgress& progress);
    void findCut(const std::filesystem::path& file);
    void readLocalDefinitions(const std::filesystem::path& file);
    void openDecoder();
    void openLibrary();
    std::uint64_t decode(std::uint64_t wanted);
    void goOnWithLibrary();

    std::filesystem::path file_;    ///< for messages
    std::filesystem::path opened_;  ///< the same, or its copy
    std::uint64_t reference_;
    std::uint64_t promised_;
    ErrorCapture capture_;
    ReadOutcome outcome_;
    std::unique_ptr<OTF2_Reader, decltype(&OTF2_Reader_Close)> reader_;
    OTF2_EvtReader* events_ = nullptr;
    LibraryEvents library_;
    std::unique_ptr<EventDecoder> decoder_;
    LocalCorrections corrections_;
    bool isDecodable_ = false;  ///< as far as the archive says
    EventHandlers handlers_;
    void* user_ = nullptr;
    std::optional<std::uint64_t> cutAfter_;  ///< events, when the file was cut
};

}  // namespace holos::analyzer::trace
