// SPDX-License-Identifier: BSD-3-Clause
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "algebra/files/cubex.h"
#include "algebra/model/queries.h"
#include "base/error.h"

/// The whole container: tar headers, anchor, indices and values.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace holos::algebra;
    static const auto kFile =
        std::filesystem::temp_directory_path() / ("holos-fuzz-" + std::to_string(getpid()) + ".cubex");
    std::ofstream(kFile, std::ios::binary)
        .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
    try {
        const Experiment experiment = readCubex(kFile);
        for (const MetricId id : experiment.metrics.ids()) perLocation(experiment, {id});
    } catch (const holos::Error&) {
    }
    std::filesystem::remove(kFile);
    return 0;
}
