// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

namespace holos::analyzer {

/// A part of the analysis, and what it took.
struct AnalysisPhase {
    const char* name;
    double elapsed = 0;            ///< seconds
    double processor = 0;          ///< seconds, of all threads together
    std::uint64_t peakMemory = 0;  ///< bytes, of the process since its start
};

/// Takes the time of phases that follow each other.
class PhaseClock {
  public:
    /// Ends the phase before.
    void begin(const char* name);
    /// Ends the last phase.
    std::vector<AnalysisPhase> take();

  private:
    void end();

    std::vector<AnalysisPhase> phases_;
    std::chrono::steady_clock::time_point begin_;
    double processorAtBegin_ = 0;
};

}  // namespace holos::analyzer
