// SPDX-License-Identifier: BSD-3-Clause
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "algebra/files/value_reader.h"
#include "base/error.h"

namespace {

using namespace holos::algebra;

/// Six call paths 0(1(2),3), 4(5); two locations with a gap between their columns.
std::shared_ptr<const RowLayout> layout() {
    CallTree tree;
    for (const std::optional<std::size_t> parent :
         std::initializer_list<std::optional<std::size_t>>{{}, 0, 1, 0, {}, 4})
        tree.add(CallPath{.region = RegionId(0)}, parent ? std::optional(CallPathId(*parent)) : std::nullopt);
    return std::make_shared<RowLayout>(tree, std::vector<std::uint64_t>{0, 2});
}

}  // namespace

/// Index and data members: the first byte chooses type and storage, the second where the index ends.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) return 0;
    static const auto kLayout = layout();
    static const auto kFile =
        std::filesystem::temp_directory_path() / ("holos-fuzz-" + std::to_string(getpid()) + ".values");
    std::ofstream(kFile, std::ios::binary)
        .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
    const std::uint64_t split = std::min<std::uint64_t>(data[1], size - 2);
    try {
        const StoredValues values{std::make_shared<const FileReader>(kFile),
                                  kLayout,
                                  TarMember{2, split},
                                  TarMember{2 + split, size - 2 - split},
                                  static_cast<ValueType>(data[0] % 11),
                                  data[0] >= 128 ? Storage::Inclusive : Storage::Exclusive};
        openValues(values)->table();
    } catch (const holos::Error&) {
    }
    std::filesystem::remove(kFile);
    return 0;
}
