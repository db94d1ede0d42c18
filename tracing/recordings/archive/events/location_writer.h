// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <otf2/otf2.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "tracing/recordings/archive/definitions/otf2_names.h"
#include "tracing/recordings/archive/plan/placement.h"
#include "tracing/recordings/archive/run/host_clocks.h"

namespace holos::archive {

/// The region that a location entered last, and the calls that led to it.
struct LastRegion {
    std::uint32_t region = 0;
    std::uint32_t context = 0;  ///< `SampledContext::kNone` where they are not known
    bool isOpen = true;
};

/// What happened while one location's events were translated.
struct LocationResult {
    std::uint64_t events = 0;         ///< in the trace
    std::uint64_t dropped = 0;        ///< records whose begin, or what else they refer to, is missing
    std::vector<std::uint32_t> open;  ///< regions that were not left, the outermost first
    std::optional<LastRegion> lastRegion;
    std::map<std::uint32_t, std::uint64_t> unended;  ///< regions of users, as `OpenRegions` has them
    bool damaged = false;
    std::uint64_t lostBytes = 0;  ///< of records that were written, and are not in the file
    bool isCut = false;           ///< older records were overwritten
    bool hasPolls = false;        ///< several of which are one call in the trace
    std::uint64_t shortage = 0;   ///< nanoseconds in which it could run and had no processor
    std::int64_t first = 0;       ///< nanoseconds of the host; equal to `last` when there are no events
    std::int64_t last = 0;
    std::uint64_t sent = 0;  ///< messages
    std::uint64_t received = 0;
    std::uint64_t cancelled = 0;
    std::uint64_t outside = 0;     ///< events outside of the time of their process
    std::int64_t unknownTime = 0;  ///< nanoseconds between the last event and an end that others saw
    SeenProcessors processors;
};

struct AttributesDeleter {
    void operator()(OTF2_AttributeList* list) const { OTF2_AttributeList_Delete(list); }
};
/// Attributes of an event.
using Attributes = std::unique_ptr<OTF2_AttributeList, AttributesDeleter>;

inline Attributes newAttributes() {
    return Attributes(OTF2_AttributeList_New());
}

/// Writes the events of one location, each at the location's present time, which never runs backwards.
class LocationWriter {
  public:
    /// Time begins at `start`, in ticks of the clock.
    LocationWriter(OTF2_EvtWriter* out, const HostClock& clock, std::uint64_t start)
        : out_(out), clock_(clock), now_(clock.nanoseconds(start)) {}

    /// Nanoseconds since the start of the host's clock.
    std::int64_t now() const { return now_; }
    std::int64_t nanoseconds(std::uint64_t ticks) const { return clock_.nanoseconds(ticks); }
    void passTo(std::uint64_t ticks) { passToNanoseconds(nanoseconds(ticks)); }
    void passToNanoseconds(std::int64_t time) { now_ = std::max(now_, time); }
    void passBy(std::int64_t nanoseconds) { now_ += nanoseconds; }

    /// `writer`: OTF2's function for the event; `values`: what it wants behind the time.
    template <class Writer, class... Values>
    void write(Writer writer, Values... values) {
        writeWith(nullptr, writer, values...);
    }
    template <class Writer, class... Values>
    void writeWith(OTF2_AttributeList* attributes, Writer writer, Values... values) {
        check(writer(out_, attributes, static_cast<OTF2_TimeStamp>(now_), values...), "an event");
    }
    /// A record refers to something undefined, and is left out.
    void drop() { ++dropped_; }
    std::uint64_t dropped() const { return dropped_; }

    std::uint64_t events() const {
        std::uint64_t result = 0;
        check(OTF2_EvtWriter_GetNumberOfEvents(out_, &result), "the number of events");
        return result;
    }

  private:
    OTF2_EvtWriter* out_;
    const HostClock& clock_;
    std::int64_t now_;
    std::uint64_t dropped_ = 0;
};

}  // namespace holos::archive
