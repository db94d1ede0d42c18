// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/interpose/confinement.h"

#include <link.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <span>

#include "tracing/recorder/interpose/next_function.h"
#include "tracing/recorder/interpose/system_call_filter.h"

namespace holos::tracing::interpose {
namespace {

#if defined(__x86_64__)
constexpr unsigned char kInstructions[][2] = {{0x0F, 0x05}, {0x0F, 0x34}, {0xCD, 0x80}};
#elif defined(__aarch64__)
constexpr unsigned char kInstructions[][4] = {{0x01, 0x00, 0x00, 0xD4}};
#else
constexpr unsigned char kInstructions[][1] = {{0}};  // found everywhere
#endif

bool hasInstruction(const unsigned char* code, std::size_t bytes) noexcept {
    for (const auto& one : kInstructions)
        if (::memmem(code, bytes, one, sizeof one) != nullptr) return true;
    return false;
}

struct Search {
    std::uintptr_t address;
    bool isProgram = true;  ///< which comes first
    bool found = false;
};

bool isIn(const dl_phdr_info& file, const ElfW(Phdr) & part, std::uintptr_t address) noexcept {
    const std::uintptr_t begin = file.dlpi_addr + part.p_vaddr;
    return address >= begin && address < begin + part.p_memsz;
}

int searchOne(dl_phdr_info* file, std::size_t, void* data) {
    auto& search = *static_cast<Search*>(data);
    bool isWanted = search.isProgram;
    search.isProgram = false;
    for (int i = 0; i < file->dlpi_phnum; ++i)
        isWanted |= file->dlpi_phdr[i].p_type == PT_LOAD && isIn(*file, file->dlpi_phdr[i], search.address);
    for (int i = 0; isWanted && i < file->dlpi_phnum; ++i) {
        const auto& part = file->dlpi_phdr[i];
        constexpr auto kCode = PF_X | PF_R;
        if (part.p_type != PT_LOAD || (part.p_flags & kCode) != kCode) continue;
        // NOLINTNEXTLINE(performance-no-int-to-ptr): the loader gives addresses as numbers
        const auto* const code = reinterpret_cast<const unsigned char*>(file->dlpi_addr + part.p_vaddr);
        search.found |= hasInstruction(code, part.p_filesz);
    }
    return search.found ? 1 : 0;
}

/// Whether the code of the file in which the address lies, or of the program, may make a system call itself,
/// not by a function of the C library: it has the bytes of such an instruction somewhere.
bool makesSystemCallsItself(const void* address) noexcept {
    Search search{reinterpret_cast<std::uintptr_t>(address)};
    ::dl_iterate_phdr(&searchOne, &search);
    return search.found;
}

constexpr std::uint8_t kEverything = 0xFF;

constexpr std::uint8_t bitOf(Need need) noexcept {
    return static_cast<std::uint8_t>(1U << static_cast<unsigned>(need));
}

constexpr long kForStorage[] = {
    SYS_mmap,
    SYS_munmap,
    SYS_mremap,
    SYS_madvise,
    SYS_truncate,
    SYS_statfs,
    SYS_futex,
    SYS_getpid,
    SYS_gettid,
    SYS_sched_yield,
    SYS_sched_getaffinity,
    SYS_prlimit64,
    SYS_nanosleep,
    SYS_newfstatat,
    SYS_clock_gettime,
    SYS_rt_sigprocmask,
#ifdef SYS_access
    SYS_access,
#endif
#ifdef SYS_getrlimit
    SYS_getrlimit,
#endif
};
constexpr long kForFiles[] = {SYS_openat, SYS_read,  SYS_close,   SYS_clone,
                              SYS_exit,   SYS_fcntl, SYS_unshare, SYS_perf_event_open};
constexpr long kForCounters[] = {SYS_read, SYS_pread64, SYS_close, SYS_ioctl, SYS_munmap, SYS_getrusage};

std::atomic<std::uint8_t> ofAnyThread{0};
std::atomic<std::uint8_t> ofAllThreads{0};
thread_local constinit Confinement own __attribute__((tls_model("initial-exec")));
ConfinementWatcher watcher{};

constinit NextFunction next("prctl");

std::uint8_t forbiddenBy(const sock_fprog& filter) noexcept {
    std::uint8_t forbidden = 0;
    const auto look = [&](Need need, std::span<const long> numbers) {
        for (const long number : numbers)
            if (!lets(filter, number)) forbidden |= bitOf(need);
    };
    look(Need::Storage, kForStorage);
    look(Need::Files, kForFiles);
    look(Need::Counters, kForCounters);
    return forbidden;
}

void addFilter(Ban& ban, Register filter) noexcept {
    const auto* const program = reinterpret_cast<const sock_fprog*>(filter);  // NOLINT: a register
    if (program == nullptr) return;
    const std::uint8_t before = ban.after.isGuessed ? 0 : ban.after.forbidden;
    ban.after.forbidden = static_cast<std::uint8_t>(before | forbiddenBy(*program));
    ban.after.isGuessed = false;
}

/// Between their promise to gain no privileges and a filter that is seen, who makes system calls without the
/// C library may set one that is not.
void addPromise(Ban& ban, const void* caller) noexcept {
    if (ban.after.forbidden == kEverything || !makesSystemCallsItself(caller)) return;
    ban.after.forbidden = kEverything;
    ban.after.isGuessed = true;
}

void addStrict(Ban& ban) noexcept {
    ban.everything = true;
    ban.after.forbidden = kEverything;
    ban.after.isGuessed = false;
}

void ofPrctl(Ban& ban, const Register (&parameters)[5], const void* caller) noexcept {
    switch (static_cast<int>(parameters[0])) {
        case PR_SET_NO_NEW_PRIVS:
            return addPromise(ban, caller);
        case PR_SET_TSC:
            ban.clock = parameters[1] == PR_TSC_SIGSEGV;
            return;
        case PR_SET_SECCOMP:
            if (parameters[1] == SECCOMP_MODE_STRICT) addStrict(ban);
            if (parameters[1] == SECCOMP_MODE_FILTER) addFilter(ban, parameters[2]);
            return;
        default:
            return;
    }
}

void ofSeccomp(Ban& ban, const Register (&parameters)[5]) noexcept {
    // With more it is refused: so libraries ask whether there is the call.
    const bool isStrict =
        parameters[0] == SECCOMP_SET_MODE_STRICT && parameters[1] == 0 && parameters[2] == 0;
    if (isStrict) addStrict(ban);
    if (parameters[0] != SECCOMP_SET_MODE_FILTER) return;
    addFilter(ban, parameters[2]);
    ban.ofAllThreads = (parameters[1] & SECCOMP_FILTER_FLAG_TSYNC) != 0;
}

}  // namespace

bool may(Need need) noexcept {
    const std::uint8_t mine = own.isKnown ? own.forbidden : ofAnyThread.load(std::memory_order_relaxed);
    return ((mine | ofAllThreads.load(std::memory_order_relaxed)) & bitOf(need)) == 0;
}

Confinement confinement() noexcept {
    if (own.isKnown) return own;
    return {ofAnyThread.load(std::memory_order_relaxed), false, false};
}

void beginWith(Confinement confinement) noexcept {
    own = confinement;
}

void watchConfinement(const ConfinementWatcher& wanted) noexcept {
    watcher = wanted;
    own.isKnown = true;
}

Confining::Confining(long number, const Register (&parameters)[5], const void* caller) noexcept {
    ban_.before = ban_.after = confinement();
    if (number == SYS_prctl) ofPrctl(ban_, parameters, caller);
    if (number == SYS_seccomp) ofSeccomp(ban_, parameters);
    isOne_ = ban_.clock || ban_.everything || ban_.after.forbidden != ban_.before.forbidden;
    if (!isOne_) return;
    if (watcher.prepare != nullptr) watcher.prepare(ban_);
    own = ban_.after;
    own.isKnown = true;
    ofAnyThread.fetch_or(own.forbidden, std::memory_order_relaxed);
    if (ban_.ofAllThreads) ofAllThreads.fetch_or(own.forbidden, std::memory_order_relaxed);
}

void Confining::end(Register result) const noexcept {
    constexpr int kRefused = -1;
    if (!isOne_ || static_cast<int>(result) != kRefused) return;
    own = ban_.before;
    if (ban_.ofAllThreads) ofAllThreads.fetch_and(own.forbidden, std::memory_order_relaxed);
    if (watcher.undo != nullptr) watcher.undo(ban_);
}

}  // namespace holos::tracing::interpose

extern "C" __attribute__((visibility("default")))
holos::tracing::interpose::Register call_prctl(holos::tracing::interpose::Register,
                                               holos::tracing::interpose::Register,
                                               holos::tracing::interpose::Register,
                                               holos::tracing::interpose::Register,
                                               holos::tracing::interpose::Register) __asm__("prctl");
holos::tracing::interpose::Register call_prctl(holos::tracing::interpose::Register option,
                                               holos::tracing::interpose::Register a,
                                               holos::tracing::interpose::Register b,
                                               holos::tracing::interpose::Register c,
                                               holos::tracing::interpose::Register d) {
    using namespace holos::tracing::interpose;
    using Function = Register(Register, Register, Register, Register, Register);
    const void* const caller = __builtin_return_address(0);
    auto* const function = reinterpret_cast<Function*>(next.behind(caller));
    if (function == nullptr) {
        errno = ENOSYS;
        return ~Register{0};
    }
    const Confining confining(SYS_prctl, {option, a, b, c, d}, caller);
    const Register result = function(option, a, b, c, d);
    confining.end(result);
    return result;
}
