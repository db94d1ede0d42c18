// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

#include "analyzer/analyze.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {

/// How close a severity, in seconds or counts, must come to what was computed by hand.
inline constexpr double kExact = 1e-12;
inline constexpr double kRounding = 1e-9;  ///< of costs that are shared into fractions

/// What the analysis says about a built trace, in words of the test: metrics by unique name, call paths as
/// `main/MPI_Recv`, locations by rank and thread.
class Findings {
  public:
    /// Writes the trace into a temporary directory and analyzes it.
    explicit Findings(const TraceBuilder& trace, unsigned workers = 1);
    Findings(const TraceBuilder& trace, const analyzer::AnalysisOptions& options);
    /// Analyzes an archive that is there already.
    Findings(const std::filesystem::path& archive, unsigned threadsOfAProcess, unsigned workers = 1);

    /// The value stored for this call path alone and this location; 0 where nothing is stored. Throws
    /// `std::out_of_range` when there is no such metric or call path at all.
    double at(std::string_view metric, std::string_view path, unsigned rank, unsigned thread = 0) const;
    /// Sum over all call paths and locations; 0 when there is no such metric.
    double total(std::string_view metric) const;
    /// True when the analysis reported this kind of trouble.
    bool reported(analyzer::Trouble trouble) const;
    const analyzer::AnalysisResult& result() const { return result_; }

  private:
    unsigned threads_;
    analyzer::AnalysisResult result_;
};

}  // namespace holos::testing
