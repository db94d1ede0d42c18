// SPDX-License-Identifier: BSD-3-Clause
#include "report/score/filter_choice.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace holos::score {
namespace {

/// Bytes for each second of the program's time that is no longer seen apart.
double bytesPerLostTime(const RegionScore& region) {
    constexpr double kLeast = 1e-9;
    return region.totals.bytes.trace / std::max(region.totals.time, kLeast);
}

/// The program's own first, what leads to MPI, OpenMP or threads last.
int order(RegionKind kind) {
    return kind == RegionKind::User ? 0 : kind == RegionKind::Common ? 2 : 1;
}

bool goesBefore(const RegionScore& a, const RegionScore& b) {
    if (order(a.kind) != order(b.kind)) return order(a.kind) < order(b.kind);
    return bytesPerLostTime(a) > bytesPerLostTime(b);
}

/// A filter has one name for regions of both kinds.
std::vector<RegionScore> candidatesOf(const Score& score) {
    std::vector<RegionScore> candidates;
    for (const RegionScore& region : score.regions) {
        if (!canBeFiltered(region.kind, region.name)) continue;
        const std::string_view name = nameForFilter(region.kind, region.name);
        const auto same = std::ranges::find(candidates, name, &RegionScore::name);
        if (same == candidates.end())
            candidates.push_back({std::string(name), region.kind, region.totals});
        else
            same->totals += region.totals;
    }
    std::ranges::stable_sort(candidates, goesBefore);
    return candidates;
}

/// The shortest beginning of the choice that is enough, where the whole of it is.
void shorten(FilterChoice& choice, double mostBytes, const BytesWithout& bytesWithout) {
    const auto without = [&](std::size_t number) {
        const auto end = choice.excluded.begin() + static_cast<std::ptrdiff_t>(number);
        return bytesWithout({choice.excluded.begin(), end});
    };
    std::size_t tooFew = 0, enough = choice.excluded.size();
    choice.bytesLeft = without(enough);
    choice.isEnough = choice.bytesLeft <= mostBytes;
    while (choice.isEnough && enough - tooFew > 1) {
        const std::size_t middle = tooFew + (enough - tooFew) / 2;
        const double left = without(middle);
        (left <= mostBytes ? enough : tooFew) = middle;
        if (left <= mostBytes) choice.bytesLeft = left;
    }
    if (choice.isEnough) choice.excluded.resize(enough);
}

}  // namespace

FilterChoice chooseFilter(const Score& score, double mostBytes, const BytesWithout& bytesWithout) {
    FilterChoice choice{{}, score.all.bytes.trace, false};
    for (RegionScore& region : candidatesOf(score)) {
        if (choice.bytesLeft <= mostBytes) break;
        choice.bytesLeft -= region.totals.bytes.trace;
        choice.excluded.push_back(std::move(region));
    }
    choice.isEnough = choice.bytesLeft <= mostBytes;
    if (!choice.isEnough) {
        if (bytesWithout && !choice.excluded.empty()) shorten(choice, mostBytes, bytesWithout);
        return choice;
    }
    for (std::size_t i = choice.excluded.size(); i-- > 0;) {
        const double bytes = choice.excluded[i].totals.bytes.trace;
        if (choice.bytesLeft + bytes > mostBytes) continue;
        choice.bytesLeft += bytes;
        choice.excluded.erase(choice.excluded.begin() + static_cast<std::ptrdiff_t>(i));
    }
    return choice;
}

std::string filterPattern(const std::string& name) {
    constexpr std::string_view kSpecial = "*?[]\\";
    const bool isKeyword = name == "EXCLUDE" || name == "INCLUDE" || name == "MANGLED" ||
                           name.starts_with("SCOREP_") || name.starts_with('#');
    std::string pattern = isKeyword ? "\\" : "";
    for (const char c : name) {
        const auto byte = static_cast<unsigned char>(c);
        if (std::iscntrl(byte) != 0) {
            pattern += '?';  // a line's end cannot be written
            continue;
        }
        if (std::isspace(byte) != 0 || kSpecial.find(c) != std::string_view::npos) pattern += '\\';
        pattern += c;
    }
    return pattern;
}

std::string filterText(const FilterChoice& choice) {
    std::string text = "SCOREP_REGION_NAMES_BEGIN\n";
    for (const RegionScore& region : choice.excluded)
        text += "  EXCLUDE " + filterPattern(region.name) + '\n';
    return text + "SCOREP_REGION_NAMES_END\n";
}

}  // namespace holos::score
