// SPDX-License-Identifier: BSD-3-Clause
#include <filesystem>
#include <memory>
#include <string>

#include "algebra/files/experiment_file.h"
#include "cli/commands.h"
#include "cli/describe.h"
#include "cli/terminal.h"

namespace holos::cli {
namespace {

namespace fs = std::filesystem;

void info(const std::string& name) {
    const fs::path path(name);
    if (fs::is_directory(path) || path.extension() == ".otf2")
        print(describeTrace(path, styleOfOutput()));
    else
        print(describeExperiment(algebra::readExperiment(path), name, styleOfOutput()));
}

}  // namespace

void addInfo(Command& app) {
    auto file = std::make_shared<std::string>();
    Command command = app.command("info", "Describe a trace or an experiment");
    command.option("file", *file, "Experiment (.cubex, .cube) or folder of a trace").required();
    command.footer("Example: holos info run/analysis.cubex");
    command.action([file] { info(*file); });
}

}  // namespace holos::cli
