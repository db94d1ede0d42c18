// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/files/row_order.h"

#include <numeric>

namespace holos::algebra {
namespace {

std::vector<std::uint32_t> rowNumbers(const std::vector<CallPathId>& rows) {
    std::vector<std::uint32_t> numbers(rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row)
        numbers[rows[row].index()] = static_cast<std::uint32_t>(row);
    return numbers;
}

}  // namespace

std::vector<CallPathId> depthFirstRows(const CallTree& tree) {
    std::vector<CallPathId> rows;
    rows.reserve(tree.size());
    for (const CallPathId root : tree.roots()) {
        const auto below = tree.subtree(root);
        rows.insert(rows.end(), below.begin(), below.end());
    }
    return rows;
}

std::vector<CallPathId> wideRows(const CallTree& tree) {
    std::vector<CallPathId> rows;
    rows.reserve(tree.size());
    for (const CallPathId root : tree.roots()) {
        rows.push_back(root);
        // Going depth first, each node emits its children.
        for (const CallPathId node : tree.subtree(root)) {
            const auto& children = tree.children(node);
            rows.insert(rows.end(), children.begin(), children.end());
        }
    }
    return rows;
}

std::vector<std::size_t> callPathNumbers(const CallTree& tree) {
    std::vector<std::size_t> numbers;
    std::vector<bool> taken(tree.size(), false);
    for (const CallPathId id : tree.ids()) {
        const auto number = tree[id].fileNumber.value_or(tree.size());
        if (number >= tree.size() || taken[number]) {
            numbers.resize(tree.size());
            std::iota(numbers.begin(), numbers.end(), std::size_t{0});
            return numbers;
        }
        taken[number] = true;
        numbers.push_back(number);
    }
    return numbers;
}

RowLayout::RowLayout(const CallTree& tree, std::vector<std::uint64_t> columnNumbers)
    : depthFirst(rowNumbers(depthFirstRows(tree))),
      wide(rowNumbers(wideRows(tree))),
      columns(std::move(columnNumbers)) {
    parents_.reserve(tree.size());
    children_.reserve(tree.size());
    childBegin_.reserve(tree.size() + 1);
    for (const CallPathId path : tree.ids()) {
        parents_.push_back(tree.parent(path));
        childBegin_.push_back(static_cast<std::uint32_t>(children_.size()));
        children_.insert(children_.end(), tree.children(path).begin(), tree.children(path).end());
    }
    childBegin_.push_back(static_cast<std::uint32_t>(children_.size()));
}

}  // namespace holos::algebra
