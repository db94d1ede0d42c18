// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "metric-specs/error.h"
#include "tracing/counters/papi_library.h"
#include "tracing/counters/source.h"

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

    int tryToAdd(int code) { return papi_.addEvent(set_, code); }
    void add(const std::string& name, int code, std::size_t place) {
        if (const int error = tryToAdd(code); error != PAPI_OK)
            throw Refusal(
                name, "PAPI cannot count it" +
                          std::string(places_.empty() ? "" : " together with the others") + ": " +
                          reason(error) +
                          (places_.empty() ? ""
                                           : "; 'holos spec plan' says which can be counted together, 'holos "
                                             "campaign' records one set after the other"));
        places_.push_back(place);
        values_.push_back(0);
    }
    void start() {
        if (const int error = papi_.start(set_); error != PAPI_OK)
            throw Error("PAPI cannot count these together: " + reason(error));
    }
    bool read(std::uint64_t* values) noexcept {
        if (papi_.read(set_, values_.data()) != PAPI_OK) return false;
        for (std::size_t i = 0; i < places_.size(); ++i)
            values[places_[i]] = static_cast<std::uint64_t>(values_[i]);
        return true;
    }

  private:
    const PapiLibrary& papi_;
    int component_;
    int set_ = PAPI_NULL;
    std::vector<std::size_t> places_;
    std::vector<long long> values_;
};

class PapiGroup final : public Group {
  public:
    explicit PapiGroup(std::span<const std::string> names) {
        const PapiLibrary& papi = papiLibrary();
        if (!papi.missing.empty()) throw Error(papi.missing);
        papi.registerThread();
        for (std::size_t place = 0; place < names.size(); ++place) {
            int code = 0;
            if (const int error = papi.eventNameToCode(names[place].c_str(), &code); error != PAPI_OK)
                throw Refusal(names[place], reason(error));
            setFor(papi.getEventComponent(code), papi).add(names[place], code, place);
        }
        for (const auto& set : sets_) set->start();
    }

    bool read(std::uint64_t* values) noexcept override {
        return std::all_of(sets_.begin(), sets_.end(), [&](const auto& set) { return set->read(values); });
    }

  private:
    EventSet& setFor(int component, const PapiLibrary& papi) {
        for (const auto& set : sets_)
            if (set->component() == component) return *set;
        sets_.push_back(std::make_unique<EventSet>(component, papi));
        return *sets_.back();
    }

    std::vector<std::unique_ptr<EventSet>> sets_;
};

/// PAPI knows presets by the kind of processor; whether this machine lets them be counted shows when one
/// tries.
int tryToCount(const PapiLibrary& papi, int code) {
    if (const int error = papi.queryEvent(code); error != PAPI_OK) return error;
    papi.registerThread();
    return EventSet(papi.getEventComponent(code), papi).tryToAdd(code);
}

Counter describe(const PapiLibrary& papi, const std::string& name, int code) {
    PAPI_event_info_t info{};
    Counter counter{name, "", "occ", Mode::Accumulated, ""};
    if (papi.getEventInfo(code, &info) == PAPI_OK) {
        counter.description = info.long_descr;
        if (info.units[0] != '\0') counter.unit = info.units;
    }
    if (const int error = tryToCount(papi, code); error != PAPI_OK)
        counter.unavailable = "PAPI: " + reason(error);
    return counter;
}

class Papi final : public Source {
  public:
    const char* name() const override { return "PAPI"; }

    std::string unavailable() const override { return papiLibrary().missing; }

    /// The presets of this kind of processor.
    std::vector<Counter> list() const override {
        std::vector<Counter> all;
        const PapiLibrary& papi = papiLibrary();
        if (!papi.missing.empty()) return all;
        int code = static_cast<int>(PAPI_PRESET_MASK);
        for (int more = papi.enumEvent(&code, PAPI_ENUM_FIRST); more == PAPI_OK;
             more = papi.enumEvent(&code, PAPI_PRESET_ENUM_AVAIL)) {
            PAPI_event_info_t info{};
            if (papi.queryEvent(code) == PAPI_OK && papi.getEventInfo(code, &info) == PAPI_OK)
                all.push_back(describe(papi, info.symbol, code));
        }
        return all;
    }

    std::unique_ptr<Counter> find(const std::string& name) const override {
        const PapiLibrary& papi = papiLibrary();
        if (!papi.missing.empty()) {
            if (!name.starts_with("PAPI_")) return nullptr;
            return std::make_unique<Counter>(Counter{name, "", "occ", Mode::Accumulated, papi.missing});
        }
        int code = 0;
        if (papi.eventNameToCode(name.c_str(), &code) != PAPI_OK) return nullptr;
        return std::make_unique<Counter>(describe(papi, name, code));
    }

    std::unique_ptr<Group> open(std::span<const std::string> names) const override {
        return std::make_unique<PapiGroup>(names);
    }
};

}  // namespace

const Source& papi() {
    static const auto* source = new Papi;
    return *source;
}

}  // namespace holos::counters
