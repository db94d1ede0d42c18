// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tracing/recordings/archive/events/location_parts.h"
#include "tracing/recordings/archive/helpers.h"
#include "tracing/recordings/archive/recorded_jobs.h"

namespace holos::archive {

/// What a helper is told to do.
struct Order {
    enum class Kind : std::uint8_t {
        Pack,       ///< the files of some processes; the answer is `kPacked`
        Read,       ///< the recording, anew; no answer
        BringHome,  ///< what processes kept on disks of the helper's machine; any answer
        Translate   ///< the events of some locations; the answer is a report (`location_parts.h`)
    };
    Kind kind = Kind::Read;
    std::size_t job = 1;  ///< its number
    std::string folder;   ///< for its files of events, or the file to pack into, in that of the measurement
    std::vector<std::string> names;  ///< of processes' folders to pack; of packed files to read, as `folder`
    Here here;                       ///< the machine of who makes the trace
    std::uint64_t plan = 0;          ///< what the helper has to have planned, too (`digestOf`)
    std::vector<std::uint64_t> processes;  ///< their positions in the plan
};

/// The answer to an order to pack that was obeyed.
inline constexpr const char* kPacked = "packed";

std::string textOf(Order order);
/// Throws `Error` where it is damaged.
Order orderIn(const std::string& text);

/// A number of what the events of a trace depend on: equal for processes that planned the same.
std::uint64_t digestOf(const TracePlan& plan, const Timeline& timeline);

/// How one job's locations are shared between who makes its trace and helpers. Helpers begin with the object;
/// when it goes, none works any more.
class SharedTranslation {
  public:
    /// `order`: what all of them are told. `to`: the folder of the trace, which is in `directory`.
    SharedTranslation(Helpers& helpers, Order order, const fs::path& directory, const fs::path& to,
                      const TracePlan& plan, std::vector<LocationPart>& parts);
    ~SharedTranslation();
    SharedTranslation(SharedTranslation&&) = delete;

    /// What is to be translated here.
    const std::vector<LocationPart*>& own() const { return own_; }
    /// Waits for the helpers, takes what they found and their files. Those that have to be translated here,
    /// too, because a helper failed or is gone.
    std::vector<LocationPart*> collect(SampledCode& code);

  private:
    struct Share {
        std::vector<std::uint64_t> processes;
        std::vector<LocationPart*> parts;
        bool isAsked = false;
    };
    void distribute(std::vector<LocationPart>& parts);
    bool take(std::size_t helper, SampledCode& code);
    fs::path folderOf(std::size_t helper) const;

    Helpers& helpers_;
    const fs::path to_;
    const TracePlan& plan_;
    std::vector<LocationPart*> own_;
    std::vector<Share> shares_;  ///< by helper
};

}  // namespace holos::archive
