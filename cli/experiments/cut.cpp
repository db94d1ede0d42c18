// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/cut.h"

#include <charconv>
#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/experiments/transform.h"

namespace holos::cli {
namespace {

/// `METRIC=PERCENT`
algebra::Cut::Share shareFrom(const std::string& text) {
    const std::size_t sign = text.rfind('=');
    const std::string number = sign == std::string::npos ? "" : text.substr(sign + 1);
    double percent = -1.0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), percent);
    const bool isNumber = error == std::errc() && end == number.data() + number.size();
    if (!isNumber || !(percent >= 0.0 && percent <= 100.0))
        throw UsageError("--share: expects METRIC=PERCENT with a percentage from 0 to 100");
    return {text.substr(0, sign), percent / 100.0};
}

}  // namespace

void addCut(Command& app) {
    Command command = app.command("cut", "Prune or re-root the call tree");
    command.footer(
        "What is cut off becomes part of its caller; inclusive values of the rest stay as they were.\n"
        "Example: holos cut run/analysis.cubex --root solve --share time=1 -o solver.cubex");
    const auto options = addTransformOptions(command);
    const auto how = std::make_shared<algebra::Cut>();
    const auto share = std::make_shared<std::string>();
    command.option("--root", how->roots,
                   "Keep only call paths below this region, which becomes a root; may be repeated");
    command.option("--prune", how->prune,
                   "Fold call paths of this region into their callers; may be repeated");
    command.option("--depth", how->depth, "Levels of the call tree to keep (1: only the roots)");
    command.option("--share METRIC=PERCENT", *share,
                   "Fold call paths with less than PERCENT of METRIC into their callers");
    command.action([options, how, share] {
        if (how->depth == 0U) throw UsageError("--depth: expected at least 1, not 0");
        if (!share->empty()) how->share = shareFrom(*share);
        transform(*options, [&how](algebra::Experiment experiment) {
            return algebra::cut(std::move(experiment), *how);
        });
    });
}

}  // namespace holos::cli
