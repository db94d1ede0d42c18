// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace holos::tracing {

/// What a process's file `definitions` holds: entries of the form
///
///     u32 length of the rest, u8 kind, fields
///
/// with integers in the machine's byte order and texts as u32 length and bytes. Entries begin at multiples of
/// four bytes; a length of 0 ends them. `kUnfinished` in a length says that the program was killed before it
/// had written the entry, which is to be left out.
inline constexpr std::uint32_t kUnfinished = 1u << 31;

/// Bytes from the start of an entry to that of the next.
constexpr std::size_t entryBytes(std::uint32_t length) noexcept {
    return (sizeof(std::uint32_t) + std::size_t{length} + 3) / 4 * 4;
}

enum class DefinitionKind : std::uint8_t {
    Process = 1,  ///< u32 version, u32 chunk bytes, u64 pid, i64 rank by the launcher or -1, text host, text
                  ///< boot id, text executable, text clock, u32 n, n × text argument
    ClockSync,    ///< u64 ticks, i64 nanoseconds of CLOCK_MONOTONIC_RAW, i64 nanoseconds of CLOCK_REALTIME
    Region,       ///< u32 ref, u8 paradigm, u8 role, u32 begin line, u32 end line, text name, text file
    RegionAt,     ///< as Region, then text object file, u64 offset in it
    Comm,         ///< u32 ref, u32 root's world rank, u32 number, text name, u32 size, u32 size of a second
                  ///< group or 0, u32 own place among all members, u32 n, n × u32 world rank
    World,        ///< u32 rank, u32 size, u64 what tells this world from those of other jobs, or 0
    ClockOffset,  ///< u64 ticks, i64 nanoseconds to add for rank 0's clock, f64 standard deviation
    Location,     ///< u32 ref, u8 LocationKind, u32 master location, u32 level, u32 number, text name
    Team,         ///< u32 ref, u32 master location, u32 level, u32 size
    Counter,      ///< u32 index, u8 counters::Mode, u8 Values, texts: name, unit, description
    Window,       ///< u32 ref, u32 root's world rank, u32 number, u32 communicator
    Group,        ///< u32 ref, u32 n, n × u32 world rank
    Throttled,    ///< u32 region, u32 recorded calls, f64 nanoseconds of one on average
    Metric,       ///< u32 ref, u8 MetricType, u8 1 for a total, text name, text unit
    Parameter,    ///< u32 ref, text name
    Trouble,      ///< text: what could not be recorded, for people
    Sampled,      ///< as Counter, of what is sampled by time, then u8 counters::Scope
    ActiveShare,  ///< u32 counter, f64s: part of the time counted, estimate, deviation (below 0: no estimate)
    Stop,         ///< u64 ticks: later events were not wanted
    File,         ///< u32 ref, text name
    Handle,       ///< u32 ref, u32 file, u32 communicator, u32 number of the opening
    Grid,         ///< u32 communicator, u32 n, n × (u32 size, u8 1 where it is periodic)
    Switch,       ///< u64 ticks, u8 1: from then on all threads' events are recorded; 0: no longer
    NotWanted,    ///< nothing of this process is to be in the trace but that it was there
    Binding,      ///< u32 location, i64 how often the kernel has moved its thread or -1, u32 n, n × u64 of a
                  ///< mask: processors that the thread may use; at its start and again at its end
    Interrupts,   ///< text what samples are taken by, u64 period, u8 1 where that is nanoseconds
    LoadedFile,   ///< u64 address of its start, u64 of its end, text file (empty: the program), text build-id
    CallPath,  ///< u32 ref, u32 ref of the path to the caller or 0, u64 address that the call returns to; of
               ///< the files defined so far the last one that contains it is meant. With the highest bit set:
               ///< a Python function and the line in it (`path_numbers.h`)
    UserSpaceShare,  ///< u32 counter, f64 part of its readings by a thread that took no system call
    ProcessorTime,   ///< u32 location, i64 nanoseconds that its thread has been on processors or -1, i64 that
                     ///< it has waited for one or -1; at its end, and at its start where that was not the
                     ///< recording's
    PythonFunction,  ///< u32 ref, u32 its first line, text file, text name
    MpiLibrary,      ///< text: the first line of what the MPI library says about itself
    OtherThread,  ///< u32 kernel's number, u8 ThreadOrigin, i64 nanoseconds on processors or -1, i64 waiting
                  ///< for one or -1, text the kernel's name for it or empty, text file of the code that
                  ///< started it or empty; of several with one number and one origin the last one counts
    ProcessTime,  ///< i64 nanoseconds that all threads of the process have been on processors, i64
                  ///< nanoseconds of CLOCK_MONOTONIC_RAW; when the recording began, and at its end
    Exec,     ///< u32 effective user, text program that the process is about to become; empty: it could not
    Chunk,    ///< u32 location, u64 offset, u32 bytes, u32 words behind the head that were written, u64 a sum
              ///< (`record.h`): of a chunk of the file of events to which no more comes; the last one counts
    Meeting,  ///< a communicator with processes of another world, as one side knows it: u32 ref, u32 world
              ///< rank of this side's rank 0, u32 number, u8 MeetingSide, u64 ticks, text what both sides
              ///< know, u32 size of this side, u32 of the other, u32 own place, u32 n, n × u32 world rank
    DerivedComm,  ///< what was made of one with processes of several worlds: u32 ref, u32 ref of that, u32
                  ///< how many were made of it before, u32 place there of its rank 0, u32 size, u32 size of a
                  ///< second group or 0, u32 own place among all members, u32 n, n × u32 their places there
    WatchesShortage,  ///< records say when threads could run and had no processor (`shortage.h`)
    HeardInterface,   ///< text: an interface by which the program said what it does
    LocationName,     ///< u32 location, text name that the program gave its thread; the last one counts
    ProcessorLimit,   ///< u64 thousandths of a processor that the process's control group may use on average,
                      ///< u64 nanoseconds in which it was stopped because of that; when the recording began,
                      ///< and at its end
    MachineUse,    ///< u64 nanoseconds in which processors of the machine were in use since it started; the
                   ///< same moments
    ChildrenTime,  ///< u64 nanoseconds on processors of children that the process has waited for, and of
                   ///< theirs, u32 the number of its parent; the same moments
};

