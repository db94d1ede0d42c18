// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/flame_graph.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

namespace holos::gui {

using algebra::CallPathId;

FlameGraph::FlameGraph(const algebra::CallTree& tree, const std::vector<double>& own)
    : tree_(&tree), sizes_(tree.size()), depths_(tree.size()) {
    for (std::size_t at = 0; at < tree.size(); ++at)
        if (std::isfinite(own[at])) sizes_[at] = std::abs(own[at]);
    // Callers stand before those whom they call.
    for (std::size_t at = tree.size(); at-- > 0;)
        if (const auto up = tree.parent(CallPathId(at))) sizes_[up->index()] += sizes_[at];
    for (const CallPathId path : tree.ids())
        if (const auto up = tree.parent(path)) depths_[path.index()] = depths_[up->index()] + 1;
    zoom(std::nullopt);
}

double FlameGraph::whole() const {
    if (tree_ == nullptr) return 0.0;
    if (top_) return sizeOf(*top_);
    double sum = 0.0;
    for (const CallPathId root : tree_->roots()) sum += sizeOf(root);
    return sum;
}

void FlameGraph::add(CallPathId path, double start, double width) {
    const auto row = static_cast<std::size_t>(rowOf(path));
    if (rows_.size() <= row) rows_.resize(row + 1);
    places_[path.index()] = static_cast<int>(rows_[row].size());
    rows_[row].push_back({path, start, width});
}

void FlameGraph::zoom(std::optional<CallPathId> top) {
    if (tree_ == nullptr) return;
    top_ = top && sizeOf(*top) > 0.0 ? top : std::nullopt;
    rows_.clear();
    places_.assign(tree_->size(), -1);
    if (!(whole() > 0.0)) return;
    if (!top_) return place(tree_->roots(), 0.0, 1.0 / whole());
    for (std::optional<CallPathId> at = top_; at; at = tree_->parent(*at)) add(*at, 0.0, 1.0);
    place(tree_->children(*top_), 0.0, 1.0 / whole());
}

/// With everything below them.
void FlameGraph::place(const std::vector<CallPathId>& siblings, double start, double scale) {
    struct Open {
        CallPathId path;
        double start;
    };
    std::vector<Open> open;
    const auto push = [&](const std::vector<CallPathId>& paths, double from) {
        const std::size_t first = open.size();
        for (const CallPathId path : paths) {
            if (!(sizeOf(path) > 0.0)) continue;
            open.push_back({path, from});
            from += sizeOf(path) * scale;
        }
        std::reverse(open.begin() + static_cast<std::ptrdiff_t>(first), open.end());
    };
    push(siblings, start);
    while (!open.empty()) {
        const Open next = open.back();
        open.pop_back();
        add(next.path, next.start, sizeOf(next.path) * scale);
        push(tree_->children(next.path), next.start);
    }
}

std::vector<FlameGraph::Piece> FlameGraph::pieces(int row, int pixels) const {
    const auto pixelAt = [pixels](double place) {
        return std::clamp(static_cast<int>(std::ceil(place * pixels - 0.5)), 0, pixels);
    };
    std::vector<Piece> pieces;
    for (const Box& box : this->row(row)) {
        const Piece piece{box.path, pixelAt(box.start), pixelAt(box.start + box.width)};
        if (piece.left < piece.right) pieces.push_back(piece);
    }
    return pieces;
}

std::optional<FlameGraph::Box> FlameGraph::boxOf(CallPathId path) const {
    if (tree_ == nullptr || places_[path.index()] < 0) return std::nullopt;
    return row(rowOf(path))[static_cast<std::size_t>(places_[path.index()])];
}

std::optional<CallPathId> FlameGraph::at(int row, double place) const {
    if (row < 0 || row >= rows()) return std::nullopt;
    const std::vector<Box>& boxes = this->row(row);
    const auto after = std::ranges::upper_bound(boxes, place, {}, &Box::start);
    if (after == boxes.begin()) return std::nullopt;
    const Box& box = *std::prev(after);
    return place < box.start + box.width ? std::optional(box.path) : std::nullopt;
}

std::optional<CallPathId> FlameGraph::widestBelow(CallPathId path) const {
    std::optional<CallPathId> widest;
    for (const CallPathId child : tree_->children(path))
        if (boxOf(child) && (!widest || sizeOf(child) > sizeOf(*widest))) widest = child;
    return widest;
}

std::optional<CallPathId> FlameGraph::beside(CallPathId path, int by) const {
    if (!boxOf(path)) return std::nullopt;
    const std::vector<Box>& boxes = row(rowOf(path));
    const int place = places_[path.index()] + by;
    if (place < 0 || place >= static_cast<int>(boxes.size())) return std::nullopt;
    return boxes[static_cast<std::size_t>(place)].path;
}

double FlameGraph::sizeOfAll(const std::vector<CallPathId>& paths) const {
    const std::unordered_set<CallPathId> all(paths.begin(), paths.end());
    double sum = 0.0;
    for (const CallPathId path : paths) {
        auto up = tree_->parent(path);
        while (up && !all.contains(*up)) up = tree_->parent(*up);
        if (!up) sum += sizeOf(path);
    }
    return sum;
}

}  // namespace holos::gui
