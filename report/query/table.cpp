// SPDX-License-Identifier: BSD-3-Clause
#include "report/query/table.h"

#include <algorithm>
#include <limits>

namespace holos::query {

double Question::least(std::size_t column) const {
    double least = -std::numeric_limits<double>::infinity();
    for (const Condition& each : conditions)
        if (const auto* number = std::get_if<double>(&each.value); number != nullptr && each.column == column)
            if (each.relation == Relation::Equal || each.relation == Relation::Greater ||
                each.relation == Relation::AtLeast)
                least = std::max(least, *number);
    return least;
}

double Question::most(std::size_t column) const {
    double most = std::numeric_limits<double>::infinity();
    for (const Condition& each : conditions)
        if (const auto* number = std::get_if<double>(&each.value); number != nullptr && each.column == column)
            if (each.relation == Relation::Equal || each.relation == Relation::Less ||
                each.relation == Relation::AtMost)
                most = std::min(most, *number);
    return most;
}

const std::string* Question::text(std::size_t column) const {
    for (const Condition& each : conditions)
        if (each.column == column && each.relation == Relation::Equal)
            if (const auto* wanted = std::get_if<std::string>(&each.value)) return wanted;
    return nullptr;
}

}  // namespace holos::query
