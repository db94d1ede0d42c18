// SPDX-License-Identifier: BSD-3-Clause
#include "report/tables/system_parts.h"

#include <fmt/format.h>

#include <map>

#include "algebra/model/compared.h"
#include "base/text.h"
#include "report/tables/summary.h"

namespace holos::tables {

using namespace algebra;

std::vector<SystemPart> partsOf(const SystemTree& system, Per per) {
    std::vector<SystemPart> parts;
    if (per == Per::Threads) {
        for (std::size_t at = 0; at < system.locations.size(); ++at) {
            const ProcessId process = system.locations[at].process;
            parts.push_back({system[process].node, process, LocationId(at)});
        }
        return parts;
    }
    std::vector<bool> known(system.nodes.size(), false);
    for (std::size_t at = 0; at < system.processes.size(); ++at) {
        const SystemNodeId node = system.processes[at].node;
        if (per == Per::Processes)
            parts.push_back({node, ProcessId(at), std::nullopt});
        else if (!known[node.index()])
            parts.push_back({node, std::nullopt, std::nullopt});
        known[node.index()] = true;
    }
    return parts;
}

LocationGroups groupsOf(const SystemTree& system, const std::vector<SystemPart>& parts) {
    const LocationGroups byProcess = locationsByProcess(system);
    std::map<SystemNodeId, std::vector<LocationId>> byNode;  // without nodes inside
    for (std::size_t at = 0; at < byProcess.size(); ++at) {
        auto& all = byNode[system.processes[at].node];
        all.insert(all.end(), byProcess[at].begin(), byProcess[at].end());
    }
    LocationGroups groups;
    for (const SystemPart& part : parts)
        groups.push_back(part.location  ? std::vector{*part.location}
                         : part.process ? byProcess[part.process->index()]
                                        : byNode[part.node]);
    return groups;
}

std::vector<bool> comparedParts(const SystemTree& system, Per per, const std::vector<double>& values) {
    if (per == Per::Threads) return comparedLocations(system, values);
    if (per == Per::Processes) return comparedProcesses(system, values);
    return std::vector<bool>(values.size(), true);
}

std::string locationCounts(const SystemTree& system) {
    const std::size_t all = system.locations.size(), threads = numberOfThreads(system);
    return counted(all, "location") + (threads == all ? "" : fmt::format(", {} of them threads", threads));
}

std::string partText(const Experiment& experiment, const SystemPart& part) {
    if (part.location) return locationText(experiment, *part.location);
    return part.process ? experiment.system[*part.process].name : experiment.system.nodes[part.node].name;
}

const char* nounOf(Per per, std::size_t number) {
    const bool one = number == 1;
    if (per == Per::Threads) return one ? "location" : "locations";
    if (per == Per::Processes) return one ? "process" : "processes";
    return one ? "node" : "nodes";
}

}  // namespace holos::tables
