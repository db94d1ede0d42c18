// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/archive/sampled_code.h"

#include <algorithm>
#include <filesystem>

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
    for (std::size_t i = addresses.size(); i > 0; --i) {
        const Code code = codeAt(process, addresses[i - 1]);
        const auto [number, isNew] = numberOf(contextNumbers_, std::tuple(context, code.region, code.place));
        if (isNew) contexts_.push_back({code.region, code.place, context});
        context = number;
    }
    return context;
}

/// Of files that lay there one after the other it is the last one.
SampledCode::Code SampledCode::codeAt(const RecordedProcess& process, std::uint64_t address) {
    const auto& files = process.loadedFiles;
    const auto file = std::find_if(files.rbegin(), files.rend(), [address](const RecordedFile& one) {
        return one.begin <= address && address < one.end;
    });
    const bool isKnown = file != files.rend();
    const std::string path = !isKnown ? "" : file->path.empty() ? process.executable : file->path;
    const std::uint64_t offset = isKnown ? address - file->begin : 0;
    const auto [at, isNew] = codes_.try_emplace({path, offset});
    if (isNew) at->second = lookUp(path, offset);
    return at->second;
}

SampledCode::Code SampledCode::lookUp(const std::string& file, std::uint64_t offset) {
    const CodePlace found = file.empty() ? CodePlace{} : symbols_.find(file, offset);
    Code code{regionOf(found, file, offset), SampledContext::kNone};
    if (found.line == 0) return code;
    const std::pair line(found.file, found.line);
    const auto [number, isNew] = numberOf(placeNumbers_, line);
    if (isNew) places_.push_back(line);
    code.place = number;
    return code;
}

/// Code without symbols counts for its file as a whole.
std::uint32_t SampledCode::regionOf(const CodePlace& found, const std::string& file, std::uint64_t offset) {
    RecordedRegion region;
    region.role = tracing::Role::Function;
    region.name = !found.function.empty() ? found.function
                  : file.empty()          ? "UNKNOWN CODE"
                                          : std::filesystem::path(file).filename().string();
    region.symbol = found.symbol.empty() ? region.name : found.symbol;
    region.file = file;
    if (!found.function.empty()) {
        const CodePlace begin = symbols_.find(file, offset - found.intoFunction);
        if (!begin.file.empty()) region.file = begin.file;
        region.beginLine = begin.line;
    }
    const auto [number, isNew] =
        numberOf(regionNumbers_, std::tuple(region.symbol, region.file, region.beginLine));
    if (isNew) regions_.push_back(std::move(region));
    return firstRegion_ + number;
}

}  // namespace holos::archive
