// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/timeline/iteration_times.h"

#include <algorithm>

#include "analyzer/run_records.h"
#include "base/error.h"
#include "base/stopped.h"

namespace holos::gui {

IterationTimes iterationTimes(const QString& archive, const std::atomic<bool>& stopped) {
    IterationTimes times;
    try {
        analyzer::RecordOptions options;
        options.threads = 0;
        options.stopped = &stopped;
        analyzer::RunRecords records(archive.toStdString(), options);
        if (records.definitions().processes.empty()) return times;
        const analyzer::Iterations& found = records.iterations(analyzer::trace::ProcessId(0));
        for (const analyzer::trace::Ticks begin : found.begins)
            times.begins.push_back(records.definitions().seconds(begin));
        times.end = records.definitions().seconds(found.end);
    } catch (const Stopped&) {
        return {};
    } catch (const Error&) {  // it is told where the trace is opened
        return {};
    }
    return times;
}

std::optional<FoundIteration> iterationAt(double time, const IterationTimes& iterations) {
    const auto after = std::ranges::upper_bound(iterations.begins, time);
    if (after == iterations.begins.begin() || time >= iterations.end) return std::nullopt;
    return FoundIteration{static_cast<std::size_t>(after - iterations.begins.begin()), *(after - 1),
                          after == iterations.begins.end() ? iterations.end : *after};
}

std::optional<AlignedIteration> alignedAt(double time, const std::vector<double>& first,
                                          const std::vector<double>& second) {
    const auto after = std::ranges::upper_bound(first, time);
    const auto at = after == first.begin() ? after : after - 1;
    const auto number = static_cast<std::size_t>(at - first.begin());
    if (number >= first.size() || number >= second.size()) return std::nullopt;
    return AlignedIteration{number + 1, second[number] - first[number]};
}

}  // namespace holos::gui
