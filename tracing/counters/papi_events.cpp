// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/counters/papi_events.h"

#include <dlfcn.h>
#include <pthread.h>

#include <algorithm>
#include <array>

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

namespace {

template <std::size_t N>
bool isAmong(const std::array<std::string_view, N>& all, std::string_view one) {
    return std::find(all.begin(), all.end(), one) != all.end();
}

/// Components say nothing, or "thread", although they read a device or a file of the process.
Scope scopeOf(const PAPI_component_info_t& info) {
    constexpr std::array<std::string_view, 5> kOfNode{"amd_smi", "nvml", "rocm_smi", "stealtime", "vmware"};
    constexpr std::array<std::string_view, 1> kOfProcess{"io"};
    const std::string_view name = info.name;
    constexpr unsigned kNode = PAPI_GRN_SYS | PAPI_GRN_SYS_CPU;
    constexpr unsigned kProcess = PAPI_GRN_PROC | PAPI_GRN_PROCG;
    const auto granularity = static_cast<unsigned>(info.default_granularity);
    if ((granularity & kNode) != 0 || isAmong(kOfNode, name)) return Scope::Node;
    return (granularity & kProcess) != 0 || isAmong(kOfProcess, name) ? Scope::Process : Scope::Thread;
}

/// Most components leave PAPI's `timescope` as it is, whatever they measure: units tell what is no amount.
bool isState(const PapiComponent& component, const PAPI_event_info_t& info) {
    constexpr std::array<std::string_view, 14> kUnits{"degrees C", "degC", "C",  "RPM", "V",   "mV",  "A",
                                                      "mA",        "W",    "mW", "uW",  "MHz", "GHz", "%"};
    return info.timescope == PAPI_TIMESCOPE_POINT || info.timescope == PAPI_TIMESCOPE_UNTIL_NEXT ||
           (info.value_type == PAPI_VALUETYPE_ABSOLUTE && !isSinceLastReading(info)) ||
           isAmong(kUnits, info.units) || component.name == "lmsensors";
}

/// Counts of the processor are never negative, although PAPI says "signed" of all that do not say otherwise.
Values valuesOf(const PapiComponent& component, const PAPI_event_info_t& info) {
    if (info.data_type == PAPI_DATATYPE_FP64) return Values::Real;
    return info.data_type == PAPI_DATATYPE_INT64 && component.scope != Scope::Thread ? Values::Signed
                                                                                     : Values::Unsigned;
}

/// What a preset is made of; empty for a native event.
std::string derivation(const PAPI_event_info_t& info) {
    const bool isPreset =
        (info.event_code & PAPI_PRESET_MASK) != 0 && (info.event_code & PAPI_NATIVE_MASK) == 0;
    if (!isPreset || info.count == 0) return "";
    std::string text;
    for (unsigned i = 0; i < std::min<unsigned>(info.count, PAPI_MAX_INFO_TERMS); ++i)
        text += (text.empty() ? "" : ", ") + std::string(info.name[i]);
    const std::string_view how = info.derived;
    return " (" + (how.empty() || how == "NOT_DERIVED" ? "" : std::string(how) + " of ") + text + ')';
}

void addAll(const PapiLibrary& papi, int component, int code, int how, std::vector<int>& to) {
    while (papi.enumComponentEvent(&code, how, component) == PAPI_OK) {
        PAPI_event_info_t info{};
        // Modifiers such as `:u=0` are no events of their own.
        if (papi.getEventInfo(code, &info) == PAPI_OK &&
            std::string_view(info.symbol).find('=') == std::string_view::npos)
            to.push_back(code);
    }
}

}  // namespace

std::vector<PapiComponent> componentsOf(const PapiLibrary& papi) {
    std::vector<PapiComponent> all;
    for (int index = 0; index < papi.numComponents(); ++index) {
        int code = static_cast<int>(PAPI_NATIVE_MASK);
        papi.enumComponentEvent(&code, PAPI_ENUM_FIRST,
                                index);  // some wait for that with looking for devices
        const PAPI_component_info_t* info = papi.getComponentInfo(index);
        if (info == nullptr) continue;
        PapiComponent component{index, info->name, info->description, "", scopeOf(*info)};
        if (info->disabled != 0)
            component.unavailable =
                info->disabled_reason[0] != '\0' ? info->disabled_reason : papi.strerror(info->disabled);
        all.push_back(std::move(component));
    }
    return all;
}

std::vector<int> nativeEvents(const PapiLibrary& papi, int component) {
    std::vector<int> plain, all;
    int code = static_cast<int>(PAPI_NATIVE_MASK);
    if (papi.enumComponentEvent(&code, PAPI_ENUM_FIRST, component) != PAPI_OK) return all;
    plain.push_back(code);
    addAll(papi, component, code, PAPI_ENUM_EVENTS, plain);
    for (const int event : plain) {
        all.push_back(event);
        addAll(papi, component, event, PAPI_NTV_ENUM_UMASKS, all);
    }
    return all;
}

std::vector<int> presets(const PapiLibrary& papi) {
    std::vector<int> all;
    int code = static_cast<int>(PAPI_PRESET_MASK);
    for (int more = papi.enumEvent(&code, PAPI_ENUM_FIRST); more == PAPI_OK;
         more = papi.enumEvent(&code, PAPI_ENUM_EVENTS))
        all.push_back(code);
    return all;
}

bool isSinceLastReading(const PAPI_event_info_t& info) {
    return info.timescope == PAPI_TIMESCOPE_SINCE_LAST;
}

Counter counterOf(const PapiComponent& component, const PAPI_event_info_t& info) {
    Counter counter{info.symbol, "", info.units[0] != '\0' ? info.units : "occ",
                    isState(component, info) ? Mode::Absolute : Mode::Accumulated, ""};
    counter.description = info.long_descr[0] != '\0' ? info.long_descr : info.short_descr;
    counter.description += derivation(info);
    counter.values = valuesOf(component, info);
    return counter;
}

std::string_view componentIn(std::string_view event) {
    const std::size_t end = event.find(":::");
    return end == std::string_view::npos ? std::string_view() : event.substr(0, end);
}

}  // namespace holos::counters
