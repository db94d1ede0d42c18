// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "tracing/recordings/format/record.h"

/// What threads wait for in the calls that they are in, for those who look at the program meanwhile. Most of
/// it is in the trace once a call returns; of a call that never does, only the note says it.
///
/// Notes stand behind `Status` in the file `status`, one for each thread that has ever waited. A note is of
/// the call that the thread is in where its ticks are those of that call's enter; of polls that follow each
/// other where they are those of the first one's leave; else it is of an earlier call, as nothing is done
/// about it when a call returns.
namespace holos::tracing {

/// What may be waited for.
enum class AwaitedKind : std::uint8_t {
    Receive = 1,  ///< a message from `peer`, with `tag`
    Send,         ///< the completion of a message to `peer`, with `tag`
    Collective,   ///< an operation of all members of the communicator, whose root is `peer`; `tag`: that of
                  ///< its request where it was begun by an earlier call, else 0
    Lock,  ///< `tag`: the lock; `peer`: the kernel's number of the thread that holds it, or 0; in the place
           ///< of the communicator one more than its location, or 0
    ThreadEnd,  ///< `peer`: number of the thread in its process
    Other,      ///< of MPI; nothing is known of it
    Barrier,    ///< `tag`: the barrier; `peer`: how many threads had not come when the thread did
    Semaphore,  ///< `tag`: the semaphore
    /// The lock of a window of MPI, or what is done under it: `peer` is the target, or `kAllProcesses`; in
    /// the place of the communicator the window; as operation 1 where the call completes what was done.
    WindowLock,
    /// What other processes do with a window of MPI: `peer` is the group of these, in the place of the
    /// communicator the window; as operation 0 that they have called MPI_Win_post, as operation 1
    /// MPI_Win_complete.
    WindowEpoch,
};

/// As an operation of all: MPI_Win_fence, and calls of all who have a file open, which may also wait for the
/// file. Others are those of `Collective`.
inline constexpr std::uint32_t kFence = 64;
inline constexpr std::uint32_t kCollectiveFileCall = 65;

/// A request in the place of a tag; never 0.
constexpr std::uint32_t tagOf(std::uint64_t request) noexcept {
    return lowHalf(request) != 0 ? lowHalf(request) : 1;
}

/// Any sender, any tag.
inline constexpr std::uint32_t kAnyone = 0xFFFFFFFFu;

/// Words of 64 bit, as in `record.h`.
struct WaitingNote {
    static constexpr std::size_t kMostThings = 6;

    std::uint64_t
        since;  ///< ticks of the call's enter, or of a poll's leave; 0 while the note is being written
    std::uint64_t thread;  ///< pair(location + 1, the kernel's number of the thread); 0: free
    std::uint64_t count;   ///< pair(things, 1 where one of them is enough)
    struct Thing {
        std::uint64_t whom;  ///< pair(peer, communicator)
        std::uint64_t what;  ///< pair(tag, kind | operation << 8)
    } things[kMostThings];   ///< the first ones
    std::uint64_t unused;
};

/// The part of the file `status` that is used, and where notes are in it.
#if defined(__x86_64__)
inline constexpr std::size_t kStatusBytes = 16 * 1024;
#else
inline constexpr std::size_t kStatusBytes = 64 * 1024;
#endif
inline constexpr std::size_t kFirstNote = sizeof(WaitingNote);
inline constexpr std::size_t kMostNotes = (kStatusBytes - kFirstNote) / sizeof(WaitingNote);
static_assert(sizeof(WaitingNote) == 128 && sizeof(Status) <= kFirstNote);

constexpr std::uint32_t awaitedCode(AwaitedKind kind, std::uint32_t operation = 0) noexcept {
    return static_cast<std::uint32_t>(kind) | operation << 8;
}

}  // namespace holos::tracing
