// SPDX-License-Identifier: BSD-3-Clause
#include "campaign/state.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/json.h"
#include "base/output_file.h"

namespace holos::campaign {
namespace {

using nlohmann::json;
constexpr int kVersion = 1;

/// By `Recording`.
constexpr std::array kRecordings{"one trace", "profiles", "traces"};

/// Campaigns that do not say it were begun when there were no profiles.
Recording recordingFrom(const json& all) {
    const auto text = all.value("recording", std::string(kRecordings.back()));
    const auto* const known = std::ranges::find(kRecordings, text);
    if (known == kRecordings.end()) throw Error("'" + text + "' is no way to record runs");
    return static_cast<Recording>(known - kRecordings.begin());
}

json toJson(const Run& run) {
    return {{"name", run.name},
            {"events", run.events},
            {"profile", run.isProfile},
            {"multiplexed", run.isMultiplexed}};
}

std::string nameOfARun(const json& text) {
    std::string name = text;
    if (name.empty() || name.find('/') != std::string::npos || name.starts_with('.'))
        throw Error("'" + name + "' is no name of a run");
    return name;
}

Run runFrom(const json& object) {
    return {nameOfARun(object.at("name")), object.at("events"), object.value("profile", false),
            object.value("multiplexed", false)};
}

json toJson(const State& state) {
    json all{{"version", kVersion},
             {"command", state.command},
             {"wanted", state.request.wanted.given()},
             {"sets", state.request.sets},
             {"repetitions", state.request.repetitions},
             {"within", state.request.within},
             {"most", state.request.most},
             {"comparesMultiplexed", state.request.comparesMultiplexed},
             {"recording", kRecordings.at(static_cast<std::size_t>(state.request.recording))},
             {"refused", state.refused},
             {"finished", json::array()},
             {"failed", json::array()},
             {"scripted", json::array()}};
    if (!state.begun.empty()) all["begun"] = state.begun;
    if (state.request.registers) all["registers"] = *state.request.registers;
    for (const FinishedRun& each : state.finished) {
        all["finished"].push_back(toJson(each.run));
        all["finished"].back()["seconds"] = each.seconds;
    }
    for (const FailedRun& each : state.failed) {
        all["failed"].push_back(toJson(each.run));
        all["failed"].back()["reason"] = each.reason;
    }
    for (const Run& each : state.scripted) all["scripted"].push_back(toJson(each));
    return all;
}

State stateFrom(const json& all) {
    if (all.at("version") != kVersion) throw Error("is of another version of Holos");
    State state;
    all.at("command").get_to(state.command);
    state.request.wanted = Chosen<std::string>::orAll(all.at("wanted"));
    all.at("sets").get_to(state.request.sets);
    all.at("repetitions").get_to(state.request.repetitions);
    state.request.within = all.value("within", 0.0);
    state.request.most = all.value("most", kMostRepetitions);
    state.request.comparesMultiplexed = all.value("comparesMultiplexed", false);
    state.request.recording = recordingFrom(all);
    if (all.contains("registers")) state.request.registers = all.at("registers").get<std::size_t>();
    all.at("refused").get_to(state.refused);
    for (const json& each : all.at("finished")) state.finished.push_back({runFrom(each), each.at("seconds")});
    for (const json& each : all.at("failed")) state.failed.push_back({runFrom(each), each.at("reason")});
    for (const json& each : all.at("scripted")) state.scripted.push_back(runFrom(each));
    if (all.contains("begun")) state.begun = nameOfARun(all.at("begun"));
    return state;
}

}  // namespace

std::optional<State> loadState(const std::filesystem::path& folder) {
    const std::filesystem::path file = folder / kStateFile;
    if (!std::filesystem::exists(file)) return std::nullopt;
    try {
        return stateFrom(readJson(file));
    } catch (const std::exception& error) {
        throw Error(std::string("cannot be read as a campaign: ") + error.what(), {.file = file.string()});
    }
}

std::set<std::string> runsOf(const State& state) {
    std::set<std::string> names;
    for (const FinishedRun& each : state.finished) names.insert(each.run.name);
    for (const FailedRun& each : state.failed) names.insert(each.run.name);
    for (const Run& each : state.scripted) names.insert(each.name);
    if (!state.begun.empty()) names.insert(state.begun);
    return names;
}

void saveState(const State& state, const std::filesystem::path& folder) {
    writeFile(folder / kStateFile, jsonText(toJson(state), 2) + '\n', Links::Refused);
}

}  // namespace holos::campaign
