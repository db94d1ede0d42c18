// SPDX-License-Identifier: BSD-3-Clause
#include "campaign/campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/output_file.h"
#include "base/process.h"
#include "campaign/execution.h"
#include "campaign/result.h"
#include "campaign/state.h"
#include "metric-specs/library.h"
#include "tracing/counters/selection.h"
#include "tracing/recordings/launch/installation.h"
#include "tracing/recordings/launch/program.h"

namespace holos::campaign {
namespace {

namespace fs = std::filesystem;

constexpr const char* kEverywhere = "linux-software";  // what every machine can count

std::optional<std::string> whyNotCountedHere(const std::vector<std::string>& events) {
    try {
        counters::Selection(events).open();
        return std::nullopt;
    } catch (const Error& error) {
        return error.what();
    }
}

/// Counters of processes and nodes, of which profiles know nothing. False where this machine does not know
/// them.
bool areReadByTime(const Measurement& events) {
    try {
        const counters::Selection selection(events);
        return !selection.namesOf(counters::Scope::Process).empty() ||
               !selection.namesOf(counters::Scope::Node).empty();
    } catch (const Error&) {
        return false;
    }
}

/// Batch systems run the program elsewhere; there the recorder tells what it cannot count.
std::optional<std::string> unknownHere(const std::vector<std::string>&) {
    return std::nullopt;
}

}  // namespace

Campaign::Campaign(Setup setup) : setup_(std::move(setup)), folder_(fs::absolute(setup_.folder)) {
    if (!setup_.changesNothing && fs::is_directory(folder_)) lock_.emplace(folder_);
    findState();
    if (!setup_.onlyCollects) state_.request = setup_.request;
    chooseSpecification();
    makePlan();
}

void Campaign::findState() {
    if (auto earlier = setup_.replaces ? std::nullopt : loadState(folder_)) {
        state_ = std::move(*earlier);
        isNew_ = false;
        if (!setup_.command.empty() && state_.command != setup_.command)
            throw Error("is a campaign of another command (" + shellLine(state_.command) +
                            "); give another folder with -o, or --force to replace it",
                        {.file = folder_.string()});
    } else if (setup_.onlyCollects) {
        throw Error("is no folder of a campaign", {.file = folder_.string()});
    } else {
        state_.command = setup_.command;
        launch::findProgram(state_.command.front());
    }
}

void Campaign::chooseSpecification() {
    const fs::path kept = folder_ / kSpecificationFile;
    if (!isNew_ && (setup_.specification == "auto" || setup_.onlyCollects))
        specification_ = specs::load(kept);
    else if (setup_.specification == "auto")
        specification_ = specificationHere();
    else
        specification_ = specs::find(setup_.specification);
    if (!isNew_ && specs::load(kept).text != specification_.text)
        throw Error("is a campaign with another specification; give another folder with -o",
                    {.file = folder_.string()});
}

/// The file for this processor where its counters can be read; in virtual machines they often cannot.
specs::Specification Campaign::specificationHere() {
    if (auto chosen = specs::findFor(specs::thisProcessor())) {
        const auto events = chosen->events();
        const WhyNotCounted whyNot = whyNotCounted();
        if (std::ranges::any_of(events, [&](const std::string& event) { return !whyNot({event}); }))
            return std::move(*chosen);
        setup_.tell("no counter of '" + chosen->title() + "' can be read here; taking " + kEverywhere);
    }
    return specs::find(kEverywhere);
}

WhyNotCounted Campaign::whyNotCounted() const {
    return setup_.isElsewhere ? unknownHere : whyNotCountedHere;
}

void Campaign::makePlan() {
    plan_ = planMeasurements(specification_, state_.request, state_.refused, whyNotCounted());
    state_.refused = plan_.refused;
}

std::vector<Run> Campaign::remaining() const {
    std::vector<Measurement> measurements = plan_.measurements;
    std::erase_if(measurements, [this](const Measurement& each) { return hasFailedNow(each); });
    std::vector<Run> runs = remainingRuns(measurements, state_);
    std::erase_if(runs, [this](const Run& each) { return hasFailedNow(each.events); });
    if (runs.empty())
        if (auto more = repetition(measurements)) runs.push_back(std::move(*more));
    chooseRecordings(runs, state_, &areReadByTime);
    return runs;
}

bool Campaign::hasFailedNow(const Measurement& events) const {
    return std::ranges::find(failedNow_, events) != failedNow_.end();
}

std::optional<Run> Campaign::repetition(const std::vector<Measurement>& measurements) const {
    const Request& request = state_.request;
    if (request.within <= 0 || !state_.scripted.empty() || state_.finished.empty()) return std::nullopt;
    const auto variations = variationsOf(folder_, state_);
    for (const Measurement& each : measurements) {
        const std::size_t runs = runsOf(each, state_);
        if (runs < request.most &&
            (runs < 2 || isUncertain(each, variations, specification_, request.within)))
            return anotherRun(each, state_);
    }
    return std::nullopt;
}

std::size_t Campaign::missing() const {
    return remainingRuns(plan_.measurements, state_).size() + state_.scripted.size();
}

void Campaign::prepareFolder() {
    std::error_code error;
    fs::create_directories(folder_, error);
    if (error) throw Error(error.message(), {.file = folder_.string()});
    if (!lock_) lock_.emplace(folder_);
    if (isNew_) replaceEarlier();
    if (isNew_) writeFile(folder_ / kSpecificationFile, specification_.text, Links::Refused);
    saveState(state_, folder_);
}

/// Nothing else is removed, nor written over.
void Campaign::replaceEarlier() {
    const auto earlier = loadState(folder_);
    refuseOthersFiles(folder_, earlier ? &*earlier : nullptr);
    if (earlier) removeCampaign(folder_, *earlier);
}

/// From now on, all that has the run's name is of this campaign.
void Campaign::begin(const Run& run) {
    if (state_.begun == run.name) return removeRun(folder_, run.name);
    requireFree(folder_, run);
    state_.begun = run.name;
    saveState(state_, folder_);
}

void Campaign::prepareRuns() {
    if (!state_.scripted.empty())
        throw Error(fmt::format("{} runs wait in a batch system; see holos campaign --collect",
                                state_.scripted.size()),
                    {.file = folder_.string()});
    prepareFolder();
}

Outcome Campaign::execute(const Run& run) {
    begin(run);
    return campaign::execute(folder_, run, state_.command);
}

void Campaign::prepareScripts(const std::string& text) {
    const fs::path file = folder_ / kTemplateFile;
    if (isNew_ && !setup_.replaces && fs::exists(file) && readTemplate(file) != text)
        throw Error("is another template than that of this campaign, and is not replaced: move it away",
                    {.file = file.string()});
    prepareFolder();
    writeFile(folder_ / kTemplateFile, text, Links::Refused);
}

void Campaign::writeScript(const Run& run) {
    const std::string text = readTemplate(folder_ / kTemplateFile);
    begin(run);
    const auto record = recordCommand(launch::thisProgram(), folder_, run, state_.command);
    writeFile(scriptOf(folder_, run), fillTemplate(text, folder_, run, record), Links::Refused);
    state_.scripted.push_back(run);
    state_.begun.clear();
    saveState(state_, folder_);
}

std::optional<Outcome> Campaign::collect(const Run& run) const {
    return campaign::collect(folder_, run);
}

void Campaign::keep(const Run& run, const Outcome& outcome) {
    std::erase_if(state_.scripted, [&run](const Run& each) { return each.name == run.name; });
    if (state_.begun == run.name) state_.begun.clear();
    if (outcome.kind == Outcome::Kind::Failed) {
        state_.failed.push_back({run, outcome.reason});
        if (outcome.refused.empty() || run.isMultiplexed) failedNow_.push_back(run.events);
    } else {
        state_.finished.push_back(
            {{run.name, outcome.counted, run.isProfile, run.isMultiplexed}, outcome.seconds});
        if (!setup_.keepsTraces) deleteTrace(folder_, run);
    }
    if (!run.isMultiplexed) {  // what cannot be counted beside all others can be counted in a run of its own
        state_.refused.insert(outcome.refused.begin(), outcome.refused.end());
        if (!outcome.refused.empty()) makePlan();
    }
    saveState(state_, folder_);
}

}  // namespace holos::campaign
