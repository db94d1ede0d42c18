// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/timeline/iteration_times.h"

#include <algorithm>

#include "analyzer/run_records.h"
#include "base/error.h"
#include "base/stopped.h"

namespace holos::gui {

std::vector<double> iterationBegins(const QString& archive, const std::atomic<bool>& stopped) {
    std::vector<double> begins;
    try {
        analyzer::RecordOptions options;
        options.threads = 0;
        options.stopped = &stopped;
        analyzer::RunRecords records(archive.toStdString(), options);
        if (records.definitions().processes.empty()) return begins;
        for (const analyzer::trace::Ticks begin : records.iterations(analyzer::trace::ProcessId(0)).begins)
            begins.push_back(records.definitions().seconds(begin));
    } catch (const Stopped&) {
        begins.clear();
    } catch (const Error&) {  // it is told where the trace is opened
        begins.clear();
    }
    return begins;
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
