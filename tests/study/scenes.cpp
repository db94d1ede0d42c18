// SPDX-License-Identifier: BSD-3-Clause
// The study: each fault by itself, some of them together, and programs without a fault.
#include <algorithm>
#include <array>
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

std::vector<Scene> heldOutScenes() {
    std::vector<PlantedFault> all;
    for (auto faults : {heldOutProcesses, heldOutMessages, heldOutThreads, heldOutCosts})
        for (PlantedFault& fault : faults()) all.push_back(std::move(fault));
    std::vector<Scene> scenes;
    // Other numbers of steps, and orders of what is done in each.
    constexpr std::array kSteps{24U, 40U, 57U};
    const auto add = [&](Scene scene) {
        scene.steps = kSteps[scenes.size() % kSteps.size()];
        scene.areLast = scenes.size() % 2 == 1;
        scenes.push_back(std::move(scene));
    };
    for (const PlantedFault& fault : all) add({fault.says, fault.machine, {fault}});
    for (PlantedFault& fault : allFaults()) all.push_back(std::move(fault));
    constexpr std::pair<const char*, const char*> kPairs[] = {
        {"pipeline", "look_again"},   {"tasks", "sweep_all"},      {"pipeline", "overlap"},
        {"send_values", "growing"},   {"nap", "halo_wide"},        {"publish", "every_fifth"},
        {"swapped", "prepare_alone"}, {"write_files", "pipeline"}, {"short_loops", "between"},
        {"start", "solve"},           {"growing_halo", "meet"},    {"assemble_six", "gather_results"}};
    for (const auto& [first, second] : kPairs) add(together(all, first, second));
    add({"nothing, 2 processes", {.processes = 2}, {}});
    add({"nothing, 12 processes on 3 nodes", {.processes = 12, .nodes = 3}, {}});
    add({"nothing, 8 threads", {.processes = 1, .threads = 8}, {}});
    add({"nothing, 3 processes of 2 threads", {.processes = 3, .threads = 2}, {}});
    return scenes;
}

std::vector<Scene> doubtfulScenes() {
    std::vector<Scene> scenes;
    for (const PlantedFault& fault : doubtfulFaults())
        scenes.push_back({fault.says, fault.machine, {fault}, 32U, scenes.size() % 2 == 1});
    const std::vector<PlantedFault> all = allFaults();
    for (const auto& [first, second] :
         {std::pair{"solve", "read_alone"}, {"solve", "pause_alone"}, {"sweep_all", "two_sweeps"}})
        scenes.push_back(together(all, first, second));
    scenes.push_back({"two ranks sleep at the same time, now one longer, now the other", {}, napsAtATime()});
    return scenes;
}

}  // namespace holos::testing::study
