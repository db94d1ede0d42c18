// SPDX-License-Identifier: BSD-3-Clause
#include <exception>
#include <new>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/roomy_stack.h"
#include "cli/terminal/terminal.h"

namespace holos::cli {
namespace {

Program holos() {
    return {.name = "holos",
            .summary = "Holos finds out where a parallel program loses time, and why.",
            .version = HOLOS_VERSION,
            .groups = {{"Measure", {addRecord, addAnalyze, addCampaign, addCc, addCounters, addSpec}},
                       {"Look",
                        {addShow, addView, addWatch, addReport, addPredict, addScaling, addPlot, addInfo,
                         addScore, addExport, addCheck}},
                       {"Combine several", {addMerge, addMean, addDiff, addSum, addMin, addMax, addStddev}},
                       {"Transform one",
                        {addCut, addFlatten, addCollapse, addScale, addDerive, addRemap, addConvert}},
                       {"Shell", {addCompletion}}},
            .footer = "'holos COMMAND --help' describes a command; so does 'holos help COMMAND'."};
}

int runHolos(int argc, char** argv) {
    constexpr int kFailure = 1;
    try {
        return run(holos(), argc, argv);
    } catch (const Error& error) {
        complain(error.what());
    } catch (const std::bad_alloc&) {
        complain("out of memory");
    } catch (const std::exception& error) {
        complain(error.what());
    }
    return kFailure;
}

}  // namespace
}  // namespace holos::cli

int main(int argc, char** argv) {
    return holos::cli::onRoomyStack(&holos::cli::runHolos, argc, argv);
}
