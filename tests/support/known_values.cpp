// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/known_values.h"

#include <fmt/format.h>

namespace holos::testing {

void KnownValues::add(const std::string& metric, const std::string& path, unsigned rank, unsigned thread,
                      double value) {
    Rows& rows = metrics_[metric];
    if (value == 0) return;
    Row& row = rows.try_emplace(path, locations_).first->second;
    row[std::size_t{rank} * threads_ + thread] += value;
}

void KnownValues::writeCsv(std::ostream& out) const {
    out << "metric,call_path,rank,thread,value\n";
    for (const auto& [metric, rows] : metrics_)
        for (const auto& [path, row] : rows)
            for (std::size_t i = 0; i < row.size(); ++i)
                if (row[i] != 0)
                    out << fmt::format("{},{},{},{},{:.12g}\n", metric, path, i / threads_, i % threads_,
                                       row[i]);
}

}  // namespace holos::testing
