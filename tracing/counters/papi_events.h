// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tracing/counters/papi_library.h"
#include "tracing/counters/source.h"

/// What PAPI says of its components and events, in the words of `source.h`.
namespace holos::counters {

/// A component of PAPI, such as `perf_event`, `coretemp`, `net`.
struct PapiComponent {
    int index = 0;
    std::string name;
    std::string description;
    std::string unavailable;  ///< PAPI's reason where it is disabled; empty when it can count
    Scope scope = Scope::Thread;
};

/// All that the library was built with. The processor's is the first.
std::vector<PapiComponent> componentsOf(const PapiLibrary& papi);

/// The codes of the native events of a component, those with a unit mask behind the one without.
std::vector<int> nativeEvents(const PapiLibrary& papi, int component);
/// The codes of all presets of PAPI, also of those that this processor does not have.
std::vector<int> presets(const PapiLibrary& papi);

/// An event with its name, unit and meaning; whether it can be counted is not looked at.
Counter describe(const PapiComponent& component, const PAPI_event_info_t& info);

/// True when the values of an event are what happened since it was last read, to be added up.
bool isSinceLastReading(const PAPI_event_info_t& info);

/// The component that stands in a name before `:::`; empty where none does.
std::string_view componentIn(std::string_view event);

}  // namespace holos::counters
