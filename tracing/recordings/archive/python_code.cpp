// SPDX-License-Identifier: BSD-3-Clause
// Functions of Python in call paths and samples.
#include <filesystem>

#include "tracing/recordings/archive/sampled_code.h"
#include "tracing/recordings/format/python_call.h"

namespace holos::archive {
namespace {

namespace fs = std::filesystem;

/// As people call a module: a package by its folder, as all of them have an `__init__.py`.
std::string moduleOf(const fs::path& file) {
    const bool isPackage = file.filename() == "__init__.py" && file.has_parent_path();
    const std::string folder = isPackage ? file.parent_path().filename().string() : "";
    return folder.empty() ? file.filename().string() : folder + '/' + file.filename().string();
}

}  // namespace

const SampledCode::Instruction& SampledCode::pythonCodeOf(const RecordedProcess& process,
                                                          std::uint64_t call) {
    const auto [at, isNew] = pythonCodes_.try_emplace({&process, call});
    if (!isNew) return at->second;
    const auto [number, line] = tracing::stacks::python::pythonCall(call);
    RecordedRegion region;
    region.role = tracing::Role::Function;
    const auto found = process.pythonFunctions.find(number);
    if (found == process.pythonFunctions.end()) {
        region.name = "UNKNOWN CODE";
    } else {
        region.name = moduleOf(found->second.file) + ':' + found->second.name;
        region.file = found->second.file;
        region.beginLine = found->second.firstLine;
    }
    region.symbol = region.name;
    Code code{numberOfRegion(region), SampledContext::kNone};
    if (line != 0 && !region.file.empty()) code.place = numberOfPlace(region.file, line);
    at->second.functions = {code};
    return at->second;
}

}  // namespace holos::archive
