// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "base/error.h"
#include "tracing/counters/papi_events.h"

namespace holos::counters {
namespace {

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
