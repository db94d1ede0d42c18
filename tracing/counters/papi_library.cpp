// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/counters/papi_library.h"

#include <dlfcn.h>
#include <pthread.h>

namespace holos::counters {
namespace {

/// By the names that PAPI's own makefile and distributions give it. The plain one comes with the headers
/// only.
void* openLibrary() {
    const std::string major = "libpapi.so." + std::to_string(PAPI_VERSION_MAJOR(PAPI_VERSION));
    const std::string minor = major + '.' + std::to_string(PAPI_VERSION_MINOR(PAPI_VERSION));
    for (const std::string& name : {minor, major, std::string("libpapi.so")})
        if (void* library = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
    return nullptr;
}

unsigned long threadNumber() {
    return ::pthread_self();
}

template <class Function>
bool find(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(::dlsym(library, name));
    return function != nullptr;
}

bool findAll(void* library, PapiLibrary& papi) {
    return find(library, "PAPI_library_init", papi.libraryInit) &&
           find(library, "PAPI_thread_init", papi.threadInit) &&
           find(library, "PAPI_register_thread", papi.registerThread) &&
           find(library, "PAPI_event_name_to_code", papi.eventNameToCode) &&
           find(library, "PAPI_get_event_info", papi.getEventInfo) &&
           find(library, "PAPI_get_event_component", papi.getEventComponent) &&
           find(library, "PAPI_num_components", papi.numComponents) &&
           find(library, "PAPI_get_component_info", papi.getComponentInfo) &&
           find(library, "PAPI_enum_event", papi.enumEvent) &&
           find(library, "PAPI_enum_cmp_event", papi.enumComponentEvent) &&
           find(library, "PAPI_query_event", papi.queryEvent) &&
           find(library, "PAPI_create_eventset", papi.createEventset) &&
           find(library, "PAPI_assign_eventset_component", papi.assignEventsetComponent) &&
           find(library, "PAPI_multiplex_init", papi.multiplexInit) &&
           find(library, "PAPI_set_multiplex", papi.setMultiplex) &&
           find(library, "PAPI_cleanup_eventset", papi.cleanupEventset) &&
           find(library, "PAPI_destroy_eventset", papi.destroyEventset) &&
           find(library, "PAPI_add_event", papi.addEvent) && find(library, "PAPI_start", papi.start) &&
           find(library, "PAPI_stop", papi.stop) && find(library, "PAPI_read", papi.read) &&
           find(library, "PAPI_strerror", papi.strerror);
}

PapiLibrary load() {
    PapiLibrary papi;
    void* library = openLibrary();
    if (library == nullptr) {
        papi.missing = "PAPI is not installed";
    } else if (!findAll(library, papi)) {
        papi.missing = "the installed PAPI lacks functions";
    } else if (papi.libraryInit(PAPI_VER_CURRENT) != PAPI_VER_CURRENT) {
        papi.missing = "the installed PAPI has another version than the one Holos was built for";
    } else if (const int error = papi.threadInit(&threadNumber); error != PAPI_OK) {
        papi.missing = std::string("PAPI has no threads: ") + papi.strerror(error);
    }
    return papi;
}

}  // namespace

const PapiLibrary& papiLibrary() {
    static const auto* library = new PapiLibrary(load());
    return *library;
}

}  // namespace holos::counters
