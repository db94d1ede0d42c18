// SPDX-License-Identifier: BSD-3-Clause
#include "report/serve/flame.h"

#include <algorithm>
#include <cmath>

namespace holos::serve {

using namespace algebra;

namespace {

/// No picture has room for more; what is left out is counted.
constexpr std::size_t kMostBoxes = 1000;

std::vector<double> sizesOf(const CallTree& tree, const std::vector<double>& own) {
    std::vector<double> sizes(tree.size());
    for (std::size_t at = tree.size(); at-- > 0;) {
        if (std::isfinite(own[at])) sizes[at] += std::fabs(own[at]);
        if (const auto up = tree.parent(CallPathId(at))) sizes[up->index()] += sizes[at];
    }
    return sizes;
}

}  // namespace

Flame flameOf(const CallTree& tree, const std::vector<double>& own, std::optional<CallPathId> top,
              std::size_t pixels) {
    const std::vector<double> sizes = sizesOf(tree, own);
    const std::vector<CallPathId> first = top ? std::vector{*top} : tree.roots();
    Flame flame;
    for (const CallPathId path : first) flame.whole += sizes[path.index()];
    if (!(flame.whole > 0.0)) return flame;
    std::size_t row = 0;
    if (top) {
        std::vector<CallPathId> above;
        for (auto up = tree.parent(*top); up; up = tree.parent(*up)) above.push_back(*up);
        std::ranges::reverse(above);
        for (const CallPathId path : above)
            flame.boxes.push_back({path, row++, 0.0, 1.0, sizes[path.index()]});
    }
    const double narrowest = 1.0 / static_cast<double>(pixels);
    // Row by row, so that where there are too many boxes, the deepest are missing.
    std::vector<FlameBox> open;
    const auto addAll = [&](const std::vector<CallPathId>& siblings, double start, std::size_t at) {
        for (const CallPathId path : siblings) {
            const double size = sizes[path.index()];
            const double width = size / flame.whole;
            if (width >= narrowest)
                open.push_back({path, at, start, width, size});
            else if (size > 0.0)
                ++flame.narrow;
            start += width;
        }
    };
    addAll(first, 0.0, row);
    for (std::size_t next = 0; next < open.size(); ++next) {
        if (flame.boxes.size() >= kMostBoxes) {
            flame.narrow += open.size() - next;
            break;
        }
        const FlameBox box = open[next];
        flame.boxes.push_back(box);
        addAll(tree.children(box.path), box.start, box.row + 1);
    }
    return flame;
}

}  // namespace holos::serve
