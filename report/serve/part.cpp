// SPDX-License-Identifier: BSD-3-Clause
#include "report/serve/part.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "algebra/model/source_lines.h"
#include "algebra/operators/only.h"
#include "algebra/operators/rows/regroup.h"
#include "base/error.h"
#include "report/serve/server.h"

namespace holos::serve {

using namespace algebra;

namespace {

constexpr std::size_t kMostNamed = 256;

struct NamesOfPart {
    std::string_view word;
    std::vector<std::string> Part::*list;
    bool isRow;  ///< names are keys of rows, which stay escaped
    const char* before;
    const char* after = "";
};
constexpr std::array<NamesOfPart, 4> kNames{
    {{"only-system", &Part::places, true, ""},
     {"only-call", &Part::callPaths, true, "in "},
     {"only-region", &Part::regions, false, "calls of ", " (without callees)"},
     {"only-kind", &Part::kinds, false, "calls that belong to ", " (without other callees)"}}};

[[noreturn]] void refuse(std::string_view word) {
    throw Error("part: not understood: '" + std::string(word) + "'");
}

double secondsIn(std::string_view text, std::string_view word) {
    double seconds = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(seconds)) refuse(word);
    return seconds;
}

Part::Range rangeIn(std::string_view text, std::string_view word) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) refuse(word);
    const Part::Range range{secondsIn(text.substr(0, colon), word), secondsIn(text.substr(colon + 1), word)};
    if (range.from < 0.0 || range.from >= range.to) refuse(word);
    return range;
}

std::string exactly(double seconds) {
    std::array<char, 32> text{};
    const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), seconds);
    return {text.data(), end};
}

/// `node 1 / MPI Rank 1`; of long keys the end.
std::string rowText(std::string_view key) {
    const std::size_t last = key.rfind('/');
    const std::size_t begin =
        last == std::string_view::npos || last == 0 ? std::string_view::npos : key.rfind('/', last - 1);
    std::string text = begin == std::string_view::npos ? "" : "… / ";
    for (const char each : key.substr(begin == std::string_view::npos ? 0 : begin + 1))
        text += each == '/' ? std::string(" / ") : std::string(1, each);
    return unescaped(text).value_or(text);
}

std::size_t nodeOf(const ShownExperiment& shown, Tree tree, const std::string& key) {
    const auto node = shown.withKey(tree, key);
    if (!node) throw Error("this part of the run has no " + unescaped(key).value_or(key));
    return *node;
}

std::vector<bool> locationsIn(const ShownExperiment& shown, const std::vector<std::string>& places) {
    const SystemTree& system = shown.experiment().system;
    std::vector<bool> isIn(shown.nodes(Tree::System), false);
    for (const std::string& place : places) isIn[nodeOf(shown, Tree::System, place)] = true;
    const std::size_t first = isIn.size() - system.locations.size();
    std::vector<bool> locations(system.locations.size());
    for (std::size_t at = 0; at < locations.size(); ++at)
        for (std::optional up = first + at; up; up = shown.parentOf(Tree::System, *up))
            if (isIn[*up]) locations[at] = true;
    return locations;
}

bool hasName(const std::vector<std::string>& names, const std::string& name) {
    return names.empty() || std::ranges::find(names, name) != names.end();
}

std::vector<bool> callPathsIn(const ShownExperiment& shown, const Part& part) {
    const Experiment& experiment = shown.experiment();
    const CallTree& tree = experiment.callTree;
    std::vector<bool> isIn(tree.size(), part.callPaths.empty());
    for (const std::string& key : part.callPaths) isIn[nodeOf(shown, Tree::Calls, key)] = true;
    for (const CallPathId path : tree.ids())
        if (const auto above = tree.parent(path); above && isIn[above->index()]) isIn[path.index()] = true;
    for (const CallPathId path : tree.ids()) {
        const Region& region = experiment.regionOf(path);
        if (!hasName(part.regions, region.name) || !hasName(part.kinds, belongingOf(region)))
            isIn[path.index()] = false;
    }
    return isIn;
}

}  // namespace

Part partFrom(std::string_view words) {
    Part part;
    std::size_t count = 0;
    while (!words.empty()) {
        const std::string_view word = words.substr(0, words.find(','));
        words.remove_prefix(std::min(word.size() + 1, words.size()));
        const std::size_t equals = std::min(word.find('='), word.size());
        const std::string_view value = word.substr(std::min(equals + 1, word.size()));
        if (value.empty() || ++count > kMostNamed) refuse(word);
        if (word.substr(0, equals) == "range") {
            part.range = rangeIn(value, word);
            continue;
        }
        const auto known = std::ranges::find(kNames, word.substr(0, equals), &NamesOfPart::word);
        const auto name = unescaped(value);
        if (known == kNames.end() || !name) refuse(word);
        (part.*known->list).push_back(known->isRow ? std::string(value) : *name);
    }
    return part;
}

std::string wordsOf(const Part& part) {
    std::string words;
    const auto add = [&words](const std::string& word) { words += (words.empty() ? "" : ",") + word; };
    if (part.range) add("range=" + exactly(part.range->from) + ':' + exactly(part.range->to));
    for (const NamesOfPart& names : kNames)
        for (const std::string& name : part.*names.list)
            add(std::string(names.word) + '=' + (names.isRow ? name : escaped(name)));
    return words;
}

std::string textOf(const Part& part) {
    std::string text;
    const auto add = [&text](const std::string& one) { text += (text.empty() ? "" : ", ") + one; };
    if (part.range) add(exactly(part.range->from) + " s to " + exactly(part.range->to) + " s");
    for (const NamesOfPart& names : kNames)
        for (const std::string& name : part.*names.list)
            add(names.before + (names.isRow ? rowText(name) : name) + names.after);
    return text;
}

ExperimentPtr partOf(const ShownExperiment& whole, const Part& part) {
    if (!part.isOfTrees()) return whole.shared();
    Part named = part;
    named.range.reset();
    Only only;
    only.name = textOf(named);
    if (!part.places.empty()) only.locations = locationsIn(whole, part.places);
    named.places.clear();
    if (named.isOfTrees()) only.callPaths = callPathsIn(whole, part);
    return std::make_shared<const Experiment>(algebra::only(copyOf(whole.experiment()), only));
}

}  // namespace holos::serve
