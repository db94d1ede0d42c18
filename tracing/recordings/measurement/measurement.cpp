// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/measurement/measurement.h"

#include <algorithm>
#include <concepts>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/choice_words.h"
#include "base/error.h"
#include "base/text.h"

namespace holos::measurement {
namespace {

using nlohmann::json;

/// The member that says which form the file has.
constexpr const char* kFormat = "format";

/// Members of each structure, with their names in the file: `always` there, there `ifAny` (not empty, false
/// or 0), or null where they are not known (`orNull`). `Of`: the structure, constant where it is written.
template <class T, class Structure>
concept Is = std::same_as<std::remove_const_t<T>, Structure>;

template <Is<Peaks> Of>
void eachMember(auto& visit, Of& peaks) {
    visit.always("operations", peaks.operations);
    visit.always("bandwidth", peaks.bandwidth);
}

template <Is<specs::Processor> Of>
void eachMember(auto& visit, Of& kind) {
    visit.ifAny("vendor", kind.vendor);
    visit.ifAny("family", kind.family);
    visit.ifAny("model", kind.model);
    visit.ifAny("stepping", kind.stepping);
    visit.ifAny("hertz", kind.hertz);
}

template <Is<Host> Of>
void eachMember(auto& visit, Of& host) {
    visit.always("name", host.name);
    visit.always("processor", host.processor.name);
    visit.always("processorKind", host.processor);
    visit.always("logicalProcessors", host.logicalProcessors);
    visit.always("memoryBytes", host.memoryBytes);
    visit.always("system", host.system);
    visit.always("distribution", host.distribution);
    visit.always("counterRegisters", host.counterRegisters);
    visit.always("architecture", host.architecture);
    visit.ifAny("peaks", host.peaks);
    visit.ifAny("peaksMissing", host.peaksMissing);
}

template <Is<Command> Of>
void eachMember(auto& visit, Of& command) {
    visit.always("command", command.arguments);
    visit.always("counters", command.counters);
    visit.always("sampledCounters", command.sampled);
    visit.always("callStackSamples", command.callStacks);
    visit.always("openmpRuntime", command.openMpRuntime);
    visit.always("attached", command.attached);
    visit.always("workingDirectory", command.workingDirectory);
    visit.always("host", command.host);
    visit.always("environment", command.environment);
}

template <Is<End> Of>
void eachMember(auto& visit, Of& end) {
    visit.always("how", end.how);
    visit.ifAny("exitCode", end.exitCode);
    visit.ifAny("signal", end.signal);
    visit.ifAny("signalName", end.signalName);
    visit.ifAny("calledMpiAbort", end.calledMpiAbort);
    visit.ifAny("secondsAfterLastEvent", end.secondsAfterLastEvent);
}

template <Is<ThreadPlace> Of>
void eachMember(auto& visit, Of& place) {
    visit.always("socket", place.socket);
    visit.always("numaNode", place.numaNode);
    visit.always("core", place.core);
    visit.always("unit", place.unit);
    visit.always("coresSeen", place.coresSeen);
    visit.always("numaNodesSeen", place.numaNodesSeen);
}

template <Is<Thread> Of>
void eachMember(auto& visit, Of& thread) {
    visit.always("name", thread.name);
    visit.always("mayUse", thread.mayUse);
    visit.ifAny("mayUseAtEnd", thread.mayUseAtEnd);
    visit.always("processorsSeen", thread.processorsSeen);
    visit.always("changesSeen", thread.changesSeen);
    visit.ifAny("processor", thread.processor);
    visit.ifAny("migrations", thread.migrations);
    visit.ifAny("nanosecondsOnProcessors", thread.nanosecondsOnProcessors);
    visit.ifAny("nanosecondsWaitingForProcessors", thread.nanosecondsWaitingForProcessors);
    visit.asMembers("socket", thread.place);
}

template <Is<OtherThread> Of>
void eachMember(auto& visit, Of& thread) {
    visit.always("reason", thread.reason);
    visit.ifAny("name", thread.name);
    visit.ifAny("startedBy", thread.startedBy);
    visit.ifAny("nanosecondsOnProcessors", thread.nanosecondsOnProcessors);
}

template <Is<ProcessorLimit> Of>
void eachMember(auto& visit, Of& limit) {
    visit.always("processors", limit.processors);
    visit.always("secondsStopped", limit.secondsStopped);
}

template <Is<MachineUse> Of>
void eachMember(auto& visit, Of& use) {
    visit.always("before", use.before);
    visit.always("after", use.after);
}

template <Is<Process> Of>
void eachMember(auto& visit, Of& process) {
    visit.always("pid", process.pid);
    visit.always("host", process.host);
    visit.always("program", process.program);
    visit.always("arguments", process.arguments);
    visit.ifAny("rank", process.rank);
    visit.always("endedInOrder", process.endedInOrder);
    visit.always("end", process.end);
    visit.orNull("lostEvents", process.lostEvents);
    visit.ifAny("processorLimit", process.processorLimit);
    visit.ifAny("machineSecondsInUse", process.machineUse);
    visit.ifAny("childSecondsOnProcessors", process.childSeconds);
    visit.ifAny("threads", process.threads);
    visit.ifAny("otherThreads", process.otherThreads);
}

template <Is<Share> Of>
void eachMember(auto& visit, Of& share) {
    visit.always("least", share.least);
    visit.always("mean", share.mean);
    visit.ifAny("error", share.error);
}

template <Is<Cache> Of>
void eachMember(auto& visit, Of& cache) {
    visit.always("name", cache.name);
    visit.always("bytes", cache.bytes);
    visit.always("number", cache.number);
}

template <Is<Hardware> Of>
void eachMember(auto& visit, Of& hardware) {
    visit.always("processor", hardware.processor);
    visit.always("processors", hardware.processors);
    visit.always("sockets", hardware.sockets);
    visit.always("numaNodes", hardware.numaNodes);
    visit.always("cores", hardware.cores);
    visit.always("coresOfSocket", hardware.coresOfSocket);
    visit.always("unitsOfCore", hardware.unitsOfCore);
    visit.always("caches", hardware.caches);
}

template <Is<Compiler> Of>
void eachMember(auto& visit, Of& compiler) {
    visit.always("name", compiler.name);
    visit.always("options", compiler.options);
}

template <Is<Libraries> Of>
void eachMember(auto& visit, Of& libraries) {
    visit.always("otf2", libraries.otf2);
    visit.ifAny("mpi", libraries.mpi);
}

template <Is<Law> Of>
void eachMember(auto& visit, Of& law) {
    visit.always("law", law.name);
    visit.always("holds", law.holds);
    visit.always("says", law.says);
}

/// The command's members stand in a file of their own, and beside these.
template <Is<Measurement> Of>
void eachMember(auto& visit, Of& run) {
    visit.ifAny("run", run.run);
    visit.always("holos", run.holos);
    visit.always("begin", run.begin);
    visit.always("clock", run.clock);
    visit.always("libraries", run.libraries);
    visit.ifAny("compiler", run.compiler);
    visit.ifAny("annotations", run.annotations);
    visit.always("processes", run.processes);
    visit.ifAny("activeShares", run.activeShares);
    visit.ifAny("readInUserSpace", run.readInUserSpace);
    visit.ifAny("hardware", run.hardware);
    visit.ifAny("moves", run.moves);
    visit.ifAny("furtherJobs", run.furtherJobs);
    visit.always("ends", run.ends);
    visit.ifAny("leftOut", run.leftOut);
    visit.ifAny("laws", run.laws);
    visit.ifAny("notChecked", run.notChecked);
    visit.always("locations", run.locations);
    visit.always("events", run.events);
    visit.orNull("lostEvents", run.lostEvents);
    visit.always("notes", run.notes);
}

template <class T>
constexpr bool isOptional = false;
template <class T>
constexpr bool isOptional<std::optional<T>> = true;

class Writer {
  public:
    template <class Structure>
    static json object(const Structure& from) {
        Writer writer;
        eachMember(writer, from);
        return std::move(writer.object_);
    }

