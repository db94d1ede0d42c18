// SPDX-License-Identifier: BSD-3-Clause
#include "cli/tested_result.h"

#include "algebra/insight/summary/result_laws.h"
#include "cli/terminal/terminal.h"

namespace holos::cli {

void writeTested(const algebra::Experiment& experiment, const std::filesystem::path& output, Links links) {
    for (const algebra::BrokenResultLaw& law : algebra::writeAndTest(experiment, output, links))
        complain(algebra::contradictionText(law));
}

}  // namespace holos::cli
