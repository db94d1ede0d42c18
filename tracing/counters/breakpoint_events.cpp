// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/counters/breakpoint_events.h"

#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <string_view>

#include "base/descriptor.h"
#include "base/number.h"

namespace holos::counters {
namespace {

constexpr std::string_view kPrefix = "mem:";

/// The bits of the kernel for letters such as `rw`; 0 for others.
std::uint32_t kindsIn(std::string_view letters) {
    std::uint32_t kinds = 0;
    for (const char letter : letters) {
        if (letter != 'r' && letter != 'w' && letter != 'x') return 0;
        kinds |= letter == 'r' ? HW_BREAKPOINT_R : letter == 'w' ? HW_BREAKPOINT_W : HW_BREAKPOINT_X;
    }
    return kinds;
}

std::string_view partOf(std::string_view& text, char end) {
    const std::size_t at = std::min(text.find(end), text.size());
    const std::string_view part = text.substr(0, at);
    text.remove_prefix(std::min(at + 1, text.size()));
    return part;
}

/// Whether a breakpoint counts a write; true where none can be set, which has reasons of its own.
bool countsAWrite() {
    static volatile std::uint64_t variable = 0;
    perf_event_attr attributes{};
    attributes.size = sizeof attributes;
    attributes.type = PERF_TYPE_BREAKPOINT;
    attributes.bp_type = HW_BREAKPOINT_W;
    attributes.bp_addr = reinterpret_cast<std::uint64_t>(&variable);
    attributes.bp_len = sizeof variable;
    attributes.exclude_kernel = 1;
    attributes.exclude_hv = 1;
    const Descriptor file(
        static_cast<int>(::syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC)));
    variable = variable + 1;
    std::uint64_t count = 0;
    return !file || ::read(file.number(), &count, sizeof count) != sizeof count || count != 0;
}

}  // namespace

bool breakpointsCount() {
    static const bool doCount = countsAWrite();
    return doCount;
}

std::optional<PerfEvent> findBreakpoint(const std::string& name) {
    constexpr std::uint64_t kUsualBytes = 4;
    std::string_view rest = name;
    if (!rest.starts_with(kPrefix)) return std::nullopt;
    rest.remove_prefix(kPrefix.size());
    std::string_view place = partOf(rest, ':');
    const auto address = asDecimalOrHexadecimal(partOf(place, '/'));
    const auto bytes = place.empty() ? std::optional(kUsualBytes) : asDecimalOrHexadecimal(place);
    const std::string_view letters = partOf(rest, ':');
    std::uint32_t kinds = kindsIn(letters);
    PerfEvent event{name, "Accesses to a place in memory", "occ", PERF_TYPE_BREAKPOINT, 0, false};
    if (letters.empty()) kinds = HW_BREAKPOINT_RW;
    const bool isOfCode = (kinds & HW_BREAKPOINT_X) != 0;
    const bool isLength = bytes && std::has_single_bit(*bytes) && *bytes <= sizeof(std::uint64_t);
    if (!address || !isLength || kinds == 0)
        event.problem =
            "expected mem:ADDRESS or mem:ADDRESS/BYTES with 1, 2, 4 or 8 bytes, and optionally :r, :w, :rw "
            "or :x after it";
    event.breakpoint = kinds;
    event.config1 = address.value_or(0);
    event.config2 = isOfCode ? sizeof(long) : bytes.value_or(0);  // which the kernel wants there
    if (!rest.empty() && !setDomains(event, rest))
        event.problem = "unknown domains '" + std::string(rest) + "'";
    return event;
}

}  // namespace holos::counters
