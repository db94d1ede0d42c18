// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/scaling/study.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <map>
#include <string_view>

#include "algebra/operators/unite/unite_parts.h"
#include "base/error.h"

namespace holos::algebra::scaling {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kFolderName = "size-";
constexpr const char* kAnalysis = "analysis.cubex";

/// Folders below this one; none where it cannot be read.
std::vector<fs::path> foldersIn(const fs::path& folder) {
    std::vector<fs::path> folders;
    std::error_code failure;
    for (fs::directory_iterator at(folder, failure), end; !failure && at != end; at.increment(failure))
        if (std::error_code ignored; at->is_directory(ignored)) folders.push_back(at->path());
    std::ranges::sort(folders);
    return folders;
}

}  // namespace

fs::path folderOfSize(const fs::path& study, const std::string& size) {
    return study / (std::string(kFolderName) + size);
}

std::optional<double> sizeOfFolder(const fs::path& folder) {
    const std::string name = folder.filename().string();
    if (!name.starts_with(kFolderName)) return std::nullopt;
    const std::string size = name.substr(kFolderName.size());
    const bool isNumber =
        std::ranges::all_of(size, [](unsigned char letter) { return std::isdigit(letter) != 0; });
    constexpr std::size_t kMostDigits = 15;  // all of which a double keeps
    if (!isNumber || size.empty() || size.front() == '0' || size.size() > kMostDigits) return std::nullopt;
    return std::stod(size);
}

std::vector<fs::path> foldersOfSizes(const fs::path& study) {
    std::vector<fs::path> folders = foldersIn(study);
    std::erase_if(folders, [](const fs::path& folder) { return !sizeOfFolder(folder); });
    std::ranges::stable_sort(
        folders, [](const fs::path& a, const fs::path& b) { return *sizeOfFolder(a) < *sizeOfFolder(b); });
    return folders;
}

std::optional<double> sizeOfRun(const fs::path& experiment) {
    for (fs::path folder = experiment.parent_path(); folder.has_filename(); folder = folder.parent_path())
        if (const auto size = sizeOfFolder(folder)) return size;
    return std::nullopt;
}

std::vector<fs::path> experimentsOfSizes(const fs::path& study) {
    std::vector<fs::path> experiments;
    for (const fs::path& size : foldersOfSizes(study))
        for (const fs::path& run : foldersIn(size))
            if (std::error_code ignored; fs::is_regular_file(run / kAnalysis, ignored))
                experiments.push_back(run / kAnalysis);
    return experiments;
}

namespace {

std::size_t sizeOf(const Experiment& experiment, Size size) {
    return size == Size::Processes ? numberOfProcesses(experiment.system)
                                   : numberOfThreads(experiment.system);
}

bool differ(const std::vector<SizedRun>& runs, Size size) {
    return std::ranges::any_of(runs, [&](const SizedRun& run) {
        return sizeOf(*run.experiment, size) != sizeOf(*runs.front().experiment, size);
    });
}

Size chosenSize(const std::vector<SizedRun>& runs, Size size) {
    if (size != Size::Automatic) return size;
    if (differ(runs, Size::Processes)) return Size::Processes;
    return differ(runs, Size::Threads) ? Size::Threads : Size::None;
}

Error sameSize() {
    return Error(
        "all runs have the same size: a study needs runs of different numbers of processes or threads, or a "
        "parameter that says what differs");
}

}  // namespace

bool differInSize(const std::vector<SizedRun>& runs) {
    return chosenSize(runs, Size::Automatic) != Size::None;
}

Study::Study(std::vector<SizedRun> runs, const StudyOptions& options)
    : runs_(std::move(runs)), size_(chosenSize(runs_, options.size)) {
    if (size_ != Size::None) parameters_.push_back(size_ == Size::Processes ? "processes" : "threads");
    parameters_.insert(parameters_.end(), options.parameters.begin(), options.parameters.end());
    groupRuns();
    unitePrograms();
}

void Study::groupRuns() {
    if (parameters_.empty()) throw sameSize();
    std::map<Point, Group> byPoint;
    for (std::size_t run = 0; run < runs_.size(); ++run) {
        const Experiment& experiment = this->experiment(run);
        Group group;
        group.processes = numberOfProcesses(experiment.system);
        group.threads = numberOfThreads(experiment.system);
        if (group.threads == 0) throw Error(runs_[run].name + ": has no threads");
        if (size_ != Size::None) group.at.push_back(static_cast<double>(sizeOf(experiment, size_)));
        group.at.insert(group.at.end(), runs_[run].parameters.begin(), runs_[run].parameters.end());
        if (std::ranges::any_of(group.at, [](double value) { return !(value >= 1); }))
            throw Error(runs_[run].name + ": parameters must be at least 1");
        Group& known = byPoint.try_emplace(group.at, group).first->second;
        if (known.processes != group.processes || known.threads != group.threads)
            throw Error(runs_[run].name + " and " + runs_[known.runs.front()].name +
                        " have the same parameters, but not as many processes and threads");
        known.runs.push_back(run);
    }
    for (auto& [point, group] : byPoint) groups_.push_back(std::move(group));
    if (groups_.size() < 2) throw sameSize();
}

void Study::unitePrograms() {
    const Matching matching{.loosely = true};
    for (const SizedRun& run : runs_) {
        const auto regions = uniteRegions(program_.regions, run.experiment->regions, matching);
        places_.push_back(uniteCallTrees(program_.callTree, run.experiment->callTree, regions, matching));
    }
}

/// A quotient is that of the whole run: threads do not have parts of it.
double Study::sharers(std::size_t run, MetricId metric) const {
    const Experiment& experiment = this->experiment(run);
    return experiment.metrics[metric].origin == Origin::Ratio
               ? 1.0
               : static_cast<double>(numberOfThreads(experiment.system));
}

double Study::perThread(std::size_t run, const std::string& metric) const {
    const auto found = experiment(run).findMetric(metric);
    if (!found) return std::numeric_limits<double>::quiet_NaN();
    return aggregate(experiment(run), {*found}) / sharers(run, *found);
}

std::vector<double> Study::perThreadAndPath(std::size_t run, const std::string& metric) const {
    const auto found = experiment(run).findMetric(metric);
    if (!found) return {};
    const double threads = sharers(run, *found);
    const std::vector<double> own = perCallPath(experiment(run), {*found}, Extent::Exclusive);
    std::vector<double> values(program_.callTree.size(), 0.0);
    for (std::size_t path = 0; path < own.size(); ++path)
        values[places_[run][path].index()] += own[path] / threads;
    return values;
}

}  // namespace holos::algebra::scaling