/// Why a thread has no location.
enum class ThreadOrigin : std::uint8_t {
    Unknown = 0,   ///< nobody told the recorder that it began
    Runtime = 1,   ///< a runtime system started it, and it worked in no team
    Earlier = 2,   ///< it was there when the recording began
    Recorder = 3,  ///< the recorder's own
    Silent = 4,    ///< nothing was recorded while it was there, as in a part of the run that is not wanted
};

enum class LocationKind : std::uint8_t {
    Main = 0,    ///< the process's first thread
    Place = 1,   ///< thread `number` of the team that `master` forks at `level`
    Thread = 2,  ///< a thread of its own, the `number`th one started
    Samples = 3  ///< no thread: what is sampled by time
};

inline constexpr std::uint32_t kNoLocation = 0xFFFFFFFFu;

/// In a `Trouble` that is completed when the recording becomes a trace: whether the profile is there is known
/// then.
inline constexpr const char* kAddedUpInstead = "from then on the run was added up and not traced";

}  // namespace holos::tracing

namespace holos::tracing::core {

/// One entry of a definitions file under construction: its length, its kind, and what was added to it. May
/// throw `bad_alloc`. `Own` is the class that is made of it.
template <class Own>
class DefinitionEntry {
  public:
    explicit DefinitionEntry(DefinitionKind kind) : bytes_(sizeof(std::uint32_t)) { add(kind); }

    template <class T>
    Own& add(T value) {
        static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
        const auto* begin = reinterpret_cast<const unsigned char*>(&value);
        bytes_.insert(bytes_.end(), begin, begin + sizeof value);
        return static_cast<Own&>(*this);
    }
    Own& addText(std::string_view text) {
        add(static_cast<std::uint32_t>(text.size()));
        bytes_.insert(bytes_.end(), text.begin(), text.end());
        return static_cast<Own&>(*this);
    }

    /// The entry so far; the first four bytes are for its length.
    std::span<unsigned char> bytes() noexcept { return bytes_; }

  private:
    std::vector<unsigned char> bytes_;
};

}  // namespace holos::tracing::core
