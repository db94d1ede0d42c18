// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/archive/measurement.h"

#include <otf2/otf2.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>

#include "metric-specs/error.h"
#include "tracing/archive/host_facts.h"

namespace holos::archive {
namespace {

using nlohmann::json;

/// Texts from the environment may hold any bytes; what is not UTF-8 is replaced.
std::string dump(const json& value) {
    return value.dump(2, ' ', false, json::error_handler_t::replace) + '\n';
}

void writeFile(const fs::path& path, const json& value) {
    std::ofstream file(path);
    file << dump(value);
    if (!file.flush()) throw Error("cannot be written", {.file = path.string()});
}

json readCommand(const fs::path& recording) {
    std::ifstream file(recording / "command.json");
    json command = json::parse(file, nullptr, false);
    return command.is_object() ? command : json::object();
}

std::string isoTime(std::int64_t nanoseconds) {
    const auto seconds = static_cast<std::time_t>(nanoseconds / 1'000'000'000);
    std::tm utc{};
    ::gmtime_r(&seconds, &utc);
    char text[32] = {};
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return text;
}

json describeProcess(const RecordedProcess& process) {
    json one = {{"pid", process.pid},
                {"host", process.host},
                {"program", process.executable},
                {"arguments", process.arguments},
                {"endedInOrder", process.status.ended != 0},
                {"lostEvents", process.status.lostEvents}};
    if (process.world) one["rank"] = process.world->rank;
    return one;
}

json describePart(const Part& part) {
    json described = json::object();
    if (!part.ranks.empty()) described["ranks"] = part.ranks;
    if (part.first > 0) described["firstNanoseconds"] = part.first;
    if (!part.phase.empty()) described["phase"] = part.phase;
    if (!part.mpi.empty()) described["mpi"] = part.mpi;
    if (part.buffer > 0) {
        described["bufferBytes"] = part.buffer;
        described["whenFull"] = part.whenFull;
    }
    return described;
}

/// Several wrappers of one run may do so at the same time.
void saveFilter(const fs::path& filter, const fs::path& recording) {
    const fs::path own = recording / ("filter." + std::to_string(::getpid()) + ".tmp");
    std::error_code error;
    fs::copy_file(filter, own, error);
    if (!error) fs::rename(own, recording / "filter", error);
    if (error) throw Error("cannot be copied: " + error.message(), {.file = filter.string()});
}

/// Of counters that took turns: the smallest and the mean part of the time in which a thread counted them.
json describeShares(const std::vector<const RecordedProcess*>& processes) {
    std::map<std::string, std::vector<double>> shares;
    for (const auto* process : processes)
        for (const auto& [counter, ofThreads] : process->activeShares)
            if (counter < process->counters.size()) {
                auto& all = shares[process->counters[counter].name];
                all.insert(all.end(), ofThreads.begin(), ofThreads.end());
            }
    json described = json::object();
    for (const auto& [name, all] : shares)
        described[name] = {
            {"least", *std::min_element(all.begin(), all.end())},
            {"mean", std::accumulate(all.begin(), all.end(), 0.0) / static_cast<double>(all.size())}};
    return described;
}

}  // namespace

filter::Filter savedFilter(const fs::path& recording) {
    const fs::path path = recording / "filter";
    return fs::exists(path) ? filter::readFilter(path) : filter::Filter();
}

void saveCommand(const fs::path& directory, const Command& command) {
    const fs::path recording = recordingOf(directory);
    std::error_code error;
    fs::create_directories(recording, error);
    if (error) throw Error("cannot be made: " + error.message(), {.file = recording.string()});
    if (!command.filter.empty()) saveFilter(command.filter, recording);
    const fs::path own = recording / ("command." + std::to_string(::getpid()) + ".tmp");
    writeFile(own, {{"command", command.arguments},
                    {"counters", command.counters},
                    {"sampledCounters", command.sampled},
                    {"sampleNanoseconds", command.sampleInterval},
                    {"countersCompensated", command.compensated},
                    {"counterSet", command.counterSet},
                    {"specification", command.specification},
                    {"filter", command.filter.string()},
                    {"recordedPart", describePart(command.part)},
                    {"workingDirectory", command.workingDirectory},
                    {"host", describeHost()},
                    {"environment", describeEnvironment()}});
    fs::create_hard_link(own, recording / "command.json", error);  // fails where another wrapper was first
    if (error && !fs::exists(recording / "command.json"))
        fs::copy_file(own, recording / "command.json", error);
    fs::remove(own, error);
}

specs::Processor recordedProcessor(const fs::path& folder) {
    std::ifstream file(folder / "measurement.json");
    const json all = json::parse(file, nullptr, false);
    specs::Processor found;
    const auto host = all.is_object() ? all.find("host") : all.end();
    if (host == all.end() || !host->is_object()) return found;
    if (const auto name = host->find("processor"); name != host->end() && name->is_string())
        found.name = name->get<std::string>();
    const auto kind = host->find("processorKind");
    if (kind == host->end() || !kind->is_object()) return found;
    const auto number = [&kind](const char* key) -> std::optional<std::uint64_t> {
        const auto value = kind->find(key);
        return value != kind->end() && value->is_number_unsigned()
                   ? std::optional(value->get<std::uint64_t>())
                   : std::nullopt;
    };
    if (const auto vendor = kind->find("vendor"); vendor != kind->end() && vendor->is_string())
        found.vendor = vendor->get<std::string>();
    found.family = number("family");
    found.model = number("model");
    found.stepping = number("stepping");
    if (const auto hertz = kind->find("hertz"); hertz != kind->end() && hertz->is_number())
        found.hertz = hertz->get<double>();
    return found;
}

void writeMeasurement(const fs::path& folder, const fs::path& recording,
                      const std::vector<const RecordedProcess*>& processes, const Result& result) {
    json all = readCommand(recording);
    json list = json::array();
    for (const auto* process : processes) list.push_back(describeProcess(*process));
    const auto& first = *processes.front();
    all["format"] = 1;
    all["holos"] = HOLOS_VERSION;
    all["begin"] = first.syncs.empty() ? "" : isoTime(first.syncs.front().realtime);
    all["clock"] = first.clock;
    all["libraries"] = {{"otf2", OTF2_VERSION}};
    all["processes"] = std::move(list);
    if (json shares = describeShares(processes); !shares.empty()) all["activeShares"] = std::move(shares);
    all["locations"] = result.locations;
    all["events"] = result.events;
    all["lostEvents"] = result.lostEvents;
    all["notes"] = result.notes;
    writeFile(folder / "measurement.json", all);
}

}  // namespace holos::archive
