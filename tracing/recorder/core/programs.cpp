// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/programs.h"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "tracing/recorder/core/copying.h"
#include "tracing/recorder/core/keep_errno.h"
#include "tracing/recorder/core/process.h"
#include "tracing/recorder/core/process_facts.h"
#include "tracing/recorder/core/storage.h"
#include "tracing/recorder/core/thread.h"
#include "tracing/recorder/interpose/confinement.h"
#include "tracing/recorder/interpose/next_function.h"
#include "tracing/recorder/memory/heap.h"
#include "tracing/recordings/format/settings.h"

// Programs that a process starts or becomes. They get the recorder, too, where the variable by which the
// system loads it has been replaced: launchers do so (`mpirun -x LD_PRELOAD=…`), and scripts that preload a
// library of their own. Who wants to run a program without the recorder takes the variable away. Below
// another root folder (`chroot`), or without permission, the system would complain that it does not find the
// recorder: programs there do without.
namespace holos::tracing::core {
namespace {

constexpr std::size_t kPreloadBytes = sizeof kPreload - 1;

char kept[3 * PATH_MAX] = {};

/// The first library of `all`, which loses it.
std::string_view takeFirst(std::string_view& all) noexcept {
    const std::size_t end = all.find_first_of(": ");
    const std::string_view first = all.substr(0, end);
    all.remove_prefix(end == std::string_view::npos ? all.size() : end + 1);
    return first;
}

bool isOurs(std::string_view library) noexcept {
    const std::size_t slash = library.rfind('/');
    return library.substr(slash == std::string_view::npos ? 0 : slash + 1).starts_with("libholos-");
}

template <class Wanted>
void writeIf(const Wanted& isWanted, char* to, std::string_view all) noexcept {
    for (bool isFirst = true; !all.empty();) {
        const std::string_view library = takeFirst(all);
        if (!isWanted(library)) continue;
        if (!isFirst) *to++ = ':';
        to += library.copy(to, library.size());
        isFirst = false;
    }
    *to = '\0';
}

std::string_view firstOfOurs(std::string_view all) noexcept {
    while (!all.empty())
        if (const std::string_view library = takeFirst(all); isOurs(library)) return library;
    return {};
}

/// Libraries without a folder are looked for by the system, elsewhere.
bool isThere(std::string_view library) noexcept {
    char path[PATH_MAX];
    if (library.find('/') == std::string_view::npos || library.size() >= sizeof path) return true;
    path[library.copy(path, library.size())] = '\0';
    const KeepErrno keep;
    return ::faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) == 0;
}

/// Where it stands in the environment of the process; null where it does not.
char** variable() noexcept {
    for (char** at = environ; at != nullptr && *at != nullptr; ++at)
        if (std::strncmp(*at, kPreload, kPreloadBytes) == 0) return at;
    return nullptr;
}

/// The text before stays where it is, as somebody may be reading it.
void takeOut(char** variable) noexcept {
    auto* const text = static_cast<char*>(heap::allocate(std::strlen(*variable) + 1));
    if (text == nullptr) return;
    std::memcpy(text, kPreload, kPreloadBytes);
    writeOthers(text + kPreloadBytes, *variable + kPreloadBytes);
    __atomic_store_n(variable, text, __ATOMIC_RELEASE);
}

}  // namespace

void keepPreloaded() noexcept {
    const char* const all = std::getenv("LD_PRELOAD");
    if (all == nullptr || std::strlen(all) >= sizeof kept) return;
    writeIf([](std::string_view library) { return isOurs(library); }, kept, all);
}

const char* preloaded() noexcept {
    return kept;
}

bool hasRecorder(const char* all) noexcept {
    return std::strstr(all, "libholos-tracing.so") != nullptr;
}

bool isOutOfReach(const char* all) noexcept {
    if (!interpose::may(interpose::Need::Files)) return false;
    const std::string_view named = firstOfOurs(all);
    return !isThere(named.empty() ? firstOfOurs(kept) : named);
}

void writeOthers(char* to, const char* all) noexcept {
    writeIf([](std::string_view library) { return !library.empty() && !isOurs(library); }, to, all);
}

void prepareCommand() noexcept {
    char** const place = variable();
    if (place == nullptr || std::getenv(kRecordingVariable) == nullptr) return;
    const char* const all = *place + kPreloadBytes;
    if (!isOutOfReach(all)) return;
    if (hasRecorder(all)) takeOut(place);
    if (isRecordedProcess()) noteUnnotedChildren(1);
}

