// SPDX-License-Identifier: BSD-3-Clause
#include "campaign/state.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <list>
#include <set>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "base/output_file.h"
#include "tracing/counters/selection.h"
#include "tracing/recordings/archive/folder/commit.h"
#include "tracing/recordings/archive/folder/ownership.h"

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
    } catch (const json::exception&) {
        throw Error(
            "is not what a campaign writes: something is missing or of another kind; give another folder "
            "with -o",
            {.file = file.string()});
    } catch (const Error& error) {
        throw Error("cannot be read as a campaign: " + error.message(), {.file = file.string()});
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

namespace fs = std::filesystem;

namespace {

/// `run-01`, `run-01.txt`, …
bool isOfARun(std::string_view name) {
    constexpr std::string_view kBegin = "run-";
    constexpr std::string_view kEndings[] = {"", ".txt", ".status", ".refused.json", ".sh"};
    if (!name.starts_with(kBegin)) return false;
    name.remove_prefix(kBegin.size());
    const std::size_t digits = std::min(name.find_first_not_of("0123456789"), name.size());
    return digits > 0 && std::ranges::find(kEndings, name.substr(digits)) != std::end(kEndings);
}

/// The first one, by which the others are known, is removed last.
constexpr const char* kNames[] = {kStateFile,     kSpecificationFile, kResultFile,
                                  kDeviationFile, kVariationFile,     kMultiplexingFile};

bool isOfACampaign(const std::string& name) {
    return isOfARun(name) || std::ranges::find(kNames, name) != std::end(kNames);
}

constexpr const char* kEndingsOfFiles[] = {".txt", ".status", ".refused.json", ".sh"};

/// The names of a run's folder and of its files that there are.
std::vector<std::string> namesOf(const fs::path& folder, const std::string& run) {
    std::vector<std::string> names;
    if (archive::isThere(folder / run)) names.push_back(run);
    for (const char* ending : kEndingsOfFiles)
        if (archive::isThere(folder / (run + ending))) names.push_back(run + ending);
    return names;
}

[[noreturn]] void refuse(const fs::path& folder, const std::vector<std::string>& names) {
    throw Error(
        "has " + archive::listed(names) +
            ", which no campaign is known to have made, where this one has to write: move that away, or give "
            "another folder with -o",
        {.file = folder.string()});
}

/// Throws Error where a run's folder has something in it that a recording would have to replace.
void refuseOthersFilesOfRun(const fs::path& folder, const std::string& run) {
    const bool isOther =
        archive::isThere(folder / run) && !fs::is_directory(fs::symlink_status(folder / run));
    if (isOther) refuse(folder, {run});
    if (const auto found = archive::inTheWay(folder / run); !found.others.empty())
        refuse(folder / run, found.others);
}

}  // namespace

/// The kernel drops the lock with the program. A file system without locks has none to offer.
CampaignLock::CampaignLock(const fs::path& folder) try {
    lock_.emplace(folder, ".holos-campaign-lock");
} catch (const archive::Locked& error) {
    throw Error("another holos campaign works in this folder now; wait for it, or give another with -o (" +
                    error.message() + ')',
                {.file = folder.string()});
}

void refuseOthersFiles(const fs::path& folder, const State* earlier) {
    const std::set<std::string> runs = earlier != nullptr ? runsOf(*earlier) : std::set<std::string>();
    std::vector<std::string> others;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder, none)) {
        const std::string name = entry.path().filename().string();
        const bool isKnown =
            earlier != nullptr && (!isOfARun(name) || runs.contains(name.substr(0, name.find('.'))));
        if (isOfACampaign(name) && !isKnown) others.push_back(name);
    }
    std::ranges::sort(others);
    if (!others.empty()) refuse(folder, others);
}

void removeCampaign(const fs::path& folder, const State& earlier) {
    const std::set<std::string> runs = runsOf(earlier);
    for (const std::string& run : runs) refuseOthersFilesOfRun(folder, run);
    for (const std::string& run : runs) removeRun(folder, run);
    for (auto name = std::rbegin(kNames); name != std::rend(kNames); ++name) fs::remove(folder / *name);
}

void requireFree(const fs::path& folder, const Run& run) {
    if (const auto names = namesOf(folder, run.name); !names.empty()) refuse(folder, names);
}

