// SPDX-License-Identifier: BSD-3-Clause
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "algebra/files/cube3.h"
#include "base/error.h"

/// Whatever the document, packed or not: an error, or an experiment that reads back with the same sizes after
/// it was written.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace holos::algebra;
    static const auto kFile =
        std::filesystem::temp_directory_path() / ("holos-fuzz-" + std::to_string(getpid()) + ".cube");
    std::ofstream(kFile, std::ios::binary)
        .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
    try {
        const Experiment experiment = readCube3(kFile);
        writeCube3(experiment, kFile);
        const Experiment again = readCube3(kFile);
        if (again.callTree.size() != experiment.callTree.size() ||
            again.system.locations.size() != experiment.system.locations.size())
            __builtin_trap();
    } catch (const holos::Error&) {
    }
    std::filesystem::remove(kFile);
    return 0;
}
