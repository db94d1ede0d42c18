// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/phase_clock.h"

#include <sys/resource.h>

#include <utility>

namespace holos::analyzer {

namespace {

double seconds(const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

rusage usage() {
    rusage now{};
    getrusage(RUSAGE_SELF, &now);
    return now;
}

double processorTime(const rusage& now) {
    return seconds(now.ru_utime) + seconds(now.ru_stime);
}

}  // namespace

void PhaseClock::begin(const char* name) {
    end();
    phases_.push_back({name});
    begin_ = std::chrono::steady_clock::now();
    processorAtBegin_ = processorTime(usage());
}

void PhaseClock::end() {
    if (phases_.empty()) return;
    const rusage now = usage();
    AnalysisPhase& phase = phases_.back();
    phase.elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    phase.processor = processorTime(now) - processorAtBegin_;
    phase.peakMemory = static_cast<std::uint64_t>(now.ru_maxrss) * 1024;
}

std::vector<AnalysisPhase> PhaseClock::take() {
    end();
    return std::exchange(phases_, {});
}

}  // namespace holos::analyzer
