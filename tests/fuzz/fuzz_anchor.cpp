// SPDX-License-Identifier: BSD-3-Clause
#include <cstddef>
#include <cstdint>
#include <string>

#include "algebra/files/anchor.h"
#include "base/error.h"

/// Whatever the text: an error, or an anchor that reads back with the same sizes after it was written.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace holos::algebra;
    Anchor anchor;
    try {
        anchor = readAnchor(std::string(reinterpret_cast<const char*>(data), size), "fuzz.cubex");
    } catch (const holos::Error&) {
        return 0;
    }
    const Anchor again = readAnchor(writeAnchor(anchor.experiment), "again.cubex");
    if (again.experiment.metrics.size() != anchor.experiment.metrics.size() ||
        again.experiment.callTree.size() != anchor.experiment.callTree.size() ||
        again.experiment.system.locations.size() != anchor.experiment.system.locations.size())
        __builtin_trap();
    return 0;
}
