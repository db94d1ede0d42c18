// SPDX-License-Identifier: BSD-3-Clause
#include "cli/commands.h"

namespace holos::cli {

void addInfo(CLI::App& app) {
    app.add_subcommand("info", "Describe a trace or an experiment");
}

}  // namespace holos::cli