namespace {

using Texts = char* const*;

/// All are needed in children of fork and vfork, where nothing may be looked up any more.
constinit interpose::Next<int(const char*, Texts, Texts)> nextExecve("execve");
constinit interpose::Next<int(const char*, Texts)> nextExecv("execv");
constinit interpose::Next<int(const char*, Texts)> nextExecvp("execvp");
constinit interpose::Next<int(const char*, Texts, Texts)> nextExecvpe("execvpe");
constinit interpose::Next<int(int, Texts, Texts)> nextFexecve("fexecve");
constinit interpose::Next<int(int, const char*, Texts, Texts, int)> nextExecveat("execveat");
using Spawn = int(pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*, Texts,
                  Texts);
constinit interpose::Next<Spawn> nextSpawn("posix_spawn");
constinit interpose::Next<Spawn> nextSpawnp("posix_spawnp");

__attribute__((constructor(102))) void prepareForPrograms() {
    keepPreloaded();
    nextExecve.get();
    nextExecv.get();
    nextExecvp.get();
    nextExecvpe.get();
    nextFexecve.get();
    nextExecveat.get();
    nextSpawn.get();
    nextSpawnp.get();
}

/// An environment with the recorder in it: the caller's own where it is there, or where the program is not to
/// be recorded. Allocates nothing in the program's heap. Thread safety: safe, also in a child that shares its
/// parent's memory.
class WithRecorder {
  public:
    explicit WithRecorder(Texts given) noexcept : texts_(given) {
        if (given == nullptr) return;
        std::size_t count = 0;
        std::size_t place = SIZE_MAX;
        bool isOfRun = false;
        for (; given[count] != nullptr; ++count) {
            if (std::strncmp(given[count], kPreload, std::strlen(kPreload)) == 0) place = count;
            isOfRun |= isVariable(given[count], kRecordingVariable);
        }
        if (!isOfRun || place == SIZE_MAX) return;
        const char* const libraries = given[place] + std::strlen(kPreload);
        has_ = core::hasRecorder(libraries);
        isElsewhere_ = isOutOfReach(libraries);
        if (isElsewhere_ && has_) change(given, count, place, "", libraries);
        if (!isElsewhere_ && !has_ && libraries[0] != '\0' && preloaded()[0] != '\0')
            change(given, count, place, preloaded(), libraries);
    }
    ~WithRecorder() {
        if (own_ != nullptr) heap::release(own_);
    }
    WithRecorder(const WithRecorder&) = delete;
    WithRecorder& operator=(const WithRecorder&) = delete;

    bool isChanged() const noexcept { return own_ != nullptr; }
    /// Whether the program will have the recorder, if the system can load it.
    bool hasRecorder() const noexcept { return !isElsewhere_ && (has_ || own_ != nullptr); }
    /// The program cannot reach the recorder.
    bool isElsewhere() const noexcept { return isElsewhere_; }
    Texts texts() const noexcept { return texts_; }

  private:
    static bool isVariable(const char* text, const char* name) noexcept {
        const std::size_t bytes = std::strlen(name);
        return std::strncmp(text, name, bytes) == 0 && text[bytes] == '=';
    }

    /// `first`, and behind it those of `libraries` that are not the recorder's.
    void change(Texts given, std::size_t count, std::size_t place, const char* first,
                const char* libraries) noexcept {
        const std::size_t bytesOfFirst = std::strlen(first);
        const std::size_t bytesOfList = (count + 1) * sizeof(char*);
        own_ = heap::allocate(bytesOfList + sizeof kPreload + bytesOfFirst + 1 + std::strlen(libraries));
        if (own_ == nullptr) return;
        auto** const list = static_cast<char**>(own_);
        auto* const text = static_cast<char*>(own_) + bytesOfList;
        std::memcpy(list, given, bytesOfList);
        list[place] = text;
        char* const behind = ::stpcpy(::stpcpy(text, kPreload), first);
        *behind = ':';
        writeOthers(behind + (bytesOfFirst != 0 ? 1 : 0), libraries);
        texts_ = list;
    }

    void* own_ = nullptr;
    Texts texts_;
    bool has_ = false;
    bool isElsewhere_ = false;
};

/// While one exists, the process is about to become this program.
class Becoming {
  public:
    Becoming(const char* program, const WithRecorder& with) noexcept
        : isNoted_(program != nullptr && interpose::may(interpose::Need::Files) && isRecordedProcess()) {
        if (!isNoted_) return;
        writeExec(program);
        status().becomesElsewhere = with.isElsewhere() ? 1 : 0;
        if (storageIsCopied()) copyNow();
    }
    /// This process has not become another program.
    ~Becoming() {
        if (isNoted_) writeExec("");
    }
    Becoming(const Becoming&) = delete;
    Becoming& operator=(const Becoming&) = delete;

