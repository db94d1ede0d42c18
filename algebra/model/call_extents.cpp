// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/model/call_extents.h"

#include <algorithm>
#include <functional>

namespace holos::algebra {
namespace {

template <class Combine>
void combineIntoParent(SeverityTable& table, const Parents& parents, CallPathId path, Combine combine) {
    const auto& up = parents[path.index()];
    if (!up || !table.hasRow(path)) return;
    const auto parent = table.editRow(*up);
    const auto own = table.row(path);
    std::transform(parent.begin(), parent.end(), own.begin(), parent.begin(), combine);
}

}  // namespace

Parents parentsOf(const CallTree& tree) {
    Parents parents;
    parents.reserve(tree.size());
    for (const CallPathId path : tree.ids()) parents.push_back(tree.parent(path));
    return parents;
}

void makeInclusive(SeverityTable& table, const Parents& parents) {
    for (std::size_t at = parents.size(); at-- > 0;)  // children before their parents
        combineIntoParent(table, parents, CallPathId(at), std::plus<>());
}

void makeExclusive(SeverityTable& table, const Parents& parents) {
    // Parents first: when a call path is subtracted from its parent, nothing was subtracted from itself yet.
    for (std::size_t at = 0; at < parents.size(); ++at)
        combineIntoParent(table, parents, CallPathId(at), std::minus<>());
}

}  // namespace holos::algebra
