// SPDX-License-Identifier: BSD-3-Clause
#include "validation/kernels.h"

#include <sched.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <numeric>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/error.h"
#include "validation/processors.h"

namespace holos::validation {

FreshMemory::FreshMemory(std::size_t bytes) : begin_(nullptr), bytes_(std::max<std::size_t>(bytes, 1)) {
    void* memory =
        ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        throw Error(std::to_string(bytes_) + " bytes of memory: " + std::strerror(errno));
    ::madvise(memory, bytes_, MADV_NOHUGEPAGE);  // refused by kernels without them, which is as good
    begin_ = static_cast<char*>(memory);
}

FreshMemory::~FreshMemory() {
    ::munmap(begin_, bytes_);
}

std::size_t pageBytes() {
    return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace holos::validation

namespace holos::validation::kernels {
namespace {

// Code that was never run before: the validity study's in-line microbenchmarks (section 2.1).
using Function = void (*)();

/// Writes a jump from a place in code to another one.
void putJump(char* from, const char* to) noexcept {
#if defined(__x86_64__)
    constexpr unsigned char kJump = 0xe9;
    constexpr std::ptrdiff_t kBytes = 5;
    const auto distance = static_cast<std::int32_t>(to - from - kBytes);
    std::memcpy(from, &kJump, sizeof kJump);
    std::memcpy(from + 1, &distance, sizeof distance);
#elif defined(__aarch64__)
    constexpr std::uint32_t kBranch = 0x14000000, kDistance = 0x03ffffff;
    const std::uint32_t code = kBranch | (static_cast<std::uint32_t>((to - from) / 4) & kDistance);
    std::memcpy(from, &code, sizeof code);
#else
    static_cast<void>(from);
    static_cast<void>(to);
#endif
}

void putReturn(char* at) noexcept {
#if defined(__x86_64__)
    constexpr unsigned char kReturn = 0xc3;
    std::memcpy(at, &kReturn, sizeof kReturn);
#elif defined(__aarch64__)
    constexpr std::uint32_t kReturn = 0xd65f03c0;
    std::memcpy(at, &kReturn, sizeof kReturn);
#else
    static_cast<void>(at);
#endif
}

/// The numbers from 1 on in an order that no prefetcher foresees, behind 0, where the code begins.
std::vector<std::size_t> shuffled(std::size_t count) {
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    std::uint64_t state = 88172645463325252U;
    for (std::size_t left = count; left > 2; --left) {
        state ^= state << 13U;  // Marsaglia's xorshift
        state ^= state >> 7U;
        state ^= state << 17U;
        std::swap(order[left - 1], order[1 + state % (left - 1)]);
    }
    return order;
}

/// Runs `size` jumps, each in a block of its own, all once.
void runBlocks(std::uint64_t size, std::size_t blockBytes, Window& window) {
#if !defined(__x86_64__) && !defined(__aarch64__)
    throw Error("microbenchmarks of code are written for x86-64 and AArch64 only");
#endif
    const FreshMemory memory(size * blockBytes);
    const auto order = shuffled(size);
    for (std::size_t i = 0; i + 1 < order.size(); ++i)
        putJump(memory.begin() + order[i] * blockBytes, memory.begin() + order[i + 1] * blockBytes);
    putReturn(memory.begin() + order.back() * blockBytes);
    if (::mprotect(memory.begin(), memory.bytes(), PROT_READ | PROT_EXEC) != 0)
        throw Error("the system does not allow code that a program generates: " +
                    std::string(std::strerror(errno)));
    char* const begin = memory.begin();
    __builtin___clear_cache(begin, begin + memory.bytes());
    const auto run = reinterpret_cast<Function>(memory.begin());
    window.begin();
    run();
    window.end();
}

}  // namespace

void runLines(std::uint64_t size, Window& window) {
    runBlocks(size, cacheLineBytes(), window);
}

void runPages(std::uint64_t size, Window& window) {
    runBlocks(size, pageBytes(), window);
}

namespace {

/// Makes the compiler believe that the value changed: it can neither foresee it nor leave the loop out.
template <class Value>
void hide(Value& value) {
    asm volatile("" : "+m"(value) : : "memory");
}

template <class Operation>
void repeat(std::uint64_t size, Window& window, Operation operation) {
    window.begin();
    for (std::uint64_t turn = 0; turn < size; ++turn) operation();
    window.end();
}

/// Of a thread that is not observed.
class Unseen final : public Window {
  public:
    void begin() noexcept override {}
    void end() noexcept override {}
};

/// The operand is read again in every turn, so that no vector instruction does several at once.
template <class Operation>
void floatingPoint(std::uint64_t size, Window& window, Operation operation) {
    double value = 1.0;
    double operand = 1.0;
    hide(operand);
    repeat(size, window, [&] {
        value = operation(value, operand);
        hide(operand);
    });
    hide(value);
}

}  // namespace

void nothing(std::uint64_t, Window& window) {
    window.begin();
    window.end();
}

void additions(std::uint64_t size, Window& window) {
    floatingPoint(size, window, [](double a, double b) { return a + b; });
}

void additionsOfTwo(std::uint64_t size, Window& window) {
    Meeting meeting;
    const auto other = onOtherProcessor([&] {
        meeting.meet();
        Unseen unseen;
        additions(size, unseen);
    });
    meeting.meet();
    additions(size, window);
}

void additionsOfMany(std::uint64_t size, Window& window) {
    const unsigned others = 2 * processorCount() - 1;
    Meeting meeting(others + 1);
    std::vector<std::jthread> threads;
    for (unsigned each = 0; each < others; ++each)
        threads.emplace_back([&meeting, size] {
            meeting.meet();
            Unseen unseen;
            additions(size, unseen);
        });
    meeting.meet();
    additions(size, window);
}

void multiplications(std::uint64_t size, Window& window) {
    floatingPoint(size, window, [](double a, double b) { return a * b; });
}

void divisions(std::uint64_t size, Window& window) {
    floatingPoint(size, window, [](double a, double b) { return a / b; });
}

void loads(std::uint64_t size, Window& window) {
    volatile std::uint64_t word = 0;
    repeat(size, window, [&word] { load(word); });
}

void stores(std::uint64_t size, Window& window) {
    volatile std::uint64_t word = 0;
    repeat(size, window, [&word] { word = 1; });
}

void instructions(std::uint64_t size, Window& window) {
    // Ten instructions a turn: eight that do nothing, and two for the loop.
    std::uint64_t turns = size / 10;
    window.begin();
#if defined(__x86_64__)
    asm volatile("1: .rept 8\n nop\n .endr\n dec %0\n jnz 1b" : "+r"(turns) : : "cc");
#elif defined(__aarch64__)
    asm volatile("1: .rept 8\n nop\n .endr\n subs %0, %0, #1\n b.ne 1b" : "+r"(turns) : : "cc");
#else
    turns = 0;
#endif
    window.end();
#if !defined(__x86_64__) && !defined(__aarch64__)
    throw Error("the microbenchmark of instructions is written for x86-64 and AArch64 only");
#endif
}

void takenBranches(std::uint64_t size, Window& window) {
    repeat(size, window, [] { asm volatile(""); });
}

void randomBranches(std::uint64_t size, Window& window) {
    std::uint64_t state = 88172645463325252u;
    repeat(2 * size, window, [&state] {
        state ^= state << 13;  // Marsaglia's xorshift
        state ^= state >> 7;
        state ^= state << 17;
        if ((state & 1) != 0)
            asm volatile("" : : : "memory");  // keeps the branch a branch
        else
            asm volatile("" : "+r"(state));
    });
}

namespace {

using Word = volatile std::uint64_t;

/// Words, each on a cache line of its own.
class Lines {
  public:
    explicit Lines(std::uint64_t count) : memory_(count * cacheLineBytes()), stride_(cacheLineBytes()) {}

    Word& operator[](std::uint64_t line) const noexcept {
        return *reinterpret_cast<Word*>(memory_.begin() + line * stride_);
    }
    void write(std::uint64_t first, std::uint64_t count) const noexcept {
        for (std::uint64_t line = first; line < first + count; ++line) (*this)[line] = line;
    }
    void read(std::uint64_t first, std::uint64_t count) const noexcept {
        for (std::uint64_t line = first; line < first + count; ++line) load((*this)[line]);
    }
    void readAndWrite(std::uint64_t first, std::uint64_t count) const noexcept {
        for (std::uint64_t line = first; line < first + count; ++line) (*this)[line] = (*this)[line] + 1;
    }

  private:
    FreshMemory memory_;
    std::size_t stride_;
};

/// Fills the caches with something else.
void emptyCaches() {
    constexpr long kUnknown = 64 << 20;
    const long largest = std::max({::sysconf(_SC_LEVEL2_CACHE_SIZE), ::sysconf(_SC_LEVEL3_CACHE_SIZE)});
    const FreshMemory other(2 * static_cast<std::size_t>(largest > 0 ? largest : kUnknown));
    for (std::size_t at = 0; at < other.bytes(); at += cacheLineBytes()) other.begin()[at] = 1;
}

}  // namespace

void writePages(std::uint64_t size, Window& window) {
    const std::size_t page = pageBytes();
    const FreshMemory memory(size * page);
    window.begin();
    for (std::uint64_t at = 0; at < size; ++at) *reinterpret_cast<Word*>(memory.begin() + at * page) = 1;
    window.end();
}

void readPages(std::uint64_t size, Window& window) {
    const std::size_t page = pageBytes();
    const FreshMemory memory(size * page);
    window.begin();
    for (std::uint64_t at = 0; at < size; ++at) load(*reinterpret_cast<Word*>(memory.begin() + at * page));
    window.end();
}

void readOthersLines(std::uint64_t size, Window& window) {
    const Lines lines(2 * size);
    Meeting meeting;
    const auto other = onOtherProcessor([&] {
        lines.write(size, size);
        meeting.meet();
        lines.read(0, size);
    });
    lines.write(0, size);
    meeting.meet();
    window.begin();
    lines.read(size, size);
    window.end();
}

void lendLines(std::uint64_t size, Window& window) {
    const Lines lines(size);
    Meeting counted;
    std::atomic<bool> done{false};
    const auto other = onOtherProcessor([&] {
        counted.meet();
        lines.read(0, size);
        done.store(true, std::memory_order_release);
    });
    lines.write(0, size);
    window.begin();
    counted.meet();
    spinUntil([&] { return done.load(std::memory_order_acquire); });
    window.end();
}

void pingPong(std::uint64_t size, Window& window) {
    constexpr unsigned kOurs = 0, kTheirs = 1;
    alignas(256) std::atomic<unsigned> word{kTheirs};
    Meeting meeting;
    const auto other = onOtherProcessor([&] {
        meeting.meet();
        for (std::uint64_t turn = 0; turn < size; ++turn) {
            spinUntil([&] { return word.load(std::memory_order_acquire) == kOurs; });
            word.store(kTheirs, std::memory_order_release);
        }
    });
    meeting.meet();
    window.begin();
    for (std::uint64_t turn = 0; turn < size; ++turn) {
        word.store(kOurs, std::memory_order_release);
        spinUntil([&] { return word.load(std::memory_order_acquire) == kTheirs; });
    }
    window.end();
}

void writeSharedLines(std::uint64_t size, Window& window) {
    const Lines lines(size);
    Meeting meeting;
    const auto other = onOtherProcessor([&] {
        lines.write(0, size);
        meeting.meet();
    });
    meeting.meet();
    window.begin();
    lines.readAndWrite(0, size);
    window.end();
}

void writeCleanLines(std::uint64_t size, Window& window) {
    const Lines lines(2 * size);
    lines.write(0, 2 * size);
    emptyCaches();
    Meeting meeting;
    const auto other = onOtherProcessor([&] {
        meeting.meet();
        lines.readAndWrite(size, size);
    });
    meeting.meet();
    window.begin();
    lines.readAndWrite(0, size);
    window.end();
}

namespace {

class Baton {
  public:
    Baton() { ::sem_init(&semaphore_, 0, 0); }
    ~Baton() { ::sem_destroy(&semaphore_); }
    Baton(Baton&&) = delete;

    void give() noexcept { ::sem_post(&semaphore_); }
    void take() noexcept {
        while (::sem_wait(&semaphore_) != 0 && errno == EINTR) continue;
    }

  private:
    sem_t semaphore_;
};

/// A thread of this class that wakes does not take the processor from the one that woke it, so that this one
/// gets to its own sleep.
void yieldToTheRunning() noexcept {
    const sched_param none{};
    ::sched_setscheduler(0, SCHED_BATCH, &none);
}

std::uint64_t processorNanoseconds() noexcept {
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

}  // namespace

void handOver(std::uint64_t size, Window& window) {
    Baton ours, theirs, ready;
    pinTo(0);
    yieldToTheRunning();
    const std::jthread other([&] {
        yieldToTheRunning();
        ready.give();
        for (std::uint64_t turn = 0; turn < size; ++turn) {
            theirs.take();
            ours.give();
        }
    });
    ready.take();
    window.begin();
    for (std::uint64_t turn = 0; turn < size; ++turn) {
        theirs.give();
        ours.take();
    }
    window.end();
}

void migrate(std::uint64_t size, Window& window) {
    pinTo(1);
    pinTo(0);
    window.begin();
    for (std::uint64_t turn = 1; turn <= size; ++turn) pinTo(static_cast<unsigned>(turn % 2));
    window.end();
}

void compute(std::uint64_t size, Window& window) {
    processorNanoseconds();  // the first call is slow
    window.begin();
    const std::uint64_t end = processorNanoseconds() + size;
    while (processorNanoseconds() < end) continue;
    window.end();
}

}  // namespace holos::validation::kernels
