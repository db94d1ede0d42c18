// SPDX-License-Identifier: BSD-3-Clause
#include "base/suggest.h"

#include <algorithm>

#include "base/text.h"

namespace holos {
namespace {

/// Longer names are not compared: nobody misspells a name of this length by hand, and the time stays bounded.
constexpr std::size_t kLongestCompared = 80;
constexpr std::size_t kMostCandidates = 5000;

/// Optimal string alignment distance, without regard to letter case.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before(b.size() + 1);
    std::vector<std::size_t> last(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const bool same = lowerCase(a[i - 1]) == lowerCase(b[j - 1]);
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
            const bool swapped = i > 1 && j > 1 && lowerCase(a[i - 1]) == lowerCase(b[j - 2]) &&
                                 lowerCase(a[i - 2]) == lowerCase(b[j - 1]);
            if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
        }
        std::swap(before, last);
        std::swap(last, row);
    }
    return last[b.size()];
}

}  // namespace

std::string nearest(std::string_view name, const std::vector<std::string>& candidates) {
    if (name.empty() || name.size() > kLongestCompared) return {};
    std::size_t best = std::max<std::size_t>(1, name.size() / 3) + 1;
    std::string found;
    const std::size_t count = std::min(candidates.size(), kMostCandidates);
    for (std::size_t i = 0; i < count; ++i) {
        const std::string& candidate = candidates[i];
        const std::size_t longer = std::max(candidate.size(), name.size());
        if (longer - std::min(candidate.size(), name.size()) >= best) continue;
        const std::size_t apart = distance(name, candidate);
        if (apart < best && candidate != name) {
            best = apart;
            found = candidate;
        }
    }
    return found;
}

std::string didYouMean(std::string_view name, const std::vector<std::string>& candidates) {
    const std::string near = nearest(name, candidates);
    return near.empty() ? std::string() : "; did you mean '" + near + "'?";
}

}  // namespace holos
