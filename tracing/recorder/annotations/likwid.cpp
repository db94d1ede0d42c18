// SPDX-License-Identifier: BSD-3-Clause
// LIKWID's markers: the functions behind `LIKWID_MARKER_START` and `LIKWID_MARKER_STOP`. Those for Fortran
// call these.
#include "tracing/recorder/annotations/forward.h"
#include "tracing/recorder/annotations/names.h"

#define HOLOS_LIKWID extern "C" __attribute__((visibility("default"))) int

using namespace holos::tracing;
using namespace holos::tracing::annotations;

namespace {

constexpr Annotation kLikwid = Annotation::Likwid;

using Marker = int(const char*);
constinit Forwarded<Marker> nextStart("likwid_markerStartRegion");
constinit Forwarded<Marker> nextStop("likwid_markerStopRegion");

/// Regions of one name end each other.
std::uint64_t keyOf(const Name* name) noexcept {
    return reinterpret_cast<std::uint64_t>(name);
}

}  // namespace

HOLOS_LIKWID likwid_markerStartRegion(const char* tag) {
    const int result = nextStart.call(HOLOS_HERE, tag);
    if (hears(kLikwid)) {
        Name* const name = nameOf(kLikwid, What::Region, {}, tag);
        begin(kLikwid, name, keyOf(name));
    }
    return result;
}

HOLOS_LIKWID likwid_markerStopRegion(const char* tag) {
    if (hears(kLikwid)) end(kLikwid, keyOf(nameOf(kLikwid, What::Region, {}, tag)));
    return nextStop.call(HOLOS_HERE, tag);
}
