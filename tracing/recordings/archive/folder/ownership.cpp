// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/folder/ownership.h"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <set>
#include <string_view>

#include "base/descriptor.h"
#include "base/error.h"
#include "base/json.h"
#include "base/made_by.h"
#include "tracing/recordings/archive/folder/many_files.h"

namespace holos::archive {
namespace {

using nlohmann::json;

fs::path fileOf(const fs::path& recording) {
    return recording / "run";
}

}  // namespace

std::string newRunId() {
    std::array<unsigned char, 16> bytes{};
    if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
        throw Error("the system has no random numbers");
    std::string text;
    for (const unsigned char byte : bytes) {
        char digits[3];
        std::snprintf(digits, sizeof digits, "%02x", byte);
        text += digits;
    }
    return text;
}

bool isRunId(const std::string& text) {
    return !text.empty() && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

RunIdentity newRun(const Job& job) {
    return {newRunId(), job.name, {{job.boot, job.origin}}};
}

bool belongs(const Job& job, const RunIdentity& run) {
    if (job.name.empty() || job.name != run.job) return false;
    const auto origin = run.origins.find(job.boot);
    return job.isUnique || origin == run.origins.end() || origin->second == job.origin;
}

std::optional<RunIdentity> readRun(const fs::path& recording) {
    constexpr JsonLimits kLimits{1U << 20, 3, 100'000};
    try {
        const json all = readJson(fileOf(recording), kLimits);
        return RunIdentity{all.at("id"), all.at("job"), all.at("origins")};
    } catch (const std::exception&) {  // there is none, or no longer
        return std::nullopt;
    }
}

void writeRun(const fs::path& recording, const RunIdentity& run) {
    const fs::path own = recording / "run.new";
    const json all{{"id", run.id}, {"job", run.job}, {"origins", run.origins}};
    writePlainFile(own, jsonText(all, 2) + '\n');
    fs::rename(own, fileOf(recording));
}

namespace {

using MaybeRun = std::optional<std::string>;

constexpr std::array kExperiments{kProfileFile, "analysis.cubex", "snapshot.cubex", "range.cubex"};

bool isFolder(const fs::path& path) {
    std::error_code none;
    return fs::is_directory(fs::symlink_status(path, none));
}

bool isFile(const fs::path& path) {
    std::error_code none;
    return fs::is_regular_file(fs::symlink_status(path, none));
}

/// What stands behind the first one of these words in the file.
MaybeRun idBehind(const fs::path& file, std::string_view words) {
    const std::string text = beginningOf(file);
    const auto found = text.find(words);
    if (found == std::string::npos) return std::nullopt;
    const auto begin = found + words.size();
    const auto end = std::min(text.find_first_not_of("0123456789abcdef", begin), text.size());
    std::string id = text.substr(begin, end - begin);
    return isRunId(id) ? MaybeRun(std::move(id)) : std::nullopt;
}

MaybeRun runOfRecording(const fs::path& folder) {
    const auto run = isFolder(folder) ? readRun(folder) : std::nullopt;
    return run && isRunId(run->id) ? MaybeRun(run->id) : std::nullopt;
}

/// `0.evt`, `0.def` and the like.
bool isOfOtf2(const std::string& name) {
    const auto dot = name.find_first_not_of("0123456789");
    if (dot == 0 || dot == std::string::npos) return false;
    constexpr std::array kEndings{".evt", ".def", ".snap"};
    return std::ranges::find(kEndings, name.substr(dot)) != kEndings.end();
}

MaybeRun runOfEvents(const fs::path& folder) {
    return isFolder(folder) ? idBehind(folder / kRunOfEvents, "") : std::nullopt;
}

MaybeRun runOfMeasurement(const fs::path& file) {
    std::string id = isFile(file) ? recordedRun(file.parent_path()) : "";
    return isRunId(id) ? MaybeRun(std::move(id)) : std::nullopt;
}

MaybeRun runOfExperiment(const fs::path& file) {
    const auto made = madeBy(file);
    return made && isRunId(made->run) ? MaybeRun(made->run) : std::nullopt;
}

struct MarkedPart {
    const char* name;
    MaybeRun (*run)(const fs::path&);
};
constexpr std::array kParts{
    MarkedPart{"recording", runOfRecording},
    MarkedPart{"traces", runOfEvents},
    MarkedPart{"traces.def", [](const fs::path& file) { return idBehind(file, kRunOfDefinitions); }},
    MarkedPart{"traces.otf2",
               [](const fs::path& file) { return idBehind(file, std::string(kRunProperty) + '\0'); }},
    MarkedPart{measurement::kMeasurementFile, runOfMeasurement},
};

/// What a user put beside the events.
std::vector<std::string> othersBesideEvents(const fs::path& directory) {
    std::vector<std::string> others;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(directory / "traces", none))
        if (const std::string name = entry.path().filename();
            name != kRunOfEvents && name != kSamplesOfEvents && !isOfOtf2(name))
            others.push_back("traces/" + name);
    std::ranges::sort(others);
    return others;
}

/// A folder of a further MPI job of one of these runs; with what a user put there it is of the user, too.
void addJob(const fs::path& job, const std::set<std::string>& runs, InTheWay& found) {
    const MaybeRun run = runOfMeasurement(job / measurement::kMeasurementFile);
    if (!run || !runs.contains(*run)) return;
    const InTheWay inside = inTheWay(job);
    const std::string name = job.filename().string() + '/';
    std::vector<std::string> others;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(job, none)) {
        const std::string part = entry.path().filename();
        const bool isOurs = std::ranges::any_of(
            inside.ofHolos, [&part](const auto& one) { return one == part || one == part + '/'; });
        if (!isOurs) others.push_back(name + part);
    }
    for (const std::string& other : inside.others)
        if (other.starts_with("traces/")) others.push_back(name + other);
    std::ranges::sort(others);
    if (others.empty()) found.ofHolos.push_back(name);
    found.others.insert(found.others.end(), others.begin(), others.end());
}

}  // namespace

bool isThere(const fs::path& path) {
    std::error_code none;
    return fs::exists(fs::symlink_status(path, none));
}

/// An experiment may have been put there from elsewhere: only that of a run that is there is of this
/// measurement.
InTheWay inTheWay(const fs::path& directory) {
    InTheWay found;
    std::set<std::string> runs;
    for (const MarkedPart& part : kParts) {
        const fs::path path = directory / part.name;
        if (!isThere(path)) continue;
        const MaybeRun run = part.run(path);
        if (run) runs.insert(*run);
        (run ? found.ofHolos : found.others).push_back(part.name + std::string(isFolder(path) ? "/" : ""));
        if (run && part.run == runOfEvents) {
            const auto others = othersBesideEvents(directory);
            found.others.insert(found.others.end(), others.begin(), others.end());
        }
    }
    for (const fs::path& job : foldersNamedAsJobs(directory)) addJob(job, runs, found);
    for (const char* name : kExperiments) {
        if (!isThere(directory / name)) continue;
        const MaybeRun run = runOfExperiment(directory / name);
        (run && runs.contains(*run) ? found.ofHolos : found.others).emplace_back(name);
    }
    return found;
}

std::string listed(const std::vector<std::string>& names) {
    constexpr std::size_t kMost = 6;
    std::string text;
    for (std::size_t i = 0; i < names.size() && i < kMost; ++i) text += (i == 0 ? "" : ", ") + names[i];
    if (names.size() > kMost) text += " and " + std::to_string(names.size() - kMost) + " more";
    return text;
}

}  // namespace holos::archive
