// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace holos::validation {

/// The part of a microbenchmark in which is counted: `begin` and `end` read the counter in the thread that is
/// observed. They allocate nothing and throw nothing.
class Window {
  public:
    virtual ~Window() = default;
    virtual void begin() noexcept = 0;
    virtual void end() noexcept = 0;
};

/// A small program whose count of an event is known in advance: those of the validity study
/// (*Reliability and usefulness of performance counters accessed via PAPI*, Salayandia, chapter 4), and
/// others for events of the kernel. A case predicts `size` events.
struct Microbenchmark {
    const char* name;
    const char* description;          ///< what is predicted: one of these for each event
    std::vector<const char*> events;  ///< that it predicts, by the names of all sources
    std::uint64_t smallest;           ///< cases are the powers of ten from here to `largest`
    std::uint64_t largest;
    unsigned processors;  ///< that it needs, threads being pinned to them
    /// Runs in a fresh process. Throws Error where the machine does not let it.
    void (*run)(std::uint64_t size, Window& window);

    std::vector<std::uint64_t> sizes() const;
};

/// The one that does nothing: what it counts is the cost of a reading. It predicts 0 of every event.
inline constexpr const char* kReading = "reading";

/// All that there are.
std::span<const Microbenchmark> microbenchmarks();

/// Throws Error with a suggestion when there is none of this name.
const Microbenchmark& microbenchmark(const std::string& name);

}  // namespace holos::validation
