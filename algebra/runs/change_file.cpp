// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/runs/change_file.h"

#include "algebra/operators/history/provenance.h"
#include "base/error.h"
#include "base/json.h"

namespace holos::algebra {

namespace {

/// The member of `Experiment::files` with the text.
constexpr const char* kChangeFile = "holos.change";

bool hasSentences(const nlohmann::ordered_json& change) {
    const auto sentences = change.find("sentences");
    if (sentences == change.end() || !sentences->is_array()) return false;
    for (const auto& sentence : *sentences)
        if (!sentence.is_string()) return false;
    return true;
}

}  // namespace

nlohmann::ordered_json objectOf(const Change& change) {
    nlohmann::ordered_json object{
        {"sentences", change.sentences},
        {"first", {{"name", change.first}, {"runs", change.firstRuns}, {"seconds", change.seconds.first}}},
        {"second",
         {{"name", change.second}, {"runs", change.secondRuns}, {"seconds", change.seconds.second}}},
        {"difference", change.seconds.difference()},
        {"error95", orNull(change.seconds.error)},
        {"mayBeChance", change.seconds.error ? nlohmann::ordered_json(change.seconds.isWithinError())
                                             : nlohmann::ordered_json()},
        {"forProcessors", change.forProcessors},
        {"places", nlohmann::ordered_json::array()}};
    for (const ChangedPlace& place : change.places)
        object["places"].push_back({{"where", place.where},
                                    {"seconds", place.seconds},
                                    {"error95", orNull(place.error)},
                                    {"why", place.why}});
    return object;
}

void keepChange(const Change& change, Experiment& difference) {
    difference.files[kChangeFile] = jsonText(objectOf(change), 1);
}

std::optional<nlohmann::ordered_json> changeIn(const Experiment& difference) try {
    const auto made = provenanceOf(difference);
    const auto file = difference.files.find(kChangeFile);
    if (!made || made->operation != "diff" || file == difference.files.end()) return std::nullopt;
    auto change = parseJson<nlohmann::ordered_json>(file->second);
    return change.is_object() && hasSentences(change) ? std::optional(std::move(change)) : std::nullopt;
} catch (const Error&) {  // what somebody else wrote there
    return std::nullopt;
}

}  // namespace holos::algebra
