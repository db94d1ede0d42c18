// SPDX-License-Identifier: BSD-3-Clause
// A made-up PAPI, which behaves as PAPI's documentation says. Its processor has three registers. Each reading
// of a set adds to its events what `Event::step` says, so that values are known without a counter of
// hardware.
//
// | component | counts for | has |
// |---|---|---|
// | perf_event | thread | presets and native events, one with unit masks, one with real values |
// | room | node | a temperature below zero, a real load, energy, an amount since the last reading, a balance
// | | handles | process | files; looks for its device when first enumerated | | absent | node | nothing, with
// a reason |
#include <papi.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace {

constexpr int kNative = static_cast<int>(PAPI_NATIVE_MASK);
constexpr int kPreset = static_cast<int>(PAPI_PRESET_MASK);
constexpr unsigned kRegisters = 3;

struct Event {
    int code;
    int component;
    const char* name;
    const char* description;
    const char* unit = "";
    int dataType = PAPI_DATATYPE_INT64;
    int timescope = PAPI_TIMESCOPE_SINCE_START;
    double step = 0;           ///< what a reading adds; the value itself of states and amounts since the last
    int maskOf = 0;            ///< the event whose unit mask this is
    const char* derived = "";  ///< of presets
    std::array<const char*, 2> terms{};
};

const std::array kEvents{
    Event{kNative | 0, 0, "made::CYCLES", "Cycles", "", PAPI_DATATYPE_UINT64, 0, 100},
    Event{kNative | 1, 0, "made::INSTRUCTIONS", "Completed instructions", "", PAPI_DATATYPE_UINT64, 0, 200},
    Event{kNative | 2, 0, "made::LOADS", "Loads", "", PAPI_DATATYPE_UINT64, 0, 50},
    Event{kNative | 3, 0, "made::LOADS:HIT", "Loads, masks: that hit", "", PAPI_DATATYPE_UINT64, 0, 40,
          kNative | 2},
    Event{kNative | 4, 0, "made::LOADS:MISS", "Loads, masks: that miss", "", PAPI_DATATYPE_UINT64, 0, 10,
          kNative | 2},
    Event{kNative | 5, 0, "made::LOADS:u=0", "Loads, masks: not in the program", "", 0, 0, 0, kNative | 2},
    Event{kNative | 6, 1, "room:::TEMPERATURE", "Of the room", "degrees C", PAPI_DATATYPE_INT64, 0, -5},
    Event{kNative | 7, 1, "room:::LOAD", "Of the fans", "", PAPI_DATATYPE_FP64, PAPI_TIMESCOPE_POINT, 0.25},
    Event{kNative | 8, 1, "room:::ENERGY", "Of the room", "nJ", PAPI_DATATYPE_UINT64, 0, 1000},
    Event{kNative | 9, 1, "room:::VISITORS", "Since the last look", "", PAPI_DATATYPE_INT64,
          PAPI_TIMESCOPE_SINCE_LAST, 7},
    Event{kNative | 10, 1, "room:::BALANCE", "Came less went", "", PAPI_DATATYPE_INT64, 0, -3},
    Event{kNative | 11, 2, "handles:::OPEN", "Opened files", "", PAPI_DATATYPE_INT64, 0, 1},
    Event{kNative | 12, 0, "made::WORK", "Work done", "J", PAPI_DATATYPE_FP64, 0, 0.5},
    Event{kPreset | 0, 0, "PAPI_L1_DCM", "Level 1 data cache misses"},
    Event{kPreset | 1, 0, "PAPI_TOT_CYC", "Total cycles", "", 0, 0, 100, 0, "NOT_DERIVED", {"made::CYCLES"}},
    Event{kPreset | 2,
          0,
          "PAPI_TOT_INS",
          "Instructions completed",
          "",
          0,
          0,
          200,
          0,
          "NOT_DERIVED",
          {"made::INSTRUCTIONS"}},
    Event{kPreset | 3,
          0,
          "PAPI_LD_INS",
          "Load instructions",
          "",
          0,
          0,
          50,
          0,
          "DERIVED_ADD",
          {"made::LOADS:HIT", "made::LOADS:MISS"}},
    Event{kPreset | 4,
          0,
          "PAPI_FP_OPS",
          "Floating point operations",
          "",
          0,
          0,
          400,
          0,
          "NOT_DERIVED",
          {"made::FP"}}};

