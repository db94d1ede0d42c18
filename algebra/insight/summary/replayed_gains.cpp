// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/summary/replayed_gains.h"

#include <sstream>

#include "algebra/model/number_lines.h"
#include "base/function_name.h"

namespace holos::algebra {

namespace {

/// The member of `Experiment::files`: for each gain a line of kind and seconds, one of the condition and one
/// of the call path. Names have no line ends.
constexpr const char* kGainsFile = "holos.gains";

std::string oneLine(std::string text) {
    for (char& letter : text)
        if (letter == '\n') letter = ' ';
    return text;
}

}  // namespace

std::string keyOf(const Experiment& experiment, std::optional<CallPathId> path) {
    std::string key;
    for (; path; path = experiment.callTree.parent(*path))
        key = '/' + folded(experiment.regionOf(*path).name, Folding::All) + key;
    return oneLine(key);
}

void keepReplayedGains(const std::vector<ReplayedGain>& gains, Experiment& experiment) {
    std::string text;
    for (const ReplayedGain& gain : gains)
        text += textOf({gain.kind, {gain.seconds}}) + oneLine(gain.condition) + '\n' + gain.path + '\n';
    experiment.files[kGainsFile] = text;
}

std::vector<ReplayedGain> replayedGainsOf(const Experiment& experiment) {
    std::vector<ReplayedGain> gains;
    const auto file = experiment.files.find(kGainsFile);
    if (file == experiment.files.end()) return gains;
    std::istringstream lines(file->second);
    for (std::string first, condition, path;
         std::getline(lines, first) && std::getline(lines, condition) && std::getline(lines, path);)
        if (const auto line = numberLineIn(first); line && line->numbers.size() == 1)
            gains.push_back({line->name, path, condition, line->numbers.front()});
    return gains;
}

}  // namespace holos::algebra
