// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "analyzer/causes/points.h"

namespace holos::analyzer::causes {

/// What the analysis of causes measures, per call path and location. Costs come first, by kind of waiting.
enum class Cause : std::uint8_t {
    ShortTermCosts = 0,
    LongTermCosts = kWaitKinds,
    PropagatingLateSender = 2 * kWaitKinds,
    PropagatingLateReceiver,
    IndirectLateSender,
    IndirectLateReceiver,
    PropagatingOneSided,
    TerminalOneSided,
    IndirectOneSided,
    DirectOneSided,
    CriticalPath,
    ActivityImpact,
    ImbalanceImpact,
    InterPartitionImbalance,
    NonCriticalActivities,
    Count
};
/// Short-term and long-term delay costs of one kind.
inline Cause shortTerm(Kind kind) {
    return static_cast<Cause>(kind);
}
inline Cause longTerm(Kind kind) {
    return static_cast<Cause>(kWaitKinds + static_cast<std::size_t>(kind));
}

/// Of one location: ticks by call path. They are fractions, because costs are shared.
class LocationCauses {
  public:
    explicit LocationCauses(std::size_t paths = 0) : paths_(paths) {}

    void add(Cause cause, std::uint32_t path, double ticks) {
        if (ticks == 0 || path == kNone) return;
        auto& values = values_[static_cast<std::size_t>(cause)];
        if (values.empty()) values.resize(paths_, 0.0);
        values[path] += ticks;
    }
    /// Empty where all is zero.
    const std::vector<double>& values(Cause cause) const { return values_[static_cast<std::size_t>(cause)]; }
    double at(Cause cause, std::uint32_t path) const {
        const auto& list = values(cause);
        return list.empty() ? 0.0 : list[path];
    }

  private:
    std::size_t paths_;
    std::array<std::vector<double>, static_cast<std::size_t>(Cause::Count)> values_;
};

}  // namespace holos::analyzer::causes
