// SPDX-License-Identifier: BSD-3-Clause
// The recorder's side of the user interface.
#include <bit>

#include "tracing/recorder/core/clock_comparison.h"
#include "tracing/recorder/core/events.h"
#include "tracing/recorder/core/filtering.h"
#include "tracing/recorder/core/recorded_part.h"
#include "tracing/recorder/user/include/holos/holos.h"

#define HOLOS_EXPORTED extern "C" __attribute__((visibility("default")))

using namespace holos::tracing;

namespace {

/// In the number of a region that the recording is limited to.
constexpr holos_region kWantedPhase = 0x80000000U;

holos_region define(const char* name, const char* file, unsigned line, Role role) {
    if (name == nullptr || *name == '\0') return 0;
    const char* const known = file != nullptr && *file != '\0' ? file : nullptr;
    const RegionDefinition definition{name, known, line, line, Paradigm::User, role};
    const holos_region region = defineRegion(definition);
    if (region == 0 && core::isLeftOut(definition)) return HOLOS_LEFT_OUT;
    return core::isWantedPhase(name) ? region | kWantedPhase : region;
}

}  // namespace

HOLOS_EXPORTED holos_region holos_region_define(const char* name, const char* file, unsigned line) {
    return define(name, file, line, Role::Function);
}

HOLOS_EXPORTED void holos_region_enter(holos_region region) {
    if ((region & kWantedPhase) == 0) [[likely]]
        return static_cast<void>(enter(region));
    if (region == HOLOS_LEFT_OUT) return;
    core::beginPhase();
    enter(region ^ kWantedPhase);
}
HOLOS_EXPORTED void holos_region_leave(holos_region region) {
    if ((region & kWantedPhase) == 0) [[likely]]
        return leave(region);
    if (region == HOLOS_LEFT_OUT) return;
    leave(region ^ kWantedPhase);
    core::endPhase();
}

/// Further calls of a function are not recorded: so many were, which took so long on average
/// (`python/holos_regions.py`).
HOLOS_EXPORTED void holos_region_throttled(holos_region region, unsigned calls, double meanNanoseconds) {
    if (region != 0 && region != HOLOS_LEFT_OUT) throttled(region & ~kWantedPhase, calls, meanNanoseconds);
}

HOLOS_EXPORTED holos_region holos_phase_define(const char* name, const char* file, unsigned line) {
    return define(name, file, line, Role::Phase);
}

HOLOS_EXPORTED void holos_pause() {
    measurementOff();
}
HOLOS_EXPORTED void holos_resume() {
    measurementOn();
}

HOLOS_EXPORTED holos_metric holos_metric_define(const char* name, const char* unit, int kind) {
    if (name == nullptr || *name == '\0') return 0;
    return defineMetric({name, unit, (kind & HOLOS_REAL) != 0 ? MetricType::Real : MetricType::Integer,
                         (kind & HOLOS_TOTAL) != 0});
}
HOLOS_EXPORTED void holos_metric_integer(holos_metric metric, long long value) {
    metricValue(metric, static_cast<std::uint64_t>(value));
}
HOLOS_EXPORTED void holos_metric_real(holos_metric metric, double value) {
    metricValue(metric, std::bit_cast<std::uint64_t>(value));
}

HOLOS_EXPORTED holos_parameter holos_parameter_define(const char* name) {
    return name != nullptr && *name != '\0' ? defineParameter(name) : 0;
}
HOLOS_EXPORTED void holos_parameter_value(holos_parameter parameter, long long value) {
    parameterValue(parameter, value);
}

HOLOS_EXPORTED void holos_clocks_compare() {
    compareClocks();
}

HOLOS_EXPORTED const holos_interface* holos_get_interface(unsigned version) {
    static const holos_interface interface {
        holos_region_define, holos_region_enter, holos_region_leave, holos_phase_define, holos_pause,
            holos_resume, holos_metric_define, holos_metric_integer, holos_metric_real,
            holos_parameter_define, holos_parameter_value, holos_clocks_compare
    };
    return version >= 1 && version <= HOLOS_INTERFACE_VERSION ? &interface : nullptr;
}