    template <class T>
    void always(const char* name, const T& value) {
        object_[name] = jsonOf(value);
    }
    template <class T>
    void ifAny(const char* name, const T& value) {
        if (isAny(value)) always(name, value);
    }
    template <class T>
    void orNull(const char* name, const std::optional<T>& value) {
        object_[name] = value ? jsonOf(*value) : json();
    }
    /// The members of a structure beside the others; the first of them is there where it is.
    template <class T>
    void asMembers(const char* /*first*/, const std::optional<T>& value) {
        if (value) eachMember(*this, *value);
    }

  private:
    template <class T>
    static bool isAny(const T& value) {
        if constexpr (isOptional<T>)
            return value.has_value();
        else if constexpr (std::is_arithmetic_v<T>)
            return value != T{};
        else
            return !value.empty();
    }

    template <class T>
    static json jsonOf(const T& value) {
        if constexpr (requires { json(value); })
            return value;
        else
            return object(value);
    }
    template <class T>
    static json jsonOf(const std::optional<T>& value) {
        return jsonOf(*value);
    }
    template <class T>
    static json jsonOf(const std::vector<T>& values) {
        json list = json::array();
        for (const T& value : values) list.push_back(jsonOf(value));
        return list;
    }
    template <class T>
    static json jsonOf(const std::map<std::string, T>& values) {
        json members = json::object();
        for (const auto& [name, value] : values) members[name] = jsonOf(value);
        return members;
    }