const Event* find(int code) {
    for (const Event& event : kEvents)
        if (event.code == code) return &event;
    return nullptr;
}
bool isThere(const Event* event) {
    return event != nullptr && event->code != (kPreset | 0);
}

struct Set {
    int component = -1;
    bool isRunning = false;
    bool takesTurns = false;
    unsigned long thread = 0;
    long long readings = 0;
    std::vector<const Event*> events{};
};

std::mutex mutex;
bool isInitialised = false;
bool wasEnumerated = false;  // the component `handles`
/// Never destroyed: PAPI is written in C, and the recorder's thread may still read while the process ends.
std::map<int, Set>& sets = *new std::map<int, Set>;
int lastSet = 0;
unsigned long (*threadNumber)() = nullptr;

unsigned long thisThread() {
    return threadNumber != nullptr ? threadNumber() : 0;
}

/// Of the calling thread, that counts in this component.
bool oneRuns(int component) {
    for (const auto& [number, set] : sets)
        if (set.isRunning && set.component == component && set.thread == thisThread()) return true;
    return false;
}

Set* known(int number) {
    const auto at = sets.find(number);
    return at == sets.end() ? nullptr : &at->second;
}

unsigned registersOf(const Event& event) {
    return event.terms[1] != nullptr ? 2 : 1;
}

long long valueOf(const Event& event, long long readings) {
    const bool isState =
        event.timescope != PAPI_TIMESCOPE_SINCE_START || std::strcmp(event.unit, "degrees C") == 0;
    const double value = isState ? event.step : event.step * static_cast<double>(readings);
    long long bits = static_cast<long long>(value);
    if (event.dataType == PAPI_DATATYPE_FP64) std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

template <std::size_t N>
void put(char (&to)[N], const char* text) {
    std::strncpy(to, text, N - 1);
}

PAPI_component_info_t component(const char* name, const char* description, int granularity) {
    PAPI_component_info_t info{};
    put(info.name, name);
    put(info.description, description);
    info.default_granularity = granularity;
    return info;
}

std::array<PAPI_component_info_t, 4>& components() {
    static std::array all{component("perf_event", "A made-up processor", PAPI_GRN_THR),
                          component("room", "Sensors of the room", PAPI_GRN_SYS),
                          component("handles", "Files of the process", PAPI_GRN_PROC),
                          component("absent", "A device that is not there", PAPI_GRN_SYS)};
    all[0].kernel_multiplex = 1;
    all[2].disabled = wasEnumerated ? 0 : PAPI_EDELAY_INIT;
    all[3].disabled = PAPI_ECMP;
    put(all[3].disabled_reason, "The driver 'absent' is not loaded.");
    return all;
}

int next(int* code, int component, int maskOf) {
    for (const Event& event : kEvents)
        if (event.code > *code && event.component == component && event.maskOf == maskOf &&
            (event.code & kPreset) == (*code & kPreset)) {
            *code = event.code;
            return PAPI_OK;
        }
    return PAPI_ENOEVNT;
}

}  // namespace

