// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>

namespace holos::cli {

/// Every subcommand is one file: it declares its options on `app` and sets a callback that does the work.
/// A callback throws `holos::Error` for failures (exit code 1) and `CLI::Error` for wrong usage (exit code
/// 2); `CLI::RuntimeError(n)` ends with exit code n without a message.
void addAnalyze(CLI::App& app);
void addCampaign(CLI::App& app);
void addCc(CLI::App& app);
void addCheck(CLI::App& app);
void addCollapse(CLI::App& app);
void addCompletion(CLI::App& app);
void addConvert(CLI::App& app);
void addCounters(CLI::App& app);
void addCut(CLI::App& app);
void addDerive(CLI::App& app);
void addDiff(CLI::App& app);
void addExport(CLI::App& app);
void addFlatten(CLI::App& app);
void addInfo(CLI::App& app);
void addMax(CLI::App& app);
void addMean(CLI::App& app);
void addMerge(CLI::App& app);
void addMin(CLI::App& app);
void addRecord(CLI::App& app);
void addRemap(CLI::App& app);
void addReport(CLI::App& app);
void addScale(CLI::App& app);
void addShow(CLI::App& app);
void addSpec(CLI::App& app);
void addStddev(CLI::App& app);
void addSum(CLI::App& app);
void addView(CLI::App& app);

}  // namespace holos::cli
