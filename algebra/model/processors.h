// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "algebra/model/structure.h"

namespace holos::algebra {

/// Where threads ran, as attributes of locations and nodes tell: the place of the processor on which a thread
/// was found for the longest time.

/// Attributes of a location.
inline constexpr std::string_view kSocketAttribute = "socket";  ///< in its node
inline constexpr std::string_view kCoreAttribute = "core";      ///< in its socket
inline constexpr std::string_view kUnitAttribute = "unit";      ///< hardware thread in its core

/// Attributes of a node: how many it has, also where no thread ran.
inline constexpr std::string_view kSocketsAttribute = "sockets";
inline constexpr std::string_view kCoresAttribute = "cores of a socket";
inline constexpr std::string_view kUnitsAttribute = "units of a core";

struct HardwarePlace {
    std::uint32_t socket = 0;
    std::uint32_t core = 0;
    std::uint32_t unit = 0;
    auto operator<=>(const HardwarePlace&) const = default;
};

/// Nothing where it is not known.
std::optional<HardwarePlace> placeOf(const Location& location);

/// The whole number that an attribute has; nothing where there is none. `Number`: of 32 or 64 bits.
template <class Number = std::uint32_t>
std::optional<Number> numberOf(const Attributes& attributes, std::string_view key);

/// How long threads were on processors by the kernel's count, as attributes of locations tell.
inline constexpr std::string_view kOnProcessorsAttribute = "nanoseconds on processors";
inline constexpr std::string_view kWaitingForProcessorsAttribute = "nanoseconds waiting for processors";
inline constexpr std::string_view kShortageAttribute = "nanoseconds between events without processors";

/// Attributes of an experiment: how many processors a container or job may use on average, and for how many
/// seconds it was stopped because it had used them up. Only where there is such a limit.
inline constexpr std::string_view kProcessorLimitAttribute = "Processor limit";
inline constexpr std::string_view kStoppedByLimitAttribute = "Stopped by the limit [sec.]";

/// Of a node of the system: for how many seconds its processors were in use during the recording, by whatever
/// programs, all processors together.
inline constexpr std::string_view kMachineUseAttribute = "Processors in use [sec.]";

/// Seconds, from the thread's start to its end.
struct ProcessorTime {
    double on = 0;
    std::optional<double> waiting;  ///< could run, and waited for a processor
    /// The part of that of which it is known between which events it was; nothing where none was looked for.
    std::optional<double> betweenEvents;
};

/// What a limit of a container or job did to a run.
struct ProcessorLimit {
    double processors = 0;
    double stopped = 0;  ///< seconds
};
/// Nothing where there was none, or nothing is known of it.
std::optional<ProcessorLimit> processorLimitOf(const Attributes& attributes);

/// `kMachineUseAttribute`; nothing where it is not known.
std::optional<double> machineUseOf(const Attributes& ofNode);

/// Nothing where it is not known.
std::optional<ProcessorTime> processorTimeOf(const Location& location);

/// Whether the recorder would have told it, but did not see the end of the process.
bool lacksProcessorTime(const Location& location);

}  // namespace holos::algebra
