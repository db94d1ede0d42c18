// SPDX-License-Identifier: BSD-3-Clause
#include "tests/unit/tracing/raw_table.h"

#include <algorithm>
#include <fstream>

#include "tracing/recordings/format/record.h"

namespace holos::testing {

std::uint64_t* RawTable::more(void* owner, std::size_t least, std::size_t& words) noexcept {
    constexpr std::size_t kStep = 4;
    auto& chunks = static_cast<RawTable*>(owner)->chunks_;
    std::size_t bytes =
        chunks.empty() ? tracing::kUnitBytes : kStep * chunks.back().size() * sizeof(std::uint64_t);
    bytes = std::min(bytes, tracing::kChunkBytes);
    while (bytes < (least + 1) * sizeof(std::uint64_t)) bytes *= kStep;
    auto& chunk = chunks.emplace_back(bytes / sizeof(std::uint64_t), 0);
    chunk[0] = tracing::chunkHead(tracing::kTableBit, bytes);
    words = chunk.size() - 1;
    return chunk.data() + 1;
}

void RawTable::write(const std::filesystem::path& folder) const {
    const std::filesystem::path file = folder / "events";
    std::ofstream(file, std::ios::binary | std::ios::app).flush();
    std::fstream out(file, std::ios::binary | std::ios::in | std::ios::out);
    for (const auto& chunk : chunks_)
        out.write(reinterpret_cast<const char*>(chunk.data()),
                  static_cast<std::streamsize>(chunk.size() * sizeof chunk[0]));
}

}  // namespace holos::testing
