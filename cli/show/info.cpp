// SPDX-License-Identifier: BSD-3-Clause
#include <filesystem>
#include <memory>
#include <string>

#include "algebra/files/experiment_file.h"
#include "cli/commands.h"
#include "cli/show/describe.h"
#include "cli/terminal/terminal.h"
#include "tracing/recordings/archive/folder/measurement_folder.h"

namespace holos::cli {
namespace {

namespace fs = std::filesystem;

struct InfoOptions {
    std::string file;
    bool inDetail = false;
};

void info(const InfoOptions& options) {
    const fs::path path(options.file);
    const bool isFolder = fs::is_directory(path) && !archive::hasOnlyProfile(path);
    if (isFolder || path.extension() == ".otf2")
        print(describeTrace(path, options.inDetail, styleOfOutput()));
    else
        print(describeExperiment(algebra::readExperiment(path), options.file, styleOfOutput()));
}

}  // namespace

void addInfo(Command& app) {
    auto options = std::make_shared<InfoOptions>();
    Command command = app.command("info", "Describe a trace or an experiment");
    command.option("file", options->file, "Experiment (.cubex, .cube) or folder of a trace").required();
    command.flag("--all", options->inDetail, "For a trace, also list each process, thread and machine");
    command.footer("Examples:\n  holos info run\n  holos info run/analysis.cubex");
    command.action([options] { info(*options); });
}

}  // namespace holos::cli
