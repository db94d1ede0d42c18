// SPDX-License-Identifier: BSD-3-Clause
// holos_generate_recording: a recording of many processes that live as long as this command, for trying
// commands at scale. It ends with its standard input.
#include <CLI/CLI.hpp>

#include <iostream>
#include <map>
#include <string>

#include "tests/unit/tracing/generated_run.h"

int main(int argc, char** argv) {
    using holos::testing::RunScene;
    std::string folder;
    std::uint32_t events = 0;
    holos::testing::RunShape shape;
    CLI::App app{"Write a recording of processes that live until standard input ends"};
    app.add_option("folder", folder, "Where")->required();
    app.add_option("--processes", shape.processes, "Number of processes")->capture_default_str();
    app.add_option("--events", events, "Enters and leaves of each, now and again with each line of input")
        ->capture_default_str();
    app.add_option("--regions", shape.regions, "That are entered in turn")->capture_default_str();
    app.add_option("--counters", shape.counters, "Counters that are read with each event")
        ->capture_default_str();
    app.add_flag("--profile", shape.isProfile, "Add up, as holos record --profile does");
    const std::map<std::string, RunScene> scenes{{"barrier", RunScene::Barrier},
                                                 {"scattered", RunScene::Scattered},
                                                 {"ring", RunScene::Ring},
                                                 {"pairs", RunScene::Pairs},
                                                 {"computing", RunScene::Computing}};
    app.add_option("--scene", shape.scene, "What they are in")->transform(CLI::CheckedTransformer(scenes));
    CLI11_PARSE(app, argc, argv);
    holos::testing::GeneratedRun run(folder, shape);
    std::string line;
    do {
        if (run.isFull(events))
            std::cerr << "there is no room for more events\n";
        else if (events != 0)
            run.goOn(events);
        std::cout << "written\n" << std::flush;
    } while (std::getline(std::cin, line));
    return 0;
}
