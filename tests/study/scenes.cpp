// SPDX-License-Identifier: BSD-3-Clause
// The study: each fault by itself, some of them together, and programs without a fault.
#include <algorithm>
#include <initializer_list>
#include <stdexcept>
#include <string_view>

#include "tests/study/planted_fault.h"

namespace holos::testing::study {

namespace {

std::vector<PlantedFault> allFaults() {
    std::vector<PlantedFault> all;
    for (auto faults :
         {unevenProcesses, lateMeetings, lateMessages, serialParts, unevenThreads, expensiveCalls})
        for (PlantedFault& fault : faults()) all.push_back(std::move(fault));
    return all;
}

Scene together(const std::vector<PlantedFault>& all, std::string_view first, std::string_view second) {
    Scene scene;
    for (const std::string_view function : {first, second}) {
        const auto found = std::ranges::find(all, function, &PlantedFault::function);
        if (found == all.end()) throw std::logic_error("no fault is called " + std::string(function));
        scene.says += (scene.says.empty() ? "" : "; and ") + found->says;
        scene.machine = found->machine;
        scene.faults.push_back(*found);
    }
    return scene;
}

}  // namespace

std::vector<Scene> scenes() {
    const std::vector<PlantedFault> all = allFaults();
    std::vector<Scene> scenes;
    for (const PlantedFault& fault : all) scenes.push_back({fault.says, fault.machine, {fault}});
    constexpr std::pair<const char*, const char*> kPairs[] = {
        {"solve", "prepare_alone"}, {"halo", "norm"},           {"pipeline", "solve"},
        {"swapped", "meet"},        {"send_values", "collect"}, {"exchange_fields", "halo_all"},
        {"overlap", "solve"},       {"critical", "sweep_all"},  {"between", "two_sweeps"},
        {"tasks", "critical"},      {"write_files", "publish"}, {"rising", "odd_ranks"}};
    for (const auto& [first, second] : kPairs) scenes.push_back(together(all, first, second));
    scenes.push_back({"nothing, 4 processes", {.processes = 4}, {}});
    scenes.push_back({"nothing, 16 processes on 2 nodes", {.processes = 16, .nodes = 2}, {}});
    scenes.push_back({"nothing, 4 threads", {.processes = 1, .threads = 4}, {}});
    scenes.push_back({"nothing, 2 processes of 4 threads", {.processes = 2, .threads = 4}, {}});
    return scenes;
}

}  // namespace holos::testing::study
