// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <otf2/otf2.h>

#include <algorithm>
#include <cstdint>
#include <memory>

#include "tracing/recordings/archive/definitions/otf2_names.h"
#include "tracing/recordings/archive/run/host_clocks.h"

namespace holos::archive {

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