extern "C" {

int PAPI_library_init(int version) {
    if (PAPI_VERSION_MAJOR(version) != PAPI_VERSION_MAJOR(PAPI_VERSION)) return PAPI_EINVAL;
    isInitialised = true;
    return PAPI_VER_CURRENT;
}
int PAPI_thread_init(unsigned long (*number)()) {
    if (!isInitialised) return PAPI_ENOINIT;
    threadNumber = number;
    return PAPI_OK;
}
int PAPI_register_thread() {
    return isInitialised ? PAPI_OK : PAPI_ENOINIT;
}
int PAPI_num_components() {
    return static_cast<int>(components().size());
}
const PAPI_component_info_t* PAPI_get_component_info(int index) {
    return index >= 0 && index < PAPI_num_components() ? &components()[static_cast<std::size_t>(index)]
                                                       : nullptr;
}

int PAPI_enum_event(int* code, int modifier) {
    if ((*code & kNative) != 0 && (*code & kPreset) == 0) return PAPI_EINVAL;
    if (modifier == PAPI_ENUM_FIRST) {
        *code = kPreset;
        return PAPI_OK;
    }
    return modifier == PAPI_ENUM_EVENTS ? next(code, 0, 0) : PAPI_EINVAL;
}
int PAPI_enum_cmp_event(int* code, int modifier, int index) {
    if (index == 2) wasEnumerated = true;
    if (index < 0 || index >= PAPI_num_components()) return PAPI_ENOCMP;
    if (components()[static_cast<std::size_t>(index)].disabled != 0) return PAPI_ENOCMP;
    if (modifier == PAPI_NTV_ENUM_UMASKS) {
        const Event* const event = find(*code);
        if (event == nullptr) return PAPI_ENOEVNT;
        return next(code, index, event->maskOf != 0 ? event->maskOf : event->code);
    }
    if (modifier == PAPI_ENUM_FIRST) *code = kNative - 1;
    return next(code, index, 0);
}
int PAPI_query_event(int code) {
    return isThere(find(code)) ? PAPI_OK : PAPI_ENOEVNT;
}
int PAPI_event_name_to_code(const char* name, int* code) {
    for (const Event& event : kEvents)
        if (std::strcmp(event.name, name) == 0) {
            *code = event.code;
            return event.component == 2 && !wasEnumerated ? PAPI_ENOEVNT : PAPI_OK;
        }
    return PAPI_ENOEVNT;
}
int PAPI_get_event_component(int code) {
    const Event* const event = find(code);
    return event != nullptr ? event->component : PAPI_ENOEVNT;
}
int PAPI_get_event_info(int code, PAPI_event_info_t* info) {
    const Event* const event = find(code);
    if (event == nullptr) return PAPI_ENOEVNT;
    *info = PAPI_event_info_t{};
    info->event_code = static_cast<unsigned>(code);
    put(info->symbol, event->name);
    put(info->long_descr, event->description);
    put(info->units, event->unit);
    put(info->derived, event->derived);
    info->component_index = event->component;
    info->data_type = event->dataType;
    info->timescope = event->timescope;
    for (const char* term : event->terms)
        if (term != nullptr) put(info->name[info->count++], term);
    return PAPI_OK;
}

int PAPI_create_eventset(int* set) {
    const std::lock_guard lock(mutex);
    if (!isInitialised) return PAPI_ENOINIT;
    sets[*set = ++lastSet].thread = thisThread();
    return PAPI_OK;
}
int PAPI_add_event(int number, int code) {
    const std::lock_guard lock(mutex);
    Set* const set = known(number);
    const Event* const event = find(code);
    if (set == nullptr) return PAPI_ENOEVST;
    if (!isThere(event)) return PAPI_ENOEVNT;
    if (set->isRunning) return PAPI_EISRUN;
    if (set->component >= 0 && set->component != event->component) return PAPI_EINVAL;
    unsigned registers = registersOf(*event);
    for (const Event* other : set->events) registers += registersOf(*other);
    if (event->component == 0 && registers > kRegisters && !set->takesTurns) return PAPI_ECNFLCT;
    set->component = event->component;
    set->events.push_back(event);
    return PAPI_OK;
}
int PAPI_multiplex_init() {
    return isInitialised ? PAPI_OK : PAPI_ENOINIT;
}
int PAPI_assign_eventset_component(int number, int index) {
    const std::lock_guard lock(mutex);
    Set* const set = known(number);
    if (set == nullptr) return PAPI_ENOEVST;
    if (set->component >= 0) return PAPI_EINVAL;
    set->component = index;
    return PAPI_OK;
}
int PAPI_set_multiplex(int number) {
    const std::lock_guard lock(mutex);
    Set* const set = known(number);
    if (set == nullptr) return PAPI_ENOEVST;
    if (set->component < 0 || set->isRunning) return PAPI_EINVAL;
    set->takesTurns = true;
    return PAPI_OK;
}
int PAPI_add_named_event(int set, const char* name) {
    int code = 0;
    const int error = PAPI_event_name_to_code(name, &code);
    return error == PAPI_OK ? PAPI_add_event(set, code) : error;
}
int PAPI_start(int number) {
    const std::lock_guard lock(mutex);
    Set* const set = known(number);
    if (set == nullptr) return PAPI_ENOEVST;
    if (set->events.empty()) return PAPI_EINVAL;
    if (oneRuns(set->component)) return PAPI_EISRUN;
    set->isRunning = true;
    set->readings = 0;
    return PAPI_OK;
}
int PAPI_read(int number, long long* values) {
    const std::lock_guard lock(mutex);
    Set* const set = known(number);
    if (set == nullptr) return PAPI_ENOEVST;
    if (set->isRunning) ++set->readings;
    for (std::size_t i = 0; i < set->events.size(); ++i) values[i] = valueOf(*set->events[i], set->readings);
    return PAPI_OK;
}
int PAPI_reset(int number) {
    const std::lock_guard lock(mutex);
    Set* const set = known(number);
    if (set == nullptr) return PAPI_ENOEVST;
    set->readings = 0;
    return PAPI_OK;
}
int PAPI_accum(int number, long long* values) {
    Set* const set = known(number);
    if (set == nullptr) return PAPI_ENOEVST;
    std::vector<long long> now(set->events.size());
    const int error = PAPI_read(number, now.data());
    for (std::size_t i = 0; i < now.size(); ++i) values[i] += now[i];
    return error == PAPI_OK ? PAPI_reset(number) : error;
}
int PAPI_stop(int number, long long* values) {
    Set* const set = known(number);
    if (set == nullptr) return PAPI_ENOEVST;
    if (!set->isRunning) return PAPI_ENOTRUN;
    const int error = values != nullptr ? PAPI_read(number, values) : PAPI_OK;
    const std::lock_guard lock(mutex);
    set->isRunning = false;
    return error;
}
int PAPI_cleanup_eventset(int number) {
    const std::lock_guard lock(mutex);
    Set* const set = known(number);
    if (set == nullptr) return PAPI_ENOEVST;
    if (set->isRunning) return PAPI_EISRUN;
    set->events.clear();
    set->component = -1;
    return PAPI_OK;
}
int PAPI_destroy_eventset(int* number) {
    const std::lock_guard lock(mutex);
    Set* const set = known(*number);
    if (set == nullptr) return PAPI_ENOEVST;
    if (set->isRunning || !set->events.empty()) return PAPI_EINVAL;
    sets.erase(*number);
    *number = PAPI_NULL;
    return PAPI_OK;
}
void PAPI_shutdown() {
    const std::lock_guard lock(mutex);
    sets.clear();
    isInitialised = false;
}

char* PAPI_strerror(int error) {
    static char unknown[] = "Unknown error code";
    static char noEvent[] = "Event does not exist",
                conflict[] = "Event exists, but cannot be counted due to hardware";
    static char running[] = "EventSet is currently counting",
                noComponent[] = "Component containing event is disabled";
    switch (error) {
        case PAPI_ENOEVNT:
            return noEvent;
        case PAPI_ECNFLCT:
            return conflict;
        case PAPI_EISRUN:
            return running;
        case PAPI_ENOCMP:
            return noComponent;
        default:
            return unknown;
    }
}
}
