// SPDX-License-Identifier: BSD-3-Clause
#include <filesystem>
#include <memory>
#include <string>

#include "algebra/files/experiment_file.h"
#include "cli/commands.h"
#include "cli/describe.h"
#include "cli/terminal.h"
#include "metric-specs/error.h"

namespace holos::cli {
namespace {

namespace fs = std::filesystem;

void info(const std::string& name) {
    const fs::path path(name);
    if (fs::is_directory(path)) {
        if (!fs::exists(path / "traces.otf2"))
            throw Error("holds no trace: \"traces.otf2\" was expected in this folder", Place{.file = name});
        print(describeTrace(path, styleOfOutput()));
    } else if (path.extension() == ".otf2") {
        if (!fs::exists(path)) throw Error("cannot be opened: there is no such file", Place{.file = name});
        print(describeTrace(path.has_parent_path() ? path.parent_path() : fs::path("."), styleOfOutput()));
    } else {
        print(describeExperiment(algebra::readExperiment(path), name, styleOfOutput()));
    }
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
