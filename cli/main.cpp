// SPDX-License-Identifier: BSD-3-Clause
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <new>
#include <string>

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
                        {addShow, addView, addServe, addWatch, addReport, addPredict, addScaling, addPlot,
                         addInfo, addScore, addExport, addQuery, addIterations, addCheck}},
                       {"Combine several", {addMerge, addMean, addDiff, addSum, addMin, addMax, addStddev}},
                       {"Transform one",
                        {addCut, addFlatten, addCollapse, addScale, addDerive, addRemap, addConvert}},
                       {"Shell", {addCompletion}}},
            .footer = "'holos COMMAND --help' describes a command; so does 'holos help COMMAND'."};
}

/// What was printed may still wait to be written; a disk that is full says so only now.
void requireWritten() {
    errno = 0;
    const bool isWritten = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
    if (!isWritten)
        throw Error("standard output cannot be written" +
                    (errno != 0 ? std::string(": ") + std::strerror(errno) : ""));
}

int runHolos(int argc, char** argv) {
    constexpr int kFailure = 1;
    try {
        const int status = run(holos(), argc, argv);
        requireWritten();
        return status;
    } catch (const Error& error) {
        complain(error.what());
    } catch (const std::filesystem::filesystem_error& error) {
        const std::string file = error.path1().string();
        complain((file.empty() ? "" : file + ": ") + error.code().message());
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
