// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <filesystem>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analyzer/trace/call_events.h"
#include "analyzer/trace/definitions.h"

/// What happened at a location in a part of the run, for pictures: as much as a picture can show, whatever
/// the trace's size. Memory grows with the window's bins, with the limits below, and with the messages
/// before its end.

namespace holos::analyzer::trace {

struct Window {
    Ticks from = 0;
    Ticks to = 0;
    unsigned bins = 1;          ///< equal parts of the window, such as pixels
    std::size_t mostSpans = 0;  ///< beyond this only bins are told
    std::size_t mostMessages = 0;
};

/// A region from its enter to its leave, as far as they are in the trace before the window's end.
struct Span {
    Ticks begin = 0;
    Ticks end = 0;
    RegionId region;
    std::uint32_t depth = 0;  ///< 0: the outermost
};

/// What took most of one of the window's equal parts.
struct Bin {
    std::optional<RegionId> region;  ///< the innermost; nothing where the program was outside of all regions
    double share = 0;                ///< of the bin's time; 0 where nothing is known of it
};

/// Some time in which a thread could run, but had no processor. How long it lasted is known, and before which
/// event it ended; not whether it was directly before that.
struct Shortage {
    Ticks begin = 0;
    Ticks end = 0;
};

struct Excerpt {
    std::vector<Bin> bins;
    std::vector<Shortage> shortages = {};  ///< that touch the window; as many as there may be spans
    std::vector<Span> spans;  ///< that touch the window, in the order of their ends; none beyond the limit
    bool tooManySpans = false;
    std::vector<MessageEnd> messages;  ///< until the window's end, in their order; no more than the limit
    bool tooManyMessages = false;
    std::uint64_t events = 0;  ///< enters and leaves in the window
    std::uint32_t depth = 0;   ///< of calls in the window
    std::optional<std::string> problem;
};

/// A call that is not left yet.
struct OpenCall {
    Ticks begin = 0;
    RegionId region;
    friend bool operator==(const OpenCall&, const OpenCall&) = default;
};

/// Where reading can begin in the middle of a location's events.
struct Checkpoint {
    std::uint64_t event = 0;      ///< number of the next event
    Ticks time = 0;               ///< of the last one before
    std::vector<OpenCall> calls;  ///< the outermost first
};

/// Reads a location's events until the window's end; stops early when `stopped` becomes true. Damaged
/// files never throw: `problem` says what is missing. `start` lies before the window; messages before it are
/// not told.
/// Thread safety: one thread for each location.
Excerpt readExcerpt(const std::filesystem::path& anchor, const Definitions& definitions, LocationId location,
                    const Window& window, const std::atomic<bool>& stopped, const Checkpoint& start = {});

/// A message with both ends known.
struct Message {
    LocationId sender;
    LocationId receiver;
    Ticks sent = 0;
    Ticks received = 0;
    std::uint64_t bytes = 0;
};

struct LocationExcerpt {
    LocationId location;
    Excerpt excerpt;
};

struct LocationMessages {
    LocationId location;
    std::span<const MessageEnd> ends;
};

/// Pairs the ends, n-th with n-th of each sender, receiver, communicator and tag, as MPI's order demands.
/// Ends without a partner among these locations, and messages that ended before `from`, are left out.
std::vector<Message> pairMessages(const Definitions& definitions,
                                  const std::vector<LocationMessages>& locations, Ticks from);

/// A function or a region on the call stack of a location, from when to when it is known to be there.
///
///     main      ████████████████████████
///     solve       ███████████   ████████      known at events and samples: a function that two of them
///     MPI_Recv       ███         ███          in a row have was there in between
///
struct StackBar {
    Ticks begin = 0;
    Ticks end = 0;
    RegionId region;          ///< the function, or the region
    std::uint32_t depth = 0;  ///< 0: the outermost
    SiteId site = kNoSite;    ///< where it is called
    bool isEvent = false;     ///< an event entered it; else its calls or samples tell of it
    friend bool operator==(const StackBar&, const StackBar&) = default;
};

struct StackExcerpt {
    std::vector<StackBar> bars;  ///< that touch the window, in the order of their ends
    std::uint32_t depth = 0;     ///< how many stand above each other
    std::uint64_t samples = 0;   ///< in the window
    std::optional<std::string> problem;
};

/// Reads what was on a location's call stack in a window: regions from their events, functions from the calls
/// that led into regions, and from samples. A sample stands for the time since the event or sample before
/// it, unless that is much longer than samples are usually apart. Bars that are shorter than half of the
/// window's bins are left out, as far as `window.mostSpans` would be exceeded. Reads from the location's
/// first event on, because only then it is known from where regions are entered. Never throws for damaged
/// files. Thread safety: one thread for each location.
StackExcerpt readStacks(const std::filesystem::path& anchor, const Definitions& definitions,
                        LocationId location, const Window& window, const std::atomic<bool>& stopped);

/// Something that is on a call stack.
struct StackedCall {
    Ticks begin = 0;
    RegionId region;                                     ///< the function, or the region
    SiteId site = kNoSite;                               ///< where it is called
    FrameId frame = kNoFrame;                            ///< of a function that calls or samples tell of
    bool isRegion() const { return frame == kNoFrame; }  ///< an event entered it
};

/// Is told what is on a location's call stack, from each event and sample to the next one.
class StackListener {
  public:
    StackListener() = default;
    virtual ~StackListener() = default;
    StackListener(const StackListener&) = delete;
    StackListener& operator=(const StackListener&) = delete;

    /// `stack`: from the outermost on, through all of this time. `kept`: so many of it stood there the last
    /// time, too, and did not go meanwhile.
    virtual void passed(std::span<const StackedCall> stack, std::size_t kept, Ticks from, Ticks to) = 0;
};

/// Tells what `readStacks` knows, over the whole run; what is wrong with the trace, if anything. Never throws
/// for damaged files. Thread safety: one thread for each location.
std::optional<std::string> followStacks(const std::filesystem::path& anchor, const Definitions& definitions,
                                        LocationId location, StackListener& listener,
                                        const std::atomic<bool>& stopped);

/// What is looked for on stacks.
struct StackSearch {
    std::vector<char> isWanted;                        ///< by region
    Ticks least = 0;                                   ///< so long at least
    Ticks after = -1;                                  ///< what begins later,
    Ticks before = std::numeric_limits<Ticks>::max();  ///< but earlier than this
};

/// The first bar on a location's stack of which all of that holds, as `readStacks` knows them. Never throws
/// for damaged files. Thread safety: one thread for each location.
std::optional<StackBar> findInStacks(const std::filesystem::path& anchor, const Definitions& definitions,
                                     LocationId location, const StackSearch& search,
                                     const std::atomic<bool>& stopped);

}  // namespace holos::analyzer::trace
