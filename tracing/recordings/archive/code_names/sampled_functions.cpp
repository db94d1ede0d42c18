// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/code_names/sampled_functions.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "base/json.h"
#include "tracing/code/debug/debug_files.h"
#include "tracing/code/symbols.h"

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

std::string instructionsText(const SampledInstructions& all) {
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

namespace {

bool isCalled(const std::string& function, const std::string& name) {
    return function == name || function.substr(0, function.find('(')) == name;
}

/// Why the code of a file is not that which was sampled; empty where it is, as far as anybody knows.
std::string whyNot(const SampledFile& file) {
    const auto here = code::buildIdOf(file.path);
    if (!here) return file.path + " is not here: its functions are not known";
    if (!file.buildId.empty() && *here != file.buildId)
        return file.path + " is another build than the one that was sampled: its functions are not known";
    return {};
}

class Listing {
  public:
    Listing(const SampledFile& file, const std::string& name, SampledFunctions& all)
        : file_(file), name_(name), all_(all) {}

    void add() {
        std::map<std::uint64_t, bool> isOfName;  ///< by where functions begin
        for (const auto& [offset, count] : file_.samples) {
            const auto places = symbols_.inlinedAt(file_.path, offset);
            const std::uint64_t begin = symbols_.beginOf(file_.path, offset).value_or(offset);
            const bool isIt = std::ranges::any_of(
                places, [this](const code::CodePlace& place) { return isCalled(place.function, name_); });
            isOfName[begin] |= isIt;
        }
        for (const auto& [begin, isIt] : isOfName)
            if (isIt) addFunction(begin);
    }

  private:
    void addFunction(std::uint64_t begin) {
        const auto lines = symbols_.instructionsFrom(file_.path, begin);
        const code::CodePlace outer = symbols_.inlinedAt(file_.path, begin).back();
        const std::string name =
            outer.function + (outer.isOutlinedBody ? ", body of an OpenMP construct" : "");
        if (lines.empty()) {
            const std::string why =
                name + " of " + file_.path + ": its machine code cannot be read (known is that of x86-64)";
            if (std::ranges::find(all_.notes, why) == all_.notes.end()) all_.notes.push_back(why);
            return;
        }
        SampledFunction function{.name = name, .file = file_.path, .instructions = {}};
        for (const auto& [offset, size, text] : lines) {
            const auto place = symbols_.inlinedAt(file_.path, offset).front();
            SampledInstruction one{place.address, text, place.file, place.line, 0};
            // A call has the samples of its last byte.
            for (auto at = file_.samples.lower_bound(offset);
                 at != file_.samples.end() && at->first < offset + size; ++at)
                one.samples += at->second;
            function.samples += one.samples;
            function.instructions.push_back(std::move(one));
        }
        all_.found.push_back(std::move(function));
    }

    const SampledFile& file_;
    const std::string& name_;
    SampledFunctions& all_;
    code::Symbols symbols_;
};

}  // namespace

SampledFunctions sampledFunctions(const SampledInstructions& samples, const std::string& name) {
    SampledFunctions all;
    for (const SampledFile& file : samples) {
        all.samples = std::accumulate(file.samples.begin(), file.samples.end(), all.samples,
                                      [](std::uint64_t sum, const auto& one) { return sum + one.second; });
        if (std::string why = whyNot(file); !why.empty())
            all.notes.push_back(std::move(why));
        else
            Listing(file, name, all).add();
    }
    std::ranges::stable_sort(all.found, std::greater(), &SampledFunction::samples);
    return all;
}

}  // namespace holos::archive
