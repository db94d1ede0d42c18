// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "analyzer/trace/definitions.h"
#include "analyzer/trace/diagnosis.h"

namespace holos::analyzer::replay {

/// Collects what one location's events had of trouble, equal ones once. Bounded, however bad the trace.
class DiagnosisLog {
  public:
    DiagnosisLog(const trace::Definitions& definitions, std::uint64_t location)
        : definitions_(definitions), location_(location) {}

    void add(Trouble trouble, const std::string& message, std::uint64_t event = 0, trace::Ticks time = 0);
    const std::vector<Diagnosis>& all() const { return diagnoses_; }

  private:
    static constexpr std::size_t kMost = 64;
    const trace::Definitions& definitions_;
    std::uint64_t location_;
    std::vector<Diagnosis> diagnoses_;
};

}  // namespace holos::analyzer::replay
