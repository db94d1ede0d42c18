// SPDX-License-Identifier: BSD-3-Clause
#include <dlfcn.h>
#include <papi.h>
#include <pthread.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "tracing/counters/source.h"

namespace holos::counters {
namespace {

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

/// What PAPI says of its components and events, in the words of `source.h`.

/// A component of PAPI, such as `perf_event`, `coretemp`, `net`.
struct PapiComponent {
    int index = 0;
    std::string name;
    std::string description;
    std::string unavailable;  ///< PAPI's reason where it is disabled; empty when it can count
    Scope scope = Scope::Thread;
};

/// True when the values of an event are what happened since it was last read, to be added up.
bool isSinceLastReading(const PAPI_event_info_t& info);

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

/// Loads and initialises PAPI at the first call.
const PapiLibrary& papiLibrary() {
    static const auto* library = new PapiLibrary(load());
    return *library;
}

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

/// All that the library was built with. The processor's is the first.
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

/// The codes of the native events of a component, those with a unit mask behind the one without.
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

/// The codes of all presets of PAPI, also of those that this processor does not have.
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

/// An event with its name, unit and meaning; whether it can be counted is not looked at.
Counter counterOf(const PapiComponent& component, const PAPI_event_info_t& info) {
    Counter counter{info.symbol, "", info.units[0] != '\0' ? info.units : "occ",
                    isState(component, info) ? Mode::Absolute : Mode::Accumulated, ""};
    counter.description = info.long_descr[0] != '\0' ? info.long_descr : info.short_descr;
    counter.description += derivation(info);
    counter.values = valuesOf(component, info);
    return counter;
}

/// The component that stands in a name before `:::`; empty where none does.
std::string_view componentIn(std::string_view event) {
    const std::size_t end = event.find(":::");
    return end == std::string_view::npos ? std::string_view() : event.substr(0, end);
}

std::string reason(int error) {
    return papiLibrary().strerror(error);
}

/// Events of one of PAPI's components, which are read with one call.
class EventSet {
  public:
    EventSet(int component, const PapiLibrary& papi) : papi_(papi), component_(component) {
        if (const int error = papi_.createEventset(&set_); error != PAPI_OK)
            throw Error("PAPI: " + reason(error));
    }
    ~EventSet() {
        papi_.stop(set_, values_.data());
        papi_.cleanupEventset(set_);
        papi_.destroyEventset(&set_);
    }
    EventSet(const EventSet&) = delete;
    EventSet& operator=(const EventSet&) = delete;

    int component() const noexcept { return component_; }

    /// More events than registers take turns from here on, where the kernel does that: PAPI itself would need
    /// signals, which belong to the program.
    void takeTurns() {
        const PAPI_component_info_t* const info = papi_.getComponentInfo(component_);
        if (info == nullptr || info->kernel_multiplex == 0) return;
        static const int initialised = papi_.multiplexInit();
        int error = initialised;
        if (error == PAPI_OK) error = papi_.assignEventsetComponent(set_, component_);
        if (error == PAPI_OK) error = papi_.setMultiplex(set_);
        if (error != PAPI_OK) throw Error("PAPI cannot let events take turns: " + reason(error));
    }

    int tryToAdd(int code) { return papi_.addEvent(set_, code); }
    void add(const std::string& name, int code, std::size_t place) {
        if (const int error = tryToAdd(code); error != PAPI_OK)
            throw Refusal(
                name, "PAPI cannot count it" +
                          std::string(events_.empty() ? "" : " together with the others") + ": " +
                          reason(error) +
                          (events_.empty() ? ""
                                           : "; 'holos spec plan' says which can be counted together, 'holos "
                                             "campaign' records one set after the other, and with "
                                             "--multiplex they take turns where the kernel lets them"));
        PAPI_event_info_t info{};
        const bool isKnown = papi_.getEventInfo(code, &info) == PAPI_OK;
        events_.push_back({place, isKnown && isSinceLastReading(info), 0});
        values_.push_back(0);
    }
    void start() {
        if (const int error = papi_.start(set_); error != PAPI_OK)
            throw Error("PAPI cannot count these together: " + reason(error));
    }
    bool read(std::uint64_t* values) noexcept {
        if (papi_.read(set_, values_.data()) != PAPI_OK) return false;
        for (std::size_t i = 0; i < events_.size(); ++i) {
            Event& event = events_[i];
            const auto value = static_cast<std::uint64_t>(values_[i]);
            event.sum += value;
            values[event.place] = event.isSinceLast ? event.sum : value;
        }
        return true;
    }

  private:
    struct Event {
        std::size_t place;  ///< of its value
        bool isSinceLast;
        std::uint64_t sum;
    };
    const PapiLibrary& papi_;
    int component_;
    int set_ = PAPI_NULL;
    std::vector<Event> events_;
    std::vector<long long> values_;
};

class PapiGroup final : public Group {
  public:
    PapiGroup(std::span<const std::string> names, bool inTurns) {
        const PapiLibrary& papi = papiLibrary();
        if (!papi.missing.empty()) throw Error(papi.missing);
        papi.registerThread();
        for (std::size_t place = 0; place < names.size(); ++place) {
            int code = 0;
            if (const int error = papi.eventNameToCode(names[place].c_str(), &code); error != PAPI_OK)
                throw Refusal(names[place], reason(error));
            setFor(papi.getEventComponent(code), papi, inTurns).add(names[place], code, place);
        }
        for (const auto& set : sets_) set->start();
    }

