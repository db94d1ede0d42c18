// SPDX-License-Identifier: BSD-3-Clause
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "algebra/files/experiment_file.h"
#include "base/error.h"

namespace {

void write(const std::filesystem::path& file, std::string_view bytes) {
    std::ofstream(file, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace

/// A profile of another tool, whichever it begins like: an error, or an experiment whose values have their
/// places. A database of HPCToolkit is its two files one behind the other.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace holos::algebra;
    namespace fs = std::filesystem;
    static const fs::path kFolder = fs::temp_directory_path() / ("holos-fuzz-" + std::to_string(getpid()));
    fs::create_directories(kFolder);
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const std::size_t second = bytes.find("HPCTOOLKITprof");
    const fs::path file = kFolder / (second == std::string_view::npos ? "profile.0.0.0" : "meta.db");
    write(file, bytes.substr(0, second));
    if (second != std::string_view::npos) write(kFolder / "profile.db", bytes.substr(second));
    try {
        const Experiment experiment = readExperiment(file);
        for (const MetricId metric : experiment.metrics.ids())
            if (experiment.severities.table(metric).callPaths() > experiment.callTree.size())
                __builtin_trap();
    } catch (const holos::Error&) {
    }
    fs::remove_all(kFolder);
    return 0;
}
