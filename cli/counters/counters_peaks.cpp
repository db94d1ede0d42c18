// SPDX-License-Identifier: BSD-3-Clause
#include "cli/counters/counters_validate.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "cli/terminal/terminal.h"
#include "metric-specs/machine_peaks.h"
#include "validation/peaks.h"

namespace holos::cli {
namespace {

double secondsNow() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string textOf(const specs::MachinePeaks& peaks, const validation::PeakWork& work) {
    constexpr double kMega = 1024.0 * 1024;
    const double arrays = static_cast<double>(work.elements * sizeof(double)) / kMega;
    return fmt::format(
        "floating-point operations  {:.3g} 1/s      {} threads, {} doubles at a time\n"
        "memory bandwidth           {:.3g} bytes/s  {} threads, three arrays of {:.0f} MB each\n",
        peaks.operations, work.threads, validation::doublesAtATime(), peaks.bandwidth, work.threads, arrays);
}

std::string formatted(const specs::MachinePeaks& peaks, const validation::PeakWork& work,
                      ValidationFormat format) {
    switch (format) {
        case ValidationFormat::Text:
            return textOf(peaks, work);
        case ValidationFormat::Csv:
            return fmt::format("operations,bandwidth\n{},{}\n", peaks.operations, peaks.bandwidth);
        case ValidationFormat::Json:
            return nlohmann::json{{"operations", peaks.operations}, {"bandwidth", peaks.bandwidth}}.dump(2) +
                   '\n';
        case ValidationFormat::None:
            return {};
    }
    return {};
}

/// Peaks of a part of the machine would be no roof of the whole.
void store(const specs::MachinePeaks& peaks, unsigned threads) {
    if (const long all = ::sysconf(_SC_NPROCESSORS_ONLN); all > static_cast<long>(threads))
        throw Error(
            fmt::format("these are the peaks of {} of {} processors, which this process may use: they "
                        "are not stored",
                        threads, all));
    const std::filesystem::path file = specs::peaksFile();
    if (file.empty())
        throw Error("there is no folder to store the peaks in: neither HOME nor XDG_CONFIG_HOME is set");
    specs::storePeaks(file, specs::machineKind(), peaks);
    std::fprintf(stderr, "Stored in %s for recordings on: %s\n", file.c_str(), specs::machineKind().c_str());
}

}  // namespace

void measureAndStorePeaks(ValidationFormat format) {
    const validation::PeakWork work = validation::workOfThisMachine();
    const specs::MachinePeaks peaks = validation::measurePeaks(work, secondsNow);
    print(formatted(peaks, work, format));
    store(peaks, work.threads);
}

}  // namespace holos::cli