    json object_ = json::object();
};

/// What of a file is not as Holos writes it.
class Damage {
  public:
    /// The way to a member, which becomes text only where there is something to say of it.
    struct Step {
        const Step* above = nullptr;
        std::string_view name = {};
        std::optional<std::size_t> index = {};  ///< of an element
    };

    /// The first of each list stands for all of them.
    void add(const Step& member) {
        if (const std::string name = textOf(member); std::ranges::find(members_, name) == members_.end())
            members_.push_back(name);
    }
    std::vector<std::string> take() { return std::move(members_); }

  private:
    static std::string textOf(const Step& step) {
        const std::string above = step.above != nullptr ? textOf(*step.above) : "";
        if (step.index) return above;
        return above + (above.empty() ? "" : ".") + std::string(step.name);
    }

    std::vector<std::string> members_;
};

/// What is of another kind stays as it is, and is noted.
class Reader {
  public:
    using Step = Damage::Step;

    /// `mustHaveAll`: what is always written must be there.
    Reader(const json& object, Damage& damage, bool mustHaveAll, const Step* above = nullptr)
        : object_(object), damage_(damage), mustHaveAll_(mustHaveAll), above_(above) {}

    template <class T>
    void always(const char* name, T& value) {
        if (!read(name, value) && mustHaveAll_) damage_.add({above_, name});
    }
    template <class T>
    void ifAny(const char* name, T& value) {
        read(name, value);
    }
    template <class T>
    void orNull(const char* name, std::optional<T>& value) {
        if (const auto at = object_.find(name); at == object_.end() || !at->is_null()) always(name, value);
    }
    template <class T>
    void asMembers(const char* first, std::optional<T>& value) {
        if (object_.contains(first)) eachMember(*this, value.emplace());
    }

  private:
    /// False where there is no such member.
    template <class T>
    bool read(const char* name, T& value) {
        const auto at = object_.find(name);
        if (at == object_.end()) return false;
        take(*at, value, {above_, name});
        return true;
    }

    template <class T>
    void take(const json& from, T& value, const Step& step) {
        if (!fits(from, value, step)) damage_.add(step);
    }

