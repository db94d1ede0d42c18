// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/timeline/time_grid.h"

#include <cstring>

#include "analyzer/timeline/hostile_numbers.h"

namespace holos::analyzer::timeline {

namespace {

constexpr std::uint64_t kLongestSum = std::uint64_t{1} << 60U;

/// Of equal bins makes one.
void joinEqual(std::vector<TimeSums::Bin>& bins) {
    std::size_t kept = 0;
    for (std::size_t at = 0; at < bins.size(); ++at) {
        if (kept > 0 && bins[kept - 1].bin == bins[at].bin)
            bins[kept - 1].ticks += bins[at].ticks;
        else
            bins[kept++] = bins[at];
    }
    bins.resize(kept);
}

}  // namespace

void TimeSums::add(const TimeGrid& grid, Ticks begin, Ticks end) {
    begin = std::max<Ticks>(begin, 0);
    end = std::min(end, grid.length());
    if (begin >= end) return;
    for (std::size_t bin = grid.binAt(0, begin); begin < end; ++bin) {
        const Ticks stop = std::min(end, grid.edge(0, bin + 1));
        if (stop > begin) bins_.push_back({static_cast<std::uint32_t>(bin), stop - begin});
        begin = std::max(begin, stop);
    }
}

void TimeSums::addSpread(const TimeGrid& grid, Ticks begin, Ticks end, Ticks ticks) {
    begin = std::clamp<Ticks>(begin, 0, grid.length() - 1);
    end = std::clamp<Ticks>(end, begin + 1, grid.length());
    const auto length = static_cast<double>(end - begin);
    Ticks done = 0;
    for (std::size_t bin = grid.binAt(0, begin); done < ticks; ++bin) {
        const Ticks stop = std::min(end, grid.edge(0, bin + 1));
        const auto until =
            stop == end
                ? ticks
                : static_cast<Ticks>(static_cast<double>(ticks) * static_cast<double>(stop - begin) / length);
        if (until > done) bins_.push_back({static_cast<std::uint32_t>(bin), until - done});
        done = std::max(done, until);
        if (stop == end) break;
    }
}

void TimeSums::settle() {
    const auto isEarlier = [](const Bin& a, const Bin& b) { return a.bin < b.bin; };
    if (!std::ranges::is_sorted(bins_, isEarlier)) std::ranges::sort(bins_, isEarlier);
    joinEqual(bins_);
    bins_.shrink_to_fit();
}

void TimeSums::add(const TimeSums& others) {
    bins_.insert(bins_.end(), others.bins_.begin(), others.bins_.end());
    settle();
}

std::string packSums(const TimeGrid& grid, const TimeSums& sums, unsigned finest) {
    std::string bytes(grid.levels() * sizeof(std::uint32_t), '\0');
    std::vector<TimeSums::Bin> bins = sums.bins();
    for (unsigned level = 0; level < grid.levels(); ++level) {
        std::uint32_t before = 0;
        for (const TimeSums::Bin& bin : level < finest ? std::vector<TimeSums::Bin>() : bins) {
            put(bytes, bin.bin - before);
            put(bytes, static_cast<std::uint64_t>(bin.ticks));
            before = bin.bin;
        }
        const auto end = static_cast<std::uint32_t>(bytes.size());
        std::memcpy(bytes.data() + level * sizeof(end), &end, sizeof(end));
        if (level < finest) continue;
        for (TimeSums::Bin& bin : bins) bin.bin /= 2;
        joinEqual(bins);
    }
    return bytes;
}

namespace {

/// The bins of a level from those of the next one.
std::vector<Ticks> refined(const std::vector<Ticks>& coarse, const TimeGrid& grid, unsigned level) {
    std::vector<Ticks> fine(grid.bins(level));
    for (std::size_t bin = 0; bin < coarse.size(); ++bin) {
        const Ticks width = std::max<Ticks>(grid.width(level + 1, bin), 1);
        fine[2 * bin] =
            static_cast<Ticks>(static_cast<__int128>(coarse[bin]) * grid.width(level, 2 * bin) / width);
        fine[2 * bin + 1] = coarse[bin] - fine[2 * bin];
    }
    return fine;
}

}  // namespace

std::vector<Ticks> unpackSums(std::string_view bytes, const TimeGrid& grid, unsigned level) {
    std::vector<Ticks> sums(grid.bins(level));
    const std::size_t head = grid.levels() * sizeof(std::uint32_t);
    if (bytes.size() < head) throw Error("the levels of detail end within a row");
    const auto endOf = [&](unsigned number) {
        std::uint32_t end = 0;
        std::memcpy(&end, bytes.data() + number * sizeof(end), sizeof(end));
        return std::size_t{end};
    };
    const std::size_t begin = level == 0 ? head : endOf(level - 1);
    const std::size_t end = endOf(level);
    if (begin < head || begin > end || end > bytes.size())
        throw Error("the levels of detail have a level outside of its row");
    if (begin == end && level + 1 < grid.levels() && endOf(grid.levels() - 1) > end)
        return refined(unpackSums(bytes, grid, level + 1), grid, level);
    Numbers numbers(bytes.substr(begin, end - begin));
    for (std::uint64_t bin = 0; numbers.left() > 0;) {
        bin += numbers.number(sums.size() - 1);
        if (bin >= sums.size()) throw Error("the levels of detail have a bin after the last one");
        sums[bin] = static_cast<Ticks>(numbers.number(kLongestSum));
    }
    return sums;
}

}  // namespace holos::analyzer::timeline
