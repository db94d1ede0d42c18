// SPDX-License-Identifier: BSD-3-Clause
#include "cli/campaign/campaign_parts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string_view>

#include "base/output_file.h"
#include "base/printable.h"
#include "base/text.h"
#include "campaign/execution.h"
#include "campaign/result.h"
#include "cli/command.h"
#include "cli/experiments/write_result.h"
#include "cli/terminal/terminal.h"
#include "report/tables/summary.h"

namespace holos::cli {

using namespace campaign;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostPaths = 5;

std::string variationText(const Variation& each) {
    const auto value = [&each](double number) { return tables::valueText(number, each.unit); };
    return fmt::format("{} varies by {:.0f} % over {} runs (mean {}, standard deviation {})", each.metric,
                       100.0 * each.relative(), each.totals.size(), value(each.mean), value(each.deviation));
}

std::string warningOf(const Doubt& doubt) {
    const std::string text = "warning: " + variationText(doubt.variation);
    if (doubt.isTime) return text + ": counters of different runs were counted under different conditions";
    if (doubt.invalid.empty()) return text;
    return text +
           fmt::format("; metrics derived from it are not reliable: {}", fmt::join(doubt.invalid, ", "));
}

std::string warningOf(const SetEffect& effect) {
    const auto value = [&effect](double number) { return tables::valueText(number, effect.unit); };
    return fmt::format(
        "warning: {} depends on what else is measured: {} beside {}, {} beside {}; values of these runs do "
        "not belong together",
        effect.metric, value(effect.lowMean), fmt::join(effect.low, " "), value(effect.highMean),
        fmt::join(effect.high, " "));
}

/// What is not known as well as was asked for, although it was measured as often as allowed.
void tellUncertain(const std::vector<Variation>& variations, const Request& request,
                   const specs::Specification& specification) {
    const auto events = specification.events();
    for (const Variation& each : variations)
        if (request.within > 0 && each.knownWithin() > request.within &&
            std::ranges::find(events, each.metric) != events.end())
            complain(fmt::format("warning: {} is known within {:.2g} % only, after {} runs", each.metric,
                                 100.0 * each.knownWithin(), each.totals.size()));
}

void tellMultiplexed(const std::vector<MultiplexedTotal>& totals) {
    constexpr double kPercent = 100.0;
    for (const MultiplexedTotal& each : totals)
        if (each.isFurtherOffThanStated())
            complain(
                fmt::format("warning: {} multiplexed is {:+.2g} % off runs that count it all of the time, "
                            "and was said to be known within {:.2g} %",
                            each.event, kPercent * each.difference(), kPercent * *each.error));
}

void warnOfCallTrees(const std::vector<PartialCallPath>& paths, const State& state) {
    const std::vector<Run> finished = ordinaryRuns(state);
    for (std::size_t i = 0; i < std::min(paths.size(), kMostPaths); ++i) {
        std::vector<std::string> runs;
        for (const std::size_t at : paths[i].inputs) runs.push_back(finished[at].name);
        complain(
            fmt::format("warning: the call path {} is only in {}", paths[i].path, fmt::join(runs, ", ")));
    }
    if (paths.size() > kMostPaths)
        complain(fmt::format("warning: {} more call paths are not in all runs", paths.size() - kMostPaths));
}

}  // namespace

void writeCampaignResult(const Command& command, const fs::path& folder, const State& state,
                         const specs::Specification& specification) {
    Result result = unite(folder, state, specification);
    const algebra::Inputs inputs = result.inputs();
    const algebra::Provenance provenance = provenanceOf(command, result.files, inputs);
    if (inputs.size() > 1) {
        writeFile(folder / kVariationFile, tableOf(result.variations), Links::Refused);
        for (const Doubt& doubt : result.doubts) complain(warningOf(doubt));
        for (const SetEffect& effect : result.setEffects) complain(warningOf(effect));
        tellUncertain(result.variations, state.request, specification);
        warnOfCallTrees(result.partialPaths, state);
        writeResult(deviations(inputs), provenance, folder / kDeviationFile, Links::Refused);
    }
    if (!result.multiplexed.empty()) {
        const fs::path file = folder / kMultiplexingFile;
        writeFile(file, tableOf(result.multiplexed), Links::Refused);
        print(printable(file.string() + ": " + counted(result.multiplexed.size(), "event")) + "\n");
        tellMultiplexed(result.multiplexed);
    }
    if (const std::string others = saidOfFurtherJobs(folder, ordinaryRuns(state)); !others.empty())
        complain(others);
    writeResult(std::move(result.merged), provenance, folder / kResultFile, Links::Refused);
}

namespace {

constexpr std::array<std::string_view, 4> kNumberOfProcesses{"-n", "-np", "--np", "--ntasks"};

bool isNumber(const std::string& word) {
    return !word.empty() &&
           std::ranges::all_of(word, [](unsigned char letter) { return std::isdigit(letter) != 0; });
}

/// How often it was found.
std::size_t replaceAll(std::string& word, const std::string& by) {
    const std::string_view what = kSizeWord;
    std::size_t count = 0;
    for (std::size_t at = word.find(what); at != std::string::npos; at = word.find(what, at + by.size())) {
        word.replace(at, what.size(), by);
        ++count;
    }
    return count;
}

std::vector<std::string> commandOfSize(const std::vector<std::string>& command, const std::string& size,
                                       bool isSaidElsewhere) {
    if (!isNumber(size) || size.front() == '0')
        throw UsageError("--sizes: expected whole numbers from 1 on, not '" + size + "'");
    std::vector<std::string> words = command;
    std::size_t found = 0;
    for (std::string& word : words) found += replaceAll(word, size);
    if (found != 0) return words;
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
        const bool isOption = std::ranges::find(kNumberOfProcesses, words[i]) != kNumberOfProcesses.end();
        if (!isOption || !isNumber(words[i + 1])) continue;
        words[i + 1] = size;
        return words;
    }
    if (isSaidElsewhere) return words;
    throw UsageError(
        "--sizes: write @SIZE@ in the command where the number belongs, as in mpirun -n @SIZE@ ./app");
}

}  // namespace

std::string withSize(std::string text, const std::string& size) {
    replaceAll(text, size);
    return text;
}

std::vector<std::pair<std::string, std::vector<std::string>>> commandsOfSizes(
    const std::vector<std::string>& command, const std::vector<std::string>& sizes, bool isSaidElsewhere) {
    std::vector<std::pair<std::string, std::vector<std::string>>> commands;
    std::set<std::string> known;
    for (const std::string& size : sizes) {
        if (!known.insert(size).second) throw UsageError("--sizes: " + size + " is given twice");
        commands.emplace_back(size, commandOfSize(command, size, isSaidElsewhere));
    }
    return commands;
}

}  // namespace holos::cli
