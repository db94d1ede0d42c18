// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/code_names/region_names.h"

#include <filesystem>

#include "base/function_name.h"
#include "tracing/recordings/archive/code_names/openmp_source.h"

namespace holos::archive {
namespace {

std::string fileName(const std::string& path) {
    return std::filesystem::path(path).filename().string();
}

/// With what compilers added to it, so that two places of one function stay two.
std::string nameWithOffset(const code::CodePlace& place) {
    const std::string name = place.symbol.empty() ? place.function : demangled(place.symbol);
    return place.intoFunction != 0 ? name + '+' + hexadecimal(place.intoFunction) : name;
}

}  // namespace

void resolve(RecordedRegion& region, code::Symbols& symbols) {
    if (region.object.empty()) return;
    const code::CodePlace found = symbols.find(region.object, region.offset);
    if (!found.file.empty()) {
        region.file = found.file;
        region.beginLine = region.endLine = found.line;
    }
    if (region.paradigm == tracing::Paradigm::OpenMp) {
        correctFromSource(region, found.isOutlinedBody,
                          [&] { return symbols.around(region.object, region.offset); });
        if (found.line != 0)
            region.name += " @" + fileName(found.file) + ':' + std::to_string(region.beginLine);
        else if (found.isNamed)
            region.name += " @" + nameWithOffset(found);
        else
            region.name += " @" + fileName(region.object) + '+' + hexadecimal(found.address);
    } else if (!found.function.empty()) {
        region.name = found.function;
        region.symbol = found.symbol.empty() ? found.function : found.symbol;
        if (!found.definedIn.empty()) {
            region.file = found.definedIn;
            region.beginLine = region.endLine = found.definedAt;
        } else if (region.file.empty()) {
            region.file = region.object;
        }
    }
    region.object.clear();
    region.offset = 0;
}

}  // namespace holos::archive
