// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/unite/run_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "algebra/model/communication.h"
#include "algebra/model/processors.h"
#include "algebra/operators/history/metric_names.h"
#include "algebra/operators/history/recorded_run.h"
#include "base/number.h"

namespace holos::algebra {
namespace {

/// By process of `old`: where the first of its locations goes. Processes without locations send nothing.
std::vector<ProcessId> processMap(const SystemTree& old, const SystemTree& now,
                                  const std::vector<LocationId>& locations) {
    std::vector<ProcessId> processes(old.processes.size());
    for (std::size_t at = locations.size(); at-- > 0;)
        processes[old.locations[at].process.index()] = now[locations[at]].process;
    return processes;
}

void addMapped(std::vector<Traffic>& into, const std::vector<Traffic>& from,
               const std::vector<ProcessId>& processes, double factor) {
    for (const Traffic& pair : from) {
        Traffic mapped{processes[pair.sender.index()], processes[pair.receiver.index()]};
        for (const TrafficNumber& column : kTrafficNumbers)
            mapped.*column.number = factor * (pair.*column.number);
        into.push_back(mapped);
    }
}

}  // namespace

void keepSharedFile(Experiment& result, const Inputs& inputs, const char* name) {
    const auto kept = result.files.find(name);
    if (kept == result.files.end()) return;
    const bool shared = std::ranges::all_of(inputs, [&](const Experiment& input) {
        const auto own = input.files.find(name);
        return own != input.files.end() && own->second == kept->second;
    });
    if (!shared) result.files.erase(kept);
}

void combineCommunication(Union& united, const Inputs& inputs, const std::vector<double>& factors,
                          double divisor) {
    Experiment& result = united.result;
    if (result.files.erase(kCommunicationFile) == 0) return;
    std::vector<Traffic> all;
    for (std::size_t at = 0; at < factors.size(); ++at) {
        if (factors[at] == 0.0) continue;
        const Experiment& input = inputs[at];
        addMapped(all, communicationOf(input),
                  processMap(input.system, result.system, united.inputs[at]->locations), factors[at]);
    }
    if (all.empty()) return;
    std::vector<Traffic> sums = summedByPair(std::move(all));
    for (Traffic& pair : sums)
        for (const TrafficNumber& column : kTrafficNumbers) pair.*column.number /= divisor;
    result.files[kCommunicationFile] = communicationText(sums);
}

void regroupCommunication(Experiment& regrouped, const SystemTree& old,
                          const std::vector<LocationId>& locations) {
    const auto file = regrouped.files.find(kCommunicationFile);
    if (file == regrouped.files.end()) return;
    Experiment before;
    before.system = old;
    before.files.insert(*file);
    std::vector<Traffic> all;
    addMapped(all, communicationOf(before), processMap(old, regrouped.system, locations), 1.0);
    file->second = communicationText(summedByPair(std::move(all)));
}

namespace {

constexpr std::array<std::string_view, 3> kOfRun{kSecondsOfRunAttribute, kSecondsWithOneThreadAttribute,
                                                 kStoppedByLimitAttribute};
constexpr std::array<std::string_view, 3> kOfThreads{kOnProcessorsAttribute, kWaitingForProcessorsAttribute,
                                                     kShortageAttribute};

std::string textOfSeconds(double seconds) {
    return fmt::format("{}", seconds);
}
std::string textOfNanoseconds(double nanoseconds) {
    return fmt::format("{:.0f}", nanoseconds);
}

template <class Text>
void scaleAttribute(Attributes& attributes, std::string_view key, double factor, Text textOf) {
    const auto text = attribute(attributes, key);
    const auto number = text ? asNumber<double>(*text) : std::nullopt;
    if (number) setAttribute(attributes, key, textOf(factor * *number));
}

/// One attribute of the result, by those of the inputs that have its owner.
class CombinedAttribute {
  public:
    void add(const Attributes& attributes, std::string_view key, double factor) {
        const auto text = attribute(attributes, key);
        if (!first_) first_ = text.value_or("");
        areAlike_ &= text.value_or("") == *first_;
        const auto number = text ? asNumber<double>(*text) : std::nullopt;
        areNumbers_ &= number.has_value();
        sum_ += factor * number.value_or(0);
    }
    template <class Text>
    void tell(Attributes& attributes, std::string_view key, bool isSum, Text textOf) const {
        if (isSum && areNumbers_)
            setAttribute(attributes, key, textOf(sum_));
        else if (!areAlike_)
            setAttribute(attributes, key, {});
    }

