// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/unite/run_files.h"

#include <algorithm>

#include "algebra/model/communication.h"

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

}  // namespace holos::algebra
