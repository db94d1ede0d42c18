// SPDX-License-Identifier: BSD-3-Clause
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <initializer_list>

#include "tracing/recorder/core/process.h"
#include "tracing/recorder/core/programs.h"
#include "tracing/recorder/interpose/next_function.h"
#include "tracing/recorder/system/sleeper.h"

// The functions by which a program learns that another process ended. They put the thread to sleep, as those
// of sleeping_calls.cpp; and how that process ended is kept in the recording, as a process that is killed
// cannot say it itself. Launchers wait for what they started, so that this is known of the ranks of MPI, too.
namespace {

using holos::tracing::core::noteEndOf;
using holos::tracing::system::Purpose;
using holos::tracing::system::Sleeper;
using holos::tracing::system::Word;

constinit Sleeper nextWait("wait", "wait", Purpose::Sleep);
constinit Sleeper nextWaitpid("waitpid", "waitpid", Purpose::Sleep);
constinit Sleeper nextWaitid("waitid", "waitid", Purpose::Sleep);
constinit Sleeper nextWait3("wait3", "wait3", Purpose::Sleep);
constinit Sleeper nextWait4("wait4", "wait4", Purpose::Sleep);

/// Whether all of them are the C library's. Another library may have a function of its own under one of these
/// names, whose parameters are no places.
std::atomic<bool> areKnown{false};

/// Where the caller wants to know the status, or else a place of ours.
template <class Type>
class Told {
  public:
    explicit Told(Word wanted) : word_(wanted == 0 && isKnown_ ? reinterpret_cast<Word>(&own_) : wanted) {}
    Told(Told&&) = delete;
    Word word() const { return word_; }
    /// Null where nothing is known of it.
    const Type* value() const {
        // NOLINTNEXTLINE(performance-no-int-to-ptr): parameters are passed on as numbers
        return isKnown_ ? reinterpret_cast<const Type*>(word_) : nullptr;
    }

  private:
    const bool isKnown_ = areKnown.load(std::memory_order_relaxed);
    Type own_{};
    const Word word_;
};

/// `process`: what the function returned.
Word noted(Word process, const Told<int>& status) {
    const auto number = static_cast<int>(process);
    if (number > 0 && status.value() != nullptr) noteEndOf(number, *status.value());
    return process;
}

/// What waitpid would have said.
int statusOf(const siginfo_t& ended) {
    constexpr int kExitShift = 8;
    return ended.si_code == CLD_EXITED ? (ended.si_status & 0xff) << kExitShift : ended.si_status & 0x7f;
}

bool hasEnded(const siginfo_t& process) {
    return process.si_pid != 0 &&
           (process.si_code == CLD_EXITED || process.si_code == CLD_KILLED || process.si_code == CLD_DUMPED);
}

}  // namespace

// The compiler's name of each function differs from the linker's: headers declare the latter with other
// types.
#define HOLOS_WAIT(symbol)                                                   \
    extern "C" __attribute__((visibility("default")))                        \
    Word call_##symbol(Word, Word, Word, Word, Word, Word) __asm__(#symbol); \
    Word call_##symbol(Word a, Word b, Word c, Word d, Word e, Word f)

HOLOS_WAIT(wait) {
    const Told<int> status(a);
    return noted(nextWait.call(__builtin_return_address(0), status.word(), b, c, d, e, f), status);
}
HOLOS_WAIT(wait3) {
    const Told<int> status(a);
    return noted(nextWait3.call(__builtin_return_address(0), status.word(), b, c, d, e, f), status);
}
HOLOS_WAIT(waitpid) {
    const Told<int> status(b);
    return noted(nextWaitpid.call(__builtin_return_address(0), a, status.word(), c, d, e, f), status);
}
HOLOS_WAIT(wait4) {
    const Told<int> status(b);
    return noted(nextWait4.call(__builtin_return_address(0), a, status.word(), c, d, e, f), status);
}
/// A look alone is followed by the call that takes note.
HOLOS_WAIT(waitid) {
    const Told<siginfo_t> told(c);
    const Word result = nextWaitid.call(__builtin_return_address(0), a, b, told.word(), d, e, f);
    const bool isLook = (static_cast<int>(d) & WNOWAIT) != 0;
    const siginfo_t* const ended = told.value();
    if (static_cast<int>(result) == 0 && !isLook && ended != nullptr && hasEnded(*ended))
        noteEndOf(ended->si_pid, statusOf(*ended));
    return result;
}

/// Before the recorder begins.
__attribute__((constructor(101))) static void findWaits() {
    Dl_info library{};
    bool known = ::dladdr(reinterpret_cast<const void*>(&::getpid), &library) != 0;
    for (Sleeper* one : {&nextWait, &nextWaitpid, &nextWaitid, &nextWait3, &nextWait4}) {
        Dl_info own{};
        known = known && ::dladdr(one->find(), &own) != 0 && own.dli_fbase == library.dli_fbase;
    }
    areKnown.store(known, std::memory_order_relaxed);
}

// Commands that the C library starts itself, with the environment of the process: nobody sees what it calls
// for that. `system` waits for their end, and puts the thread to sleep as the functions of
// sleeping_calls.cpp.

namespace {

using holos::tracing::core::prepareCommand;
using holos::tracing::system::Purpose;
using holos::tracing::system::Sleeper;
using holos::tracing::system::Word;

constinit Sleeper nextSystem("system", "system", Purpose::Sleep);
constinit holos::tracing::interpose::Next<std::FILE*(const char*, const char*)> nextPopen("popen");

}  // namespace

// The compiler's name differs from the linker's: a header declares the latter with other types.
extern "C" __attribute__((visibility("default")))
Word call_system(Word, Word, Word, Word, Word, Word) __asm__("system");
Word call_system(Word a, Word b, Word c, Word d, Word e, Word f) {
    prepareCommand();
    return nextSystem.call(__builtin_return_address(0), a, b, c, d, e, f);
}

extern "C" __attribute__((visibility("default"))) std::FILE* popen(const char* command, const char* mode) {
    prepareCommand();
    return nextPopen.behind(__builtin_return_address(0))(command, mode);
}

/// Before the recorder begins.
__attribute__((constructor(101))) static void findCommands() {
    nextSystem.find();
}