  private:
    std::optional<std::string> first_;
    bool areAlike_ = true;
    bool areNumbers_ = true;
    double sum_ = 0;
};

bool areAllPositive(const std::vector<double>& factors) {
    return !factors.empty() && std::ranges::all_of(factors, [](double one) { return one > 0; });
}

void combineOfThreads(Union& united, const Inputs& inputs, const std::vector<double>& factors, bool isSum) {
    std::vector<std::array<CombinedAttribute, kOfThreads.size()>> all(united.result.system.locations.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const auto& locations = inputs[i].get().system.locations;
        for (std::size_t at = 0; at < locations.size(); ++at)
            for (std::size_t key = 0; key < kOfThreads.size(); ++key)
                all[united.inputs[i]->locations[at].index()][key].add(
                    locations[at].attributes, kOfThreads[key], isSum ? factors[i] : 1);
    }
    for (std::size_t at = 0; at < all.size(); ++at)
        for (std::size_t key = 0; key < kOfThreads.size(); ++key)
            all[at][key].tell(united.result.system.locations[at].attributes, kOfThreads[key], isSum,
                              textOfNanoseconds);
}

/// Which nodes of the inputs became which one is not kept: of several runs their use is not told.
void forgetUseOfNodes(SystemTree& system) {
    for (const SystemNodeId node : system.nodes.ids())
        setAttribute(system.nodes[node].attributes, kMachineUseAttribute, {});
}

bool agreeInSeconds(const Inputs& inputs) {
    const auto secondsOf = [](const Experiment& input) { return secondsOfRun(input); };
    return std::ranges::all_of(
        inputs, [&](const Experiment& input) { return secondsOf(input) == secondsOf(inputs.front()); });
}

}  // namespace

void forgetTimesOfRun(Experiment& experiment) {
    for (const std::string_view key : kOfRun) setAttribute(experiment.attributes, key, {});
    for (Location& location : experiment.system.locations)
        for (const std::string_view key : kOfThreads) setAttribute(location.attributes, key, {});
    forgetUseOfNodes(experiment.system);
}

void scaleTimesOfRun(Experiment& experiment, double factor) {
    for (const std::string_view key : kOfRun)
        scaleAttribute(experiment.attributes, key, factor, textOfSeconds);
    for (Location& location : experiment.system.locations)
        for (const std::string_view key : kOfThreads)
            scaleAttribute(location.attributes, key, factor, textOfNanoseconds);
    for (const SystemNodeId node : experiment.system.nodes.ids())
        scaleAttribute(experiment.system.nodes[node].attributes, kMachineUseAttribute, factor, textOfSeconds);
}

void combineTimesOfRun(Union& united, const Inputs& inputs, const std::vector<double>& factors) {
    const bool isSum = areAllPositive(factors);
    const auto combine = [&](std::string_view key, bool isAdded) {
        CombinedAttribute one;
        for (std::size_t i = 0; i < inputs.size(); ++i)
            one.add(inputs[i].get().attributes, key, isAdded ? factors[i] : 1);
        one.tell(united.result.attributes, key, isAdded, textOfSeconds);
    };
    for (const std::string_view key : kOfRun) combine(key, isSum);
    combine(kEndsAttribute, false);
    combine(kLeftOutAttribute, false);
    // What is not known of one run is not known of the result.
    for (const Experiment& input : inputs)
        if (const auto unread = attribute(input.attributes, kUnreadFactsAttribute))
            setAttribute(united.result.attributes, kUnreadFactsAttribute, std::string(*unread));
    combineOfThreads(united, inputs, factors, isSum);
    if (inputs.size() > 1 && (isSum || !agreeInSeconds(inputs))) forgetUseOfNodes(united.result.system);
}

}  // namespace holos::algebra
