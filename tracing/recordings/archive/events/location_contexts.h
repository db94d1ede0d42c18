// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <otf2/otf2.h>

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/context_prediction.h"
#include "tracing/recordings/archive/code_names/sampled_code.h"
#include "tracing/recordings/archive/events/location_writer.h"
#include "tracing/recordings/archive/plan/trace_plan.h"
#include "tracing/recordings/archive/process/event_file.h"

namespace holos::archive {

/// A sample of the call stack, as its record has it.
struct MetSample {
    std::vector<std::uint64_t> addresses;  ///< of code, the innermost first
    std::size_t files = 0;                 ///< how many the process had then
    std::optional<SampledAccess> access = {};
};

/// A calling context that a location met, and what led to it.
struct MetContext {
    std::uint32_t context = SampledContext::kNone;  ///< a number of `SampledCode`
    std::uint32_t path = 0;  ///< of the process; of no meaning where a sample led to it
    std::optional<MetSample> sample = {};
};

/// How many samples were taken at an instruction of a process.
struct MetInstruction {
    std::uint64_t address = 0;
    std::uint64_t files = 0;  ///< how many the process had by then
    std::uint64_t samples = 0;
};

/// The context of a sample, with the data that it used; `SampledContext::kNone` where no calls are known.
std::uint32_t contextOf(SampledCode& code, const RecordedProcess& process, const MetSample& sample);

/// The calling contexts of one location. They have numbers of their own, in the order in which the location's
/// events met them: so the bytes of its events do not depend on those of other locations, which are
/// translated at the same time. A mapping table of the location's definitions has the numbers of the trace.
class LocationContexts {
  public:
    LocationContexts(const TraceProcess& process, SampledCode& code);

    /// Of a call path of the process; `SampledContext::kNone` where no calls are known.
    std::uint32_t ofPath(std::uint32_t path);
    /// The context of a sample; `SampledContext::kNone` where no calls are known.
    std::uint32_t ofSample(MetSample sample);
    /// Notes that `samples` samples were taken at the place of this one.
    void count(const MetSample& sample, std::uint64_t samples);
    bool havePaths() const { return !byPath_.empty(); }

    /// By the location's number.
    std::vector<MetContext> take() { return std::move(met_); }
    /// Where samples were taken, of code that the machine runs.
    std::vector<MetInstruction> instructions() const;

  private:
    std::uint32_t numberOf(MetContext met);

    const RecordedProcess* process_;
    SampledCode& code_;
    std::vector<std::uint32_t> byPath_;  ///< each is looked for once
    std::unordered_map<std::uint32_t, std::uint32_t> numbers_;
    std::vector<MetContext> met_;
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> samplesAt_;  ///< by address and files
};

/// The call paths of one location's events, as attributes: a calling context where it is not the expected
/// one.
class CallPathAttributes {
  public:
    explicit CallPathAttributes(LocationContexts& contexts);

    /// Of a path of the process, by the location's numbers.
    std::uint32_t contextOf(std::uint32_t path) { return contexts_.ofPath(path); }

    /// For the enter of a region of the trace by a path of the process; null where there is nothing to say.
    /// To be written before the next call.
    OTF2_AttributeList* attributesOf(std::uint32_t region, std::uint32_t path);

  private:
    LocationContexts& contexts_;
    Attributes list_;
    ContextPrediction prediction_;
};

}  // namespace holos::archive
