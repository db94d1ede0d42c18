// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/code_names/sampled_instructions.h"

#include "base/error.h"
#include "base/json.h"

namespace holos::archive {
namespace {

SampledFile fileOf(const nlohmann::json& object) {
    SampledFile file{.path = object.at("path").get<std::string>(),
                     .buildId = object.at("buildId").get<std::string>()};
    for (const auto& one : object.at("samples"))
        file.samples[one.at(0).get<std::uint64_t>()] += one.at(1).get<std::uint64_t>();
    return file;
}

}  // namespace

std::string textOf(const SampledInstructions& all) {
    nlohmann::ordered_json files = nlohmann::ordered_json::array();
    for (const SampledFile& file : all) {
        nlohmann::ordered_json samples = nlohmann::ordered_json::array();
        for (const auto& [offset, count] : file.samples)
            samples.push_back(nlohmann::ordered_json::array({offset, count}));
        files.push_back({{"path", file.path}, {"buildId", file.buildId}, {"samples", samples}});
    }
    return jsonText(nlohmann::ordered_json{{"files", files}}) + '\n';
}

SampledInstructions readSampledInstructions(const std::filesystem::path& file) {
    std::error_code none;
    if (!std::filesystem::is_regular_file(file, none)) return {};
    SampledInstructions all;
    const auto text = readJson(file);
    try {
        for (const auto& object : text.at("files")) all.push_back(fileOf(object));
    } catch (const nlohmann::json::exception&) {
        throw Error("is no list of sampled instructions", Place{.file = file.string()});
    }
    return all;
}

}  // namespace holos::archive
