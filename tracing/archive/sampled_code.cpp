// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/archive/sampled_code.h"

#include <algorithm>
#include <filesystem>

#include "base/function_name.h"
#include "tracing/archive/unnamed_functions.h"

namespace holos::archive {
namespace {

template <class Key>
std::pair<std::uint32_t, bool> numberOf(std::map<Key, std::uint32_t>& numbers, Key key) {
    const auto next = static_cast<std::uint32_t>(numbers.size());
    const auto [at, isNew] = numbers.try_emplace(std::move(key), next);
    return {at->second, isNew};
}

}  // namespace

std::uint32_t SampledCode::contextOf(const RecordedProcess& process,
                                     std::span<const std::uint64_t> addresses) {
    const std::scoped_lock lock(mutex_);
    std::uint32_t context = SampledContext::kNone;
    for (std::size_t i = addresses.size(); i > 0; --i)
        for (const Code& code : codeAt(process, addresses[i - 1])) {
            const auto [number, isNew] =
                numberOf(contextNumbers_, std::tuple(context, code.region, code.place));
            if (isNew) contexts_.push_back({code.region, code.place, context});
            context = number;
        }
    return context;
}

/// Of files that lay there one after the other it is the last one.
const std::vector<SampledCode::Code>& SampledCode::codeAt(const RecordedProcess& process,
                                                          std::uint64_t address) {
    const auto& files = process.loadedFiles;
    const auto file = std::find_if(files.rbegin(), files.rend(), [address](const RecordedFile& one) {
        return one.begin <= address && address < one.end;
    });
    const bool isKnown = file != files.rend();
    const std::string path = !isKnown ? "" : file->path.empty() ? process.executable : file->path;
    const std::uint64_t offset = isKnown ? address - file->begin : 0;
    const auto [at, isNew] = codes_[path].try_emplace(offset);
    if (isNew) at->second = lookUp(path, offset);
    return at->second;
}

/// Functions that were inlined are called by those that they are in.
std::vector<SampledCode::Code> SampledCode::lookUp(const std::string& file, std::uint64_t offset) {
    std::vector<CodePlace> places(1);
    if (!file.empty()) places = symbols_.inlinedAt(file, offset);
    std::vector<Code> codes;
    for (auto place = places.rbegin(); place != places.rend(); ++place)
        codes.push_back({regionOf(*place, file), lineOf(*place)});
    return codes;
}

std::uint32_t SampledCode::lineOf(const CodePlace& place) {
    if (place.line == 0) return SampledContext::kNone;
    const std::pair line(place.file, place.line);
    const auto [number, isNew] = numberOf(placeNumbers_, line);
    if (isNew) places_.push_back(line);
    return number;
}

/// Code of which not even the function's begin is known counts for its file as a whole.
std::uint32_t SampledCode::regionOf(const CodePlace& found, const std::string& file) {
    RecordedRegion region;
    region.role = tracing::Role::Function;
    region.name = found.isOutlinedBody      ? demangled(found.symbol)
                  : !found.function.empty() ? found.function
                  : file.empty()            ? "UNKNOWN CODE"
                                            : std::filesystem::path(file).filename().string();
    region.symbol = found.isNamed && !found.isOutlinedBody ? withoutCopy(found.symbol) : region.name;
    region.file = found.definedIn.empty() ? file : found.definedIn;
    region.beginLine = found.definedAt;
    const auto [number, isNew] =
        numberOf(regionNumbers_, std::tuple(region.name, region.file, region.beginLine));
    if (isNew && !found.isNamed && !file.empty()) ++unnamed_[file];
    if (isNew) regions_.push_back(std::move(region));
    return firstRegion_ + number;
}

std::string SampledCode::howToName() const {
    return howToNameFunctions(unnamed_, regions_.size());
}

}  // namespace holos::archive
