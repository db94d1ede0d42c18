// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/process/profile_cells.h"

#include <algorithm>
#include <cstring>

#include "base/input_file.h"
#include "tracing/recordings/format/record.h"

namespace holos::archive {
namespace {

using tracing::profile::CellKind;
using tracing::profile::Node;
using tracing::profile::NodeKind;
using tracing::profile::State;
using tracing::profile::Traffic;
using tracing::profile::Way;

using Words = std::span<const std::uint64_t>;

template <class Cell>
Cell cellAt(Words words) {
    Cell cell;
    std::memcpy(static_cast<void*>(&cell), words.data(), sizeof cell);
    return cell;
}

template <class Cell>
ProfileCells::Counted<Cell> countedAt(Words words) {
    const Words counters = words.subspan(sizeof(Cell) / sizeof(std::uint64_t));
    return {cellAt<Cell>(words), {counters.begin(), counters.end()}};
}

/// Takes the cells of one location, chunk by chunk.
class CellReader {
  public:
    explicit CellReader(std::size_t counters) : counters_(counters) {}

    /// The chunk is not what was written.
    void readDamaged(Words chunk) {
        cells_.isDamaged = true;
        read(chunk);
    }

    void read(Words chunk) {
        for (std::size_t at = 1; at < chunk.size() && chunk[at] != 0;) {
            const auto kind = static_cast<CellKind>(static_cast<std::uint8_t>(chunk[at]));
            const std::size_t words = tracing::profile::cellWords(kind, counters_);
            const bool isKnown = chunk[at] <= static_cast<std::uint64_t>(CellKind::Traffic) && words != 0;
            if (!isKnown || words > chunk.size() - at) {
                cells_.isDamaged = true;
                return;
            }
            take(kind, chunk.subspan(at, words));
            at += words;
        }
    }

    /// Ways may come before the nodes that they lead to, where the latter are in another chunk.
    ProfileCells finish() {
        const auto isThere = [this](std::uint64_t node) { return node < cells_.nodes.size(); };
        const auto drop = [this](auto& from, auto isBad) {
            cells_.isDamaged |= std::erase_if(from, isBad) != 0;
        };
        drop(cells_.ways, [&](const auto& way) {
            const bool isFromAny = way.cell.from == Way::kFromAny;
            if (!isThere(way.cell.to) || way.cell.to == 0 || !(isFromAny || isThere(way.cell.from)))
                return true;
            const std::uint32_t parent = cells_.nodes[way.cell.to].cell.parent;
            return !isFromAny && way.cell.from != parent && cells_.nodes[way.cell.from].cell.parent != parent;
        });
        drop(cells_.traffic, [&](const Traffic& traffic) { return !isThere(traffic.node); });
        if (cells_.state && !isThere(cells_.state->node)) cells_.state->node = 0;
        return std::move(cells_);
    }

  private:
    void take(CellKind kind, Words words) {
        switch (kind) {
            case CellKind::State: {
                cells_.state = cellAt<State>(words);
                const Words reading = words.subspan(words.size() - 2 * counters_, counters_);
                cells_.reading.assign(reading.begin(), reading.end());
                const Words pending = words.subspan(words.size() - counters_);
                cells_.pending.assign(pending.begin(), pending.end());
                return;
            }
            case CellKind::Node:
                return takeNode(countedAt<Node>(words));
            case CellKind::Way:
                cells_.ways.push_back(countedAt<Way>(words));
                return;
            case CellKind::Traffic:
                cells_.traffic.push_back(cellAt<Traffic>(words));
                return;
            case CellKind::End:
                return;
        }
    }

    void takeNode(ProfileCells::Counted<Node> node) {
        const auto number = static_cast<std::uint32_t>(cells_.nodes.size());
        const bool isRoot = node.cell.key.kind == NodeKind::Root;
        const bool hasParent = isRoot ? node.cell.parent == 0 : node.cell.parent < number;
        const bool isInOrder = node.cell.number == number && isRoot == (number == 0) && hasParent &&
                               node.cell.key.kind <= NodeKind::Region;
        if (isInOrder)
            cells_.nodes.push_back(std::move(node));
        else
            cells_.isDamaged = true;
    }

    std::size_t counters_;
    ProfileCells cells_;
};

}  // namespace

std::vector<std::uint32_t> ProfileCells::open() const {
    std::vector<std::uint32_t> found;
    if (!isUsable()) return found;
    for (auto node = static_cast<std::uint32_t>(state->node); node != 0; node = nodes[node].cell.parent)
        found.push_back(node);
    std::ranges::reverse(found);
    return found;
}

ProfileCells readProfileCells(const RecordedProcess& process, std::uint32_t location, std::size_t counters) {
    return readProfileCells(process.eventFile(), process.chunksOf(location | tracing::kTableBit), counters);
}

ProfileCells readProfileCells(const std::filesystem::path& events, std::span<const ChunkPlace> chunks,
                              std::size_t counters) {
    CellReader reader(counters);
    const Descriptor file = openRegular(events);
    std::vector<std::uint64_t> words;
    for (const ChunkPlace& chunk : chunks) {
        words.assign(chunk.bytes / sizeof(std::uint64_t), 0);
        readAt(file, words.data(), chunk.bytes, chunk.offset);
        const bool isWhole =
            !chunk.proof || tracing::sumOfSomeWords(words.data() + 1, chunk.proof->words) == chunk.proof->sum;
        isWhole ? reader.read(words) : reader.readDamaged(words);
    }
    return reader.finish();
}

bool hasProfile(const RecordedProcess& process) {
    return std::ranges::any_of(process.chunks, [](const auto& chunks) {
        return (chunks.first & tracing::kTableBit) != 0 && !chunks.second.empty();
    });
}

}  // namespace holos::archive