  private:
    bool isNoted_;
};

/// While one exists, a child of `vfork`, which has the memory of its parent and is nowhere noted, is about to
/// become a program that will not note itself.
class Unnoted {
  public:
    explicit Unnoted(bool isNoted) noexcept
        : isCounted_(!isNoted && directory()[0] != '\0' && !isRecordedProcess()) {
        if (isCounted_) noteUnnotedChildren(1);
    }
    ~Unnoted() {
        if (isCounted_) noteUnnotedChildren(-1);
    }
    Unnoted(const Unnoted&) = delete;
    Unnoted& operator=(const Unnoted&) = delete;

  private:
    bool isCounted_;
};

/// `call()` comes back where the program could not be run, and then errno says why. `searches`: it looks for
/// a name without a slash in `PATH`.
template <class Call>
int become(const char* program, bool searches, const WithRecorder& with, const Call& call) noexcept {
    int result = 0;
    int error = 0;
    {
        const Becoming becoming(program, with);
        const bool isNoted = noteExec(with.hasRecorder(), program, searches);
        const Unnoted unnoted(isNoted || with.hasRecorder());
        result = call();
        error = errno;
        noteStay();
    }
    errno = error;
    return result;
}

/// Of a descriptor, where the kernel says it.
class OfDescriptor {
  public:
    OfDescriptor(int file, const char* otherwise) noexcept : text_(otherwise) {
        const KeepErrno keep;
        char link[32];
        std::snprintf(link, sizeof link, "/proc/self/fd/%d", file);
        if (::readlink(link, own_, sizeof own_ - 1) > 0) text_ = own_;
    }
    OfDescriptor(OfDescriptor&&) = delete;
    const char* text() const noexcept { return text_; }

  private:
    const char* text_;
    char own_[1024] = {};
};

/// `call(child)` starts the process whose number it puts there.
template <class Call>
int spawn(pid_t* child, const char* program, bool searches, const WithRecorder& with,
          const Call& call) noexcept {
    pid_t own = 0;
    pid_t* const place = child != nullptr ? child : &own;
    const long long before = timeOfLedger();
    const int result = call(place);
    if (result == 0 && !noteSpawn(*place, before, with.hasRecorder(), program, searches) &&
        !with.hasRecorder())
        noteUnnotedChildren(1);
    return result;
}

}  // namespace
}  // namespace holos::tracing::core

using namespace holos::tracing::core;

HOLOS_INTERPOSED int execve(const char* path, char* const* arguments, char* const* environment) noexcept {
    const void* const caller = __builtin_return_address(0);
    const WithRecorder with(environment);
    return become(path, false, with,
                  [&] { return nextExecve.behind(caller)(path, arguments, with.texts()); });
}
HOLOS_INTERPOSED int execv(const char* path, char* const* arguments) noexcept {
    const void* const caller = __builtin_return_address(0);
    const WithRecorder with(environ);
    return become(path, false, with, [&] {
        return with.isChanged() ? nextExecve.behind(caller)(path, arguments, with.texts())
                                : nextExecv.behind(caller)(path, arguments);
    });
}
HOLOS_INTERPOSED int execvp(const char* file, char* const* arguments) noexcept {
    const void* const caller = __builtin_return_address(0);
    const WithRecorder with(environ);
    return become(file, true, with, [&] {
        return with.isChanged() ? nextExecvpe.behind(caller)(file, arguments, with.texts())
                                : nextExecvp.behind(caller)(file, arguments);
    });
}
HOLOS_INTERPOSED int execvpe(const char* file, char* const* arguments, char* const* environment) noexcept {
    const void* const caller = __builtin_return_address(0);
    const WithRecorder with(environment);
    return become(file, true, with,
                  [&] { return nextExecvpe.behind(caller)(file, arguments, with.texts()); });
}
HOLOS_INTERPOSED int fexecve(int file, char* const* arguments, char* const* environment) noexcept {
    const void* const caller = __builtin_return_address(0);
    const WithRecorder with(environment);
    const OfDescriptor program(file, arguments[0]);  // declared as never null
    return become(program.text(), false, with,
                  [&] { return nextFexecve.behind(caller)(file, arguments, with.texts()); });
}
HOLOS_INTERPOSED int execveat(int folder, const char* path, char* const* arguments, char* const* environment,
                              int flags) noexcept {
    const void* const caller = __builtin_return_address(0);
    const WithRecorder with(environment);
    return become(path, false, with,
                  [&] { return nextExecveat.behind(caller)(folder, path, arguments, with.texts(), flags); });
}
HOLOS_INTERPOSED int posix_spawn(pid_t* child, const char* path, const posix_spawn_file_actions_t* actions,
                                 const posix_spawnattr_t* attributes, char* const* arguments,
                                 char* const* environment) {
    const void* const caller = __builtin_return_address(0);
    const WithRecorder with(environment);
    return spawn(child, path, false, with, [&](pid_t* place) {
        return nextSpawn.behind(caller)(place, path, actions, attributes, arguments, with.texts());
    });
}
HOLOS_INTERPOSED int posix_spawnp(pid_t* child, const char* file, const posix_spawn_file_actions_t* actions,
                                  const posix_spawnattr_t* attributes, char* const* arguments,
                                  char* const* environment) {
    const void* const caller = __builtin_return_address(0);
    const WithRecorder with(environment);
    return spawn(child, file, true, with, [&](pid_t* place) {
        return nextSpawnp.behind(caller)(place, file, actions, attributes, arguments, with.texts());
    });
}