    bool fits(const json& from, bool& value, const Step& /*step*/) {
        if (from.is_boolean()) value = from.get<bool>();
        return from.is_boolean();
    }
    bool fits(const json& from, std::string& value, const Step& /*step*/) {
        if (from.is_string()) value = from.get<std::string>();
        return from.is_string();
    }
    bool fits(const json& from, std::floating_point auto& value, const Step& /*step*/) {
        if (from.is_number()) from.get_to(value);
        return from.is_number();
    }
    template <std::integral Number>
    bool fits(const json& from, Number& value, const Step& /*step*/) {
        const bool isInRange =
            from.is_number_unsigned()
                ? std::in_range<Number>(from.get<std::uint64_t>())
                : from.is_number_integer() && std::in_range<Number>(from.get<std::int64_t>());
        if (isInRange) from.get_to(value);
        return isInRange;
    }
    template <class T>
    bool fits(const json& from, std::optional<T>& value, const Step& step) {
        T found{};
        if (!fits(from, found, step)) return false;
        value = std::move(found);
        return true;
    }
    template <class T>
    bool fits(const json& from, std::vector<T>& values, const Step& step) {
        if (!from.is_array()) return false;
        for (std::size_t i = 0; i < from.size(); ++i) {
            T value{};
            const Step element{&step, {}, i};
            if (fits(from[i], value, element))
                values.push_back(std::move(value));
            else
                damage_.add(element);
        }
        return true;
    }
    template <class T>
    bool fits(const json& from, std::map<std::string, T>& values, const Step& step) {
        if (!from.is_object()) return false;
        for (const auto& [name, one] : from.items()) {
            T value{};
            const Step member{&step, name};
            if (fits(one, value, member))
                values.emplace(name, std::move(value));
            else
                damage_.add(member);
        }
        return true;
    }
    /// Other versions of Holos may write other members within.
    template <class Structure>
    requires std::is_class_v<Structure>
    bool fits(const json& from, Structure& value, const Step& step) {
        if (!from.is_object()) return false;
        Reader reader(from, damage_, false, &step);
        eachMember(reader, value);
        return true;
    }

