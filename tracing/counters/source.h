// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"

/// What this machine can count, and counting it in a thread.
namespace holos::counters {

/// Whether a value grows with what happened (its difference counts) or is a state.
enum class Mode : std::uint8_t { Accumulated, Absolute };

/// What the 64 bits of a value are. States are signed where this says `Unsigned`, as nothing keeps them above
/// zero.
enum class Values : std::uint8_t { Unsigned, Signed, Real };

/// Whose events a source counts: those of the thread that opened it, of its process, or of the whole node.
enum class Scope : std::uint8_t { Thread, Process, Node };
const char* scopeName(Scope scope);

/// How a counter is read, where that is known.
enum class Reading : std::uint8_t { Unknown, SystemCall, UserSpace };
/// For people; empty where it is not known.
const char* readingName(Reading reading);

/// A counter by its name.
struct Counter {
    std::string name;
    std::string description;
    std::string unit;  ///< `occ`, `ns`, `kB`
    Mode mode = Mode::Accumulated;
    /// Why it cannot be counted here and what would help; empty when it can.
    std::string unavailable;
    Reading reading = Reading::Unknown;
    Values values = Values::Unsigned;
};

/// A part of a source that comes and goes as a whole, such as a component of PAPI.
struct Component {
    std::string name;
    std::string description;
    std::string unavailable;  ///< why nothing of it can be counted here; empty when it can
};

/// A counter that cannot be counted here. `message()` reads `NAME: reason`.
class Refusal : public Error {
  public:
    Refusal(const std::string& counter, const std::string& reason)
        : Error(counter + ": " + reason), counter_(counter), reason_(reason) {}

    const std::string& counter() const noexcept { return counter_; }
    const std::string& reason() const noexcept { return reason_; }

  private:
    std::string counter_;
    std::string reason_;
};

/// What a counter that takes turns would have counted all the time.
struct Estimate {
    double value = 0;
    double deviation = 0;  ///< its standard deviation
};

/// Some counters of one source, opened by a thread; closed by its destructor.
class Group {
  public:
    Group() = default;
    virtual ~Group() = default;
    Group(const Group&) = delete;
    Group& operator=(const Group&) = delete;

    /// Writes the values, in the order of the names given to `open`. False on an error; the values mean
    /// nothing then. Allocates nothing. Counters of threads: only in the opening one, and with one system
    /// call at most, unless they take turns.
    virtual bool read(std::uint64_t* values) noexcept = 0;

    /// The part of the time in which the counter was counted, until the last reading. Below 1 its values are
    /// estimates.
    virtual double activeShare(std::size_t) const noexcept { return 1; }

    /// How well that is known; nothing for a counter that does not take turns.
    virtual std::optional<Estimate> estimate(std::size_t) const noexcept { return std::nullopt; }

    /// The part of the readings of a counter that took no system call; nothing where that is not known.
    virtual std::optional<double> userSpaceShare(std::size_t) const noexcept { return std::nullopt; }
};

/// A kind of counters.
///
/// Thread safety: one thread, but for `open`, which is safe.
class Source {
  public:
    Source() = default;
    virtual ~Source() = default;
    Source(const Source&) = delete;
    Source& operator=(const Source&) = delete;

    virtual const char* name() const = 0;
    /// Counters of processes and nodes are slow: they are for sampling, not for every event.
    virtual Scope scope() const { return Scope::Thread; }
    /// Every counter of this source that can be listed.
    virtual std::vector<Counter> list() const = 0;
    /// The parts that it has, where it has such.
    virtual std::vector<Component> components() const { return {}; }
    /// Why none of its counters can be had here; empty when some can.
    virtual std::string unavailable() const { return {}; }
    /// The counter of this name, which need not be listed (raw events); nothing when it is not one of this
    /// source.
    virtual std::unique_ptr<Counter> find(const std::string& name) const = 0;
    /// Starts counting in the calling thread. Throws `Refusal` for a counter that cannot be counted, and
    /// `Error` where that is so only together with the others.
    virtual std::unique_ptr<Group> open(std::span<const std::string> names) const = 0;
    /// `open` for more counters than can be counted at once, which take turns where the source can do that.
    virtual std::unique_ptr<Group> openInTurns(std::span<const std::string> names) const {
        return open(names);
    }
};

/// Events of the kernel and of the processor through perf_event_open, under perf's names.
const Source& perfEvents();
/// What devices such as memory controllers count for all programs of the node, under perf's names.
const Source& perfDevices();
/// Resource usage of the thread, getrusage(2).
const Source& resourceUsage();
/// Time of the thread on processors and waiting for one, /proc/thread-self/schedstat.
const Source& scheduler();
/// PAPI's presets and native events of threads, where PAPI is installed; found at run time.
const Source& papi();
/// PAPI's components that count for the process, and for the node.
const Source& papiOfProcess();
const Source& papiOfNode();

/// Memory and files of the process, from /proc/self.
const Source& processFiles();
/// Memory, network and disks of the node, from /proc and /sys.
const Source& nodeFiles();
/// Temperatures, fans, voltages and power of the node's sensors (hwmon).
const Source& sensors();
/// Energy of processors and memory (powercap, RAPL).
const Source& energy();

/// All of the above, in the order in which names are looked up: PAPI comes last, as it is only loaded where a
/// name is of no other source.
std::span<const Source* const> sources();

}  // namespace holos::counters