    bool read(std::uint64_t* values) noexcept override {
        return std::all_of(sets_.begin(), sets_.end(), [&](const auto& set) { return set->read(values); });
    }

  private:
    EventSet& setFor(int component, const PapiLibrary& papi, bool inTurns) {
        for (const auto& set : sets_)
            if (set->component() == component) return *set;
        sets_.push_back(std::make_unique<EventSet>(component, papi));
        if (inTurns) sets_.back()->takeTurns();
        return *sets_.back();
    }

    std::vector<std::unique_ptr<EventSet>> sets_;
};

/// PAPI knows events by the kind of processor; whether this machine lets them be counted shows when one
/// tries.
int tryToCount(const PapiLibrary& papi, int code) {
    if (const int error = papi.queryEvent(code); error != PAPI_OK) return error;
    papi.registerThread();
    return EventSet(papi.getEventComponent(code), papi).tryToAdd(code);
}

/// The components of one scope. Presets are the first component's.
class Papi final : public Source {
  public:
    Papi(Scope scope, const char* name) : scope_(scope), name_(name) {}

    const char* name() const override { return name_; }
    Scope scope() const override { return scope_; }
    std::string unavailable() const override { return papiLibrary().missing; }

    std::vector<Component> components() const override {
        std::vector<Component> all;
        for (const auto& one : ownComponents()) all.push_back({one.name, one.description, one.unavailable});
        return all;
    }

    std::vector<Counter> list() const override {
        std::vector<Counter> all;
        const PapiLibrary& papi = papiLibrary();
        for (const auto& component : ownComponents()) {
            if (!component.unavailable.empty()) continue;
            if (component.index == 0)
                for (const int code : presets(papi)) add(component, code, all);
            for (const int code : nativeEvents(papi, component.index)) add(component, code, all);
        }
        return all;
    }

    std::unique_ptr<Counter> find(const std::string& name) const override {
        const PapiLibrary& papi = papiLibrary();
        if (!papi.missing.empty()) {
            if (!name.starts_with("PAPI_") || scope_ != Scope::Thread) return nullptr;
            return std::make_unique<Counter>(Counter{name, "", "occ", Mode::Accumulated, papi.missing});
        }
        const auto own = ownComponents();
        for (const auto& component : own)
            if (!component.unavailable.empty() && isNamedIn(component, name))
                return std::make_unique<Counter>(
                    Counter{name, "", "occ", Mode::Accumulated,
                            "PAPI's component " + component.name + " is disabled: " + component.unavailable});
        int code = 0;
        if (papi.eventNameToCode(name.c_str(), &code) != PAPI_OK) return nullptr;
        const int index = papi.getEventComponent(code);
        const auto component =
            std::find_if(own.begin(), own.end(), [index](const auto& one) { return one.index == index; });
        std::vector<Counter> found;
        if (component != own.end()) add(*component, code, found);
        if (found.empty()) return nullptr;
        found.front().name = name;
        return std::make_unique<Counter>(std::move(found.front()));
    }

    std::unique_ptr<Group> open(std::span<const std::string> names) const override {
        return std::make_unique<PapiGroup>(names, false);
    }
    std::unique_ptr<Group> openInTurns(std::span<const std::string> names) const override {
        return std::make_unique<PapiGroup>(names, true);
    }

  private:
    std::vector<PapiComponent> ownComponents() const {
        const PapiLibrary& papi = papiLibrary();
        if (!papi.missing.empty()) return {};
        auto all = componentsOf(papi);
        std::erase_if(all, [this](const PapiComponent& one) { return one.scope != scope_; });
        return all;
    }

    /// Presets have no component in their names, and are the processor's.
    static bool isNamedIn(const PapiComponent& component, const std::string& name) {
        return (component.index == 0 && name.starts_with("PAPI_")) || componentIn(name) == component.name;
    }

    static void add(const PapiComponent& component, int code, std::vector<Counter>& to) {
        const PapiLibrary& papi = papiLibrary();
        PAPI_event_info_t info{};
        if (papi.getEventInfo(code, &info) != PAPI_OK) return;
        Counter counter = counterOf(component, info);
        if (counter.unavailable.empty())
            if (const int error = tryToCount(papi, code); error != PAPI_OK)
                counter.unavailable = "PAPI: " + reason(error);
        to.push_back(std::move(counter));
    }

    Scope scope_;
    const char* name_;
};

}  // namespace

const Source& papi() {
    static const auto* source = new Papi(Scope::Thread, "PAPI");
    return *source;
}

const Source& papiOfProcess() {
    static const auto* source = new Papi(Scope::Process, "PAPI's components of the process");
    return *source;
}

const Source& papiOfNode() {
    static const auto* source = new Papi(Scope::Node, "PAPI's components of the node");
    return *source;
}

}  // namespace holos::counters