void removeRun(const fs::path& folder, const std::string& run) {
    refuseOthersFilesOfRun(folder, run);
    if (archive::isThere(folder / run)) {
        archive::settleLeftovers(folder / run);
        archive::removeMeasurement(folder / run);
        std::error_code isNotEmpty;
        fs::remove(folder / run, isNotEmpty);
    }
    for (const char* ending : kEndingsOfFiles) fs::remove(folder / (run + ending));
}

namespace {

bool hasAll(const Measurement& counted, const Measurement& wanted) {
    return std::ranges::all_of(
        wanted, [&](const std::string& event) { return std::ranges::find(counted, event) != counted.end(); });
}

/// Numbers that no run had before.
class FreeNames {
  public:
    explicit FreeNames(const State& state) {
        for (const auto& each : state.finished) taken_.insert(each.run.name);
        for (const auto& each : state.failed) taken_.insert(each.run.name);
        for (const auto& each : state.scripted) taken_.insert(each.name);
    }
    std::string next() {
        std::string name;
        do name = fmt::format("run-{:02}", ++number_);
        while (taken_.contains(name));
        return name;
    }

  private:
    std::set<std::string> taken_;
    std::size_t number_ = 0;
};

bool isMultiplexed(const Run& run) {
    return run.isMultiplexed;
}

bool hasMultiplexed(const State& state) {
    return std::ranges::any_of(state.scripted, isMultiplexed) ||
           std::ranges::any_of(state.finished,
                               [](const FinishedRun& each) { return each.run.isMultiplexed; });
}

Measurement allEvents(const std::vector<Measurement>& measurements) {
    Measurement all;
    for (const Measurement& each : measurements)
        for (const std::string& event : each)
            if (all.size() < counters::kMostCounters && !hasAll(all, {event})) all.push_back(event);
    return all;
}

}  // namespace

std::vector<Run> remainingRuns(const std::vector<Measurement>& measurements, const State& state) {
    std::list<const Measurement*> available;
    for (const auto& each : state.finished)
        if (!each.run.isMultiplexed) available.push_back(&each.run.events);
    for (const auto& each : state.scripted)
        if (!each.isMultiplexed) available.push_back(&each.events);
    FreeNames names(state);
    std::vector<Run> remaining;
    for (std::size_t repetition = 0; repetition < state.request.repetitions; ++repetition)
        for (const Measurement& wanted : measurements) {
            const auto serving = std::ranges::find_if(
                available, [&](const Measurement* counted) { return hasAll(*counted, wanted); });
            if (serving != available.end())
                available.erase(serving);
            else
                remaining.push_back({names.next(), wanted});
        }
    if (state.request.comparesMultiplexed && measurements.size() > 1 && !hasMultiplexed(state))
        remaining.push_back({names.next(), allEvents(measurements), false, true});
    return remaining;
}

Run anotherRun(const Measurement& measurement, const State& state) {
    return {FreeNames(state).next(), measurement};
}

std::size_t runsOf(const Measurement& measurement, const State& state) {
    return static_cast<std::size_t>(std::ranges::count_if(state.finished, [&](const FinishedRun& each) {
        return !each.run.isMultiplexed && hasAll(each.run.events, measurement);
    }));
}

void chooseRecordings(std::vector<Run>& runs, const State& state,
                      const std::function<bool(const Measurement&)>& needsTrace) {
    const auto isTrace = [](const Run& run) { return !run.isProfile; };
    bool hasTrace =
        std::ranges::any_of(state.scripted, isTrace) ||
        std::ranges::any_of(state.finished, [&](const FinishedRun& each) { return isTrace(each.run); });
    for (Run& run : runs) {
        const bool isWanted = state.request.recording == Recording::Traces ||
                              (state.request.recording == Recording::OneTrace && !hasTrace);
        run.isProfile = !isWanted && !needsTrace(run.events);
        hasTrace = hasTrace || isTrace(run);
    }
}

double secondsFor(std::size_t runs, const State& state) {
    double sum = 0.0;
    std::size_t known = 0;
    for (const FinishedRun& each : state.finished)
        if (each.seconds > 0.0) {
            sum += each.seconds;
            ++known;
        }
    return known == 0 ? 0.0 : sum / static_cast<double>(known) * static_cast<double>(runs);
}

}  // namespace holos::campaign
