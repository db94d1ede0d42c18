// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/counters/papi_events.h"

#include <algorithm>
#include <array>

namespace holos::counters {
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

Counter describe(const PapiComponent& component, const PAPI_event_info_t& info) {
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
