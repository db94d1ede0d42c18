// SPDX-License-Identifier: BSD-3-Clause
#include <cstdio>
#include <exception>
#include <string>

#include "cli/commands.h"
#include "metric-specs/error.h"

namespace {

constexpr int kFailure = 1;
constexpr int kWrongUsage = 2;

bool hasCommand(const CLI::App& app, const std::string& name) {
    const auto named =
        app.get_subcommands([&name](const CLI::App* command) { return command->get_name() == name; });
    return !named.empty();
}

int run(CLI::App& app, int argc, char** argv) {
    if (argc > 1 && argv[1][0] != '-' && !hasCommand(app, argv[1])) {
        std::fprintf(stderr, "holos: no command '%s'; 'holos --help' lists them\n", argv[1]);
        return kWrongUsage;
    }
    try {
        app.parse(argc, argv);
        return 0;
    } catch (const CLI::RuntimeError& end) {
        return end.get_exit_code();
    } catch (const CLI::Success& help) {
        return app.exit(help);
    } catch (const CLI::ParseError& wrong) {
        app.exit(wrong);
        return kWrongUsage;
    } catch (const holos::Error& error) {
        std::fprintf(stderr, "holos: %s\n", error.what());
    } catch (const std::bad_alloc&) {
        std::fprintf(stderr, "holos: out of memory\n");
    } catch (const std::exception& error) {
        std::fprintf(stderr, "holos: %s\n", error.what());
    }
    return kFailure;
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{"Holos finds out where a parallel program loses time, and why."};
    app.name("holos");
    app.set_version_flag("--version", HOLOS_VERSION);
    app.require_subcommand(1);
    app.failure_message(CLI::FailureMessage::help);
    holos::cli::addAnalyze(app);
    holos::cli::addCampaign(app);
    holos::cli::addInfo(app);
    holos::cli::addCc(app);
    holos::cli::addRecord(app);
    holos::cli::addReport(app);
    holos::cli::addCounters(app);
    holos::cli::addShow(app);
    holos::cli::addSpec(app);
    holos::cli::addView(app);
    holos::cli::addMerge(app);
    holos::cli::addMean(app);
    holos::cli::addDiff(app);
    holos::cli::addMin(app);
    holos::cli::addMax(app);
    holos::cli::addStddev(app);
    holos::cli::addSum(app);
    holos::cli::addScale(app);
    holos::cli::addConvert(app);
    holos::cli::addCut(app);
    holos::cli::addFlatten(app);
    holos::cli::addCollapse(app);
    holos::cli::addDerive(app);
    holos::cli::addRemap(app);
    holos::cli::addCheck(app);
    holos::cli::addExport(app);
    holos::cli::addCompletion(app);
    return run(app, argc, argv);
}
