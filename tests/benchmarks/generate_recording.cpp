// SPDX-License-Identifier: BSD-3-Clause
// holos_generate_recording: a recording of many processes that live as long as this command, for trying
// commands at scale. It ends with its standard input.
#include <CLI/CLI.hpp>

#include <iostream>
#include <map>
#include <string>

#include "tests/benchmarks/generated_run.h"

int main(int argc, char** argv) {
    using holos::testing::RunScene;
    std::string folder;
    std::uint32_t processes = 4096;
    std::uint32_t events = 0;
    RunScene scene = RunScene::Barrier;
    CLI::App app{"Write a recording of processes that live until standard input ends"};
    app.add_option("folder", folder, "Where")->required();
    app.add_option("--processes", processes, "Number of processes")->capture_default_str();
    app.add_option("--events", events, "Enters and leaves of each")->capture_default_str();
    const std::map<std::string, RunScene> scenes{{"barrier", RunScene::Barrier},
                                                 {"scattered", RunScene::Scattered},
                                                 {"ring", RunScene::Ring},
                                                 {"pairs", RunScene::Pairs},
                                                 {"computing", RunScene::Computing}};
    app.add_option("--scene", scene, "What they are in")->transform(CLI::CheckedTransformer(scenes));
    CLI11_PARSE(app, argc, argv);
    holos::testing::GeneratedRun run(folder, processes, scene);
    if (events != 0) run.goOn(events);
    std::cout << "written\n" << std::flush;
    for (std::string line; std::getline(std::cin, line);) continue;
    return 0;
}