    const json& object_;
    Damage& damage_;
    bool mustHaveAll_;
    const Step* above_;
};

/// The part of the run that was asked for.
json partOf(const RecordSettings& asked, const tracing::ChosenInstances& traced) {
    json described = json::object();
    if (!asked.ranks.empty()) described["ranks"] = asked.ranks;
    if (asked.first) described["firstNanoseconds"] = static_cast<std::int64_t>(*asked.first);
    if (!asked.phase.empty()) described["phase"] = asked.phase;
    if (!asked.tracePhase.empty())
        described["tracePhase"] = {{"name", asked.tracedPhaseName()},
                                   {"first", traced.first},
                                   {"count", traced.count.value_or(0)},
                                   {"every", traced.every.value_or(0)},
                                   {"atRandom", traced.areAtRandom()}};
    if (!asked.mpi.empty()) described["mpi"] = asked.mpi;
    if (const auto bytes = asked.buffer.limit()) {
        described["bufferBytes"] = *bytes;
        described["whenFull"] = holos::wordOf(asked.whenFull);
    }
    return described;
}

/// What follows from the settings, for people: it is never read.
json followingFrom(const RecordSettings& asked, const tracing::ChosenInstances& traced) {
    return {{"settings", settingsJson(asked)},
            {"sampleNanoseconds", asked.sampledEvery()},
            {"profile", asked.profile},
            {"trace", asked.makesTrace()},
            {"countersCompensated", asked.compensate},
            {"counterSet", asked.set},
            {"specification", asked.set.empty() ? "" : asked.specification},
            {"filter", asked.filter},
            {"clockOffsetsEveryNanoseconds", static_cast<std::int64_t>(asked.clockOffsetsEvery.value_or(0))},
            {"recordedPart", partOf(asked, traced)}};
}

Command commandIn(const json& object, Damage& damage, bool mustHaveAll) {
    Command command;
    Reader reader(object, damage, mustHaveAll);
    eachMember(reader, command);
    if (const auto settings = object.find("settings"); settings != object.end() && settings->is_object())
        try {
            command.settings = settingsFrom(*settings);
        } catch (const Error&) {  // of another version of Holos
        }
    else if (settings != object.end())
        damage.add({nullptr, "settings"});
    return command;
}

std::string nothingKnown() {
    return std::string(kMeasurementFile) +
           " cannot be read or says nothing of a run: it is not known how the run was recorded, how it ended, and "
           "whether its recording is complete";
}

bool saysNothing(const Measurement& measurement) {
    return measurement.processes.empty() && measurement.damaged.empty() &&
           Writer::object(measurement) == Writer::object(Measurement()) &&
           Writer::object(measurement.command) == Writer::object(Command());
}

std::string laidOut(const auto& all) {
    return jsonText(all, 2) + '\n';
}

/// Null where the file is not there or does not say.
json settingsIn(const std::filesystem::path& file) {
    std::error_code error;
    if (!std::filesystem::exists(file, error)) return {};
    const json all = readJson(file);
    return all.is_object() && all.contains("settings") ? all["settings"] : json();
}

RecordSettings understood(const json& settings, const std::filesystem::path& folder) try {
    return settingsFrom(settings);
} catch (const Error& error) {
    throw Error(error.message(), {.file = folder.string()});
}

}  // namespace

std::string commandText(const Command& command) {
    json all = Writer::object(command);
    if (command.settings) all.update(followingFrom(*command.settings, command.traced));
    return laidOut(all);
}

std::string measurementText(const Measurement& measurement, const std::filesystem::path& recording) {
    json all = readObject(recording / kCommandFile);
    all[kFormat] = 1;
    all.update(Writer::object(measurement));
    return laidOut(all);
}

Command readCommand(const std::filesystem::path& recording) {
    Damage notSaid;
    return commandIn(readObject(recording / kCommandFile), notSaid, false);
}

Measurement measurementIn(const json& object) {
    Measurement measurement;
    if (!object.is_object()) return measurement;
    Damage damage;
    // What is only a part of a run's description is not ours.
    const bool isWhole = object.contains(kFormat);
    Reader reader(object, damage, isWhole);
    eachMember(reader, measurement);
    measurement.command = commandIn(object, damage, isWhole);
    measurement.damaged = damage.take();
    return measurement;
}

std::optional<Measurement> readMeasurement(const std::filesystem::path& folder) {
    const json object = readObject(folder / kMeasurementFile);
    return object.empty() ? std::nullopt : std::optional(measurementIn(object));
}

std::string damageText(const Measurement& measurement) {
    if (saysNothing(measurement)) return nothingKnown();
    if (measurement.damaged.empty()) return {};
    constexpr std::size_t kShown = 3;
    std::vector<std::string> shown = measurement.damaged;
    if (shown.size() > kShown + 1) {
        shown.resize(kShown);
        shown.push_back(std::to_string(measurement.damaged.size() - kShown) + " more members");
    }
    return std::string(kMeasurementFile) + " is damaged or was changed: " + listOf(shown) +
           (shown.size() == 1 ? " is" : " are") +
           " missing or not of the form that Holos writes, and what is said there of the run is not known";
}

std::string damageIn(const std::filesystem::path& folder, const std::optional<Measurement>& read) {
    if (read) return damageText(*read);
    std::error_code none;
    if (!std::filesystem::exists(folder / kMeasurementFile, none)) return {};
    return nothingKnown();
}

std::string recordedRun(const std::filesystem::path& folder) {
    const auto measurement = readMeasurement(folder);
    return measurement ? measurement->run : std::string();
}

RecordSettings readSettings(const std::filesystem::path& folder) {
    json settings = settingsIn(folder / kMeasurementFile);
    if (settings.is_null()) settings = settingsIn(recordingOf(folder) / kCommandFile);
    if (settings.is_null())
        throw Error("does not say how it was recorded: there is no measurement.json with settings",
                    {.file = folder.string()});
    return understood(settings, folder);
}

RecordSettings settingsOf(const std::filesystem::path& recording) {
    return readCommand(recording).settings.value_or(RecordSettings());
}

std::string predictedText(const std::filesystem::path& recorded, const std::vector<std::string>& conditions) {
    nlohmann::ordered_json run = readJson(recorded);
    run["predictedWith"] = conditions;
    return laidOut(run);
}

}  // namespace holos::measurement
