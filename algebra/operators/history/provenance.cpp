// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/history/provenance.h"

#include "algebra/operators/history/metric_names.h"
#include "base/error.h"
#include "base/json.h"

namespace holos::algebra {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLongestProvenance = 64 * 1024;
constexpr std::size_t kDeepest = 64;

Json jsonOf(const Provenance& provenance, std::size_t depth) {
    Json options = Json::object();
    for (const auto& [name, value] : provenance.options) options[name] = value;
    Json inputs = Json::array();
    for (const Provenance::Input& input : provenance.inputs) {
        Json each{{"file", input.name}};
        if (!input.origin.empty() && depth > 0) each["from"] = jsonOf(input.origin.front(), depth - 1);
        inputs.push_back(std::move(each));
    }
    Json json{{"operation", provenance.operation}};  // both first: base/made_by.h finds them there
    if (!provenance.run.empty()) json["run"] = provenance.run;
    json["version"] = provenance.version;
    json["options"] = std::move(options);
    json["inputs"] = std::move(inputs);
    return json;
}

Provenance provenanceFrom(const Json& json, std::size_t depth) {
    Provenance found;
    found.operation = json.at("operation").get<std::string>();
    found.version = json.at("version").get<std::string>();
    found.run = json.value("run", std::string());
    for (const auto& [name, value] : json.at("options").items())
        found.options.emplace_back(name, value.get<std::string>());
    for (const Json& each : json.at("inputs")) {
        Provenance::Input input{each.at("file").get<std::string>(), {}};
        if (each.contains("from") && depth > 0)
            input.origin.push_back(provenanceFrom(each.at("from"), depth - 1));
        found.inputs.push_back(std::move(input));
    }
    return found;
}

std::string provenanceText(const Provenance& provenance, std::size_t depth) {
    return jsonOf(provenance, depth).dump(-1, ' ', true, Json::error_handler_t::replace);
}

}  // namespace

std::optional<Provenance> provenanceOf(const Experiment& experiment) {
    const auto text = attribute(experiment.attributes, kProvenanceAttribute);
    if (!text || text->size() > kLongestProvenance) return std::nullopt;
    try {
        return provenanceFrom(parseJson<Json>(*text), kDeepest);
    } catch (const Json::exception&) {
        return std::nullopt;
    } catch (const Error&) {
        return std::nullopt;
    }
}

void setProvenance(Experiment& experiment, const Provenance& provenance) {
    std::size_t depth = kDeepest;
    std::string text = provenanceText(provenance, depth);
    while (text.size() > kLongestProvenance && depth > 0) text = provenanceText(provenance, depth /= 2);
    // What is still too long has too many inputs for an attribute.
    setAttribute(experiment.attributes, kProvenanceAttribute, text.size() > kLongestProvenance ? "" : text);
}

}  // namespace holos::algebra
