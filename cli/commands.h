// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cli/command.h"

namespace holos::cli {

/// Every subcommand is one file: it declares its options and says what it does.
void addAnalyze(Command& app);
void addCampaign(Command& app);
void addCc(Command& app);
void addCheck(Command& app);
void addCollapse(Command& app);
void addCompletion(Command& app);
void addConvert(Command& app);
void addCounters(Command& app);
void addCut(Command& app);
void addDerive(Command& app);
void addDiff(Command& app);
void addExport(Command& app);
void addFlatten(Command& app);
void addInfo(Command& app);
void addIterations(Command& app);
void addMax(Command& app);
void addMean(Command& app);
void addMerge(Command& app);
void addMin(Command& app);
void addPlot(Command& app);
void addPredict(Command& app);
void addQuery(Command& app);
void addRecord(Command& app);
void addRemap(Command& app);
void addReport(Command& app);
void addScale(Command& app);
void addScaling(Command& app);
void addScore(Command& app);
void addServe(Command& app);
void addShow(Command& app);
void addSpec(Command& app);
void addStddev(Command& app);
void addSum(Command& app);
void addView(Command& app);
void addWatch(Command& app);

}  // namespace holos::cli
