// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "tracing/recordings/format/record.h"

namespace holos::tracing::core {

/// The recording of this process: whether it records, where its files are, and its start and end.
#if defined(__x86_64__)
inline constexpr std::size_t kLargestPage = 4096;
#else
inline constexpr std::size_t kLargestPage = 65536;
#endif

/// Pages of their own that are zero in a child, however it was made (`MADV_WIPEONFORK`): the child has all
/// the memory of its parent, the files of the recording included, and must not touch them.
struct alignas(kLargestPage) OwnFlags {
    std::atomic<bool> isOpen{false};
    std::atomic<bool> isOn{false};
    std::atomic<bool> isOfThisProcess{false};  ///< what is recorded, from its start on and for good
};
extern OwnFlags ownFlags;

/// True between the start and the end of the recording: things are defined.
inline constexpr std::atomic<bool>& recordingIsOpen = ownFlags.isOpen;
/// True in between, where events are wanted. Read by every event.
inline constexpr std::atomic<bool>& recordingIsOn = ownFlags.isOn;

/// Begins the recording when the environment asks for it (`HOLOS_RECORDING`) and the process is one that
/// belongs into a trace (see `environment.h`). Called when the library is loaded, which the system does
/// before it calls the constructors of others; before glibc 2.34, and where another library asks for the
/// same, not always: so what others call there calls this, too. Does nothing later.
void begin() noexcept;

/// Writes the end of the program and stops. Called at exit, behind the destructors of libraries; harmless
/// when called again.
void end() noexcept;

/// The program is about to end by itself, and how; before `end`.
void noteExit(ExitWay way, int code) noexcept;

/// The end of another process, as `waitpid` told it this one; kept in the recording, also by processes that
/// are not recorded themselves, such as launchers and shells.
void noteEndOf(int process, int waitStatus) noexcept;

/// Notes that this process is about to become a program, of which the caller was told by this name, or, by
/// `noteStay`, that it did not. `searches`: a name without a slash is looked for in `PATH`. Also for
/// processes that are not recorded themselves; safe in a child that shares its parent's memory.
bool noteExec(bool hasRecorder, const char* program, bool searches) noexcept;
void noteStay() noexcept;
/// Notes that this process started another one with a program, after `time` of `timeOfLedger`. False where
/// that could not be noted, as below another root folder.
bool noteSpawn(int process, long long time, bool hasRecorder, const char* program, bool searches) noexcept;
long long timeOfLedger() noexcept;

/// `DIR/recording/HOST.PID.N`, or empty while nothing records, and in the child of a recorded process.
const char* directory() noexcept;

/// Whether this is the process whose recording `directory` is, and not a child of it that has its memory.
bool isRecordedProcess() noexcept;

/// `more` processes that this one, or a child of it, started are not in the ledger (`ledger.h`).
void noteUnnotedChildren(int more) noexcept;

/// Notes that the program left functions by a jump (`longjmp`).
void noteJump() noexcept;

/// The page that a reader finds even after a crash; never null (a private one until the recording begins).
Status& status() noexcept;

/// In a child that does not record: notes once in the parent's status that there was something to record.
/// False in the process that records.
bool noteUnrecordedChild() noexcept;

/// Counts events that are not in the trace; not after the recording has ended in order.
void countLost(std::uint64_t events = 1) noexcept;

/// Counts a sample of the call stack that is not in the trace. Async-signal-safe.
void countLostSample() noexcept;

/// The file of events is used as far as this.
void noteEventBytes(std::uint64_t bytes) noexcept;

/// Shows machines to which locks of files do not reach that this process lives. Called now and then by a
/// thread of the recorder that writes to the files anyway.
void beat() noexcept;

/// Stops the recording for good because of an error; the first `error` is kept.
void fail(int error) noexcept;

/// A file system refuses what it had taken before: nobody knows how much of it.
void noteLateFailure(int error) noexcept;

/// Allocates from pages that nothing else uses, never freed: safe where the program's `malloc` is not.
/// Null when there is no memory.
void* allocate(std::size_t bytes) noexcept;

}  // namespace holos::tracing::core

namespace holos::tracing::annotations {

/// What programs say of themselves by interfaces made for other tools: `tracing/recorder/annotations`, which
/// stands above and defines this.

/// At the end of the program: says what was left out, and which interfaces another tool heard.
void noteAtEnd() noexcept;

}  // namespace holos::tracing::annotations
