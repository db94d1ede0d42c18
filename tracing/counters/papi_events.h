// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <papi.h>

#include <string>
#include <string_view>
#include <vector>

#include "tracing/counters/source.h"

namespace holos::counters {

/// PAPI's functions, found in the library that the machine has at run time.
struct PapiLibrary {
    decltype(&PAPI_library_init) libraryInit = nullptr;
    decltype(&PAPI_thread_init) threadInit = nullptr;
    decltype(&PAPI_register_thread) registerThread = nullptr;
    decltype(&PAPI_event_name_to_code) eventNameToCode = nullptr;
    decltype(&PAPI_get_event_info) getEventInfo = nullptr;
    decltype(&PAPI_get_event_component) getEventComponent = nullptr;
    decltype(&PAPI_num_components) numComponents = nullptr;
    decltype(&PAPI_get_component_info) getComponentInfo = nullptr;
    decltype(&PAPI_enum_event) enumEvent = nullptr;
    decltype(&PAPI_enum_cmp_event) enumComponentEvent = nullptr;
    decltype(&PAPI_query_event) queryEvent = nullptr;
    decltype(&PAPI_create_eventset) createEventset = nullptr;
    decltype(&PAPI_assign_eventset_component) assignEventsetComponent = nullptr;
    decltype(&PAPI_multiplex_init) multiplexInit = nullptr;
    decltype(&PAPI_set_multiplex) setMultiplex = nullptr;
    decltype(&PAPI_cleanup_eventset) cleanupEventset = nullptr;
    decltype(&PAPI_destroy_eventset) destroyEventset = nullptr;
    decltype(&PAPI_add_event) addEvent = nullptr;
    decltype(&PAPI_start) start = nullptr;
    decltype(&PAPI_stop) stop = nullptr;
    decltype(&PAPI_read) read = nullptr;
    decltype(&PAPI_strerror) strerror = nullptr;
    std::string missing;  ///< why PAPI cannot be used; empty when it can
};

/// Loads and initialises PAPI at the first call.
const PapiLibrary& papiLibrary();

/// What PAPI says of its components and events, in the words of `source.h`.

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
Counter counterOf(const PapiComponent& component, const PAPI_event_info_t& info);

/// True when the values of an event are what happened since it was last read, to be added up.
bool isSinceLastReading(const PAPI_event_info_t& info);

/// The component that stands in a name before `:::`; empty where none does.
std::string_view componentIn(std::string_view event);

}  // namespace holos::counters
