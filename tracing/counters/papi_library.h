// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <papi.h>

#include <string>

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

}  // namespace holos::counters