/// The arguments of a function that takes them one by one, up to the null behind them.
#define HOLOS_LIST_ARGUMENTS(list, first)                                                   \
    std::va_list rest;                                                                      \
    std::size_t count = 0;                                                                  \
    va_start(rest, first);                                                                  \
    for (const char* one = first; one != nullptr; one = va_arg(rest, char*)) ++count;       \
    va_end(rest);                                                                           \
    auto** const list = static_cast<char**>(__builtin_alloca((count + 1) * sizeof(char*))); \
    (list)[0] = const_cast<char*>(first);                                                   \
    va_start(rest, first);                                                                  \
    for (std::size_t i = 1; i <= count; ++i) (list)[i] = va_arg(rest, char*)

HOLOS_INTERPOSED int execl(const char* path, const char* first, ...) noexcept {
    HOLOS_LIST_ARGUMENTS(list, first);
    va_end(rest);
    return execv(path, list);
}
HOLOS_INTERPOSED int execlp(const char* file, const char* first, ...) noexcept {
    HOLOS_LIST_ARGUMENTS(list, first);
    va_end(rest);
    return execvp(file, list);
}
HOLOS_INTERPOSED int execle(const char* path, const char* first, ...) noexcept {
    HOLOS_LIST_ARGUMENTS(list, first);
    char* const* const environment = va_arg(rest, char* const*);
    va_end(rest);
    return execve(path, list, environment);
}

// The child of a vfork runs in the memory of its parent, as the thread that made it and on that thread's
// stack, until it runs another program or ends; the thread waits so long. What the child does is not the
// thread's: it is paused meanwhile. The function returns twice, which no C function can do: the second time
// its frame would be overwritten.
#if defined(__x86_64__)

namespace {

using holos::tracing::core::Thread;
static_assert(offsetof(Thread, state) == 16 && Thread::kOnePause == 2, "as in the code below");

}  // namespace

extern "C" __attribute__((visibility("hidden"), used)) long holosVforkFailed(int error) noexcept {
    errno = error;
    return -1;
}

// The return address waits in a register, which the kernel keeps for each of the two.
__asm__(R"(
    .text
    .globl vfork
    .type vfork, @function
    .p2align 4
vfork:
    .cfi_startproc
    endbr64
    movq _ZN5holos7tracing4core10thisThreadE@gottpoff(%rip), %rsi
    addl $2, %fs:16(%rsi)
    popq %rdi
    .cfi_adjust_cfa_offset -8
    .cfi_register %rip, %rdi
    movl $58, %eax                # SYS_vfork
    syscall
    testq %rax, %rax
    jz 1f
    subl $2, %fs:16(%rsi)         # in the parent, or where there is no child
    pushq %rdi
    .cfi_adjust_cfa_offset 8
    .cfi_offset %rip, -8
    cmpq $-4095, %rax
    jae 2f
    ret
1:  jmp *%rdi
2:  negl %eax
    movl %eax, %edi
    jmp holosVforkFailed
    .cfi_endproc
    .size vfork, . - vfork
)");

#endif
