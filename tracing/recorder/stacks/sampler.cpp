// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/stacks/sampler.h"

#include <link.h>
#include <pthread.h>
#include <sys/auxv.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <optional>

#include "tracing/code/loaded/file_table.h"
#include "tracing/code/loaded/frame_rules.h"
#include "tracing/counters/interrupts.h"
#include "tracing/counters/memory_samples.h"
#include "tracing/recorder/allocations/allocations.h"
#include "tracing/recorder/core/call_paths.h"
#include "tracing/recorder/core/confining.h"
#include "tracing/recorder/core/definition_log.h"
#include "tracing/recorder/core/events.h"
#include "tracing/recorder/core/helper_thread.h"
#include "tracing/recorder/core/thread.h"
#include "tracing/recorder/interpose/next_function.h"
#include "tracing/recorder/interpose/taken_signal.h"
#include "tracing/recorder/stacks/known_stack.h"
#include "tracing/recorder/stacks/program_part.h"
#include "tracing/recorder/stacks/thread_stack.h"
#include "tracing/recorder/stacks/walk/path_tree.h"
#include "tracing/recordings/format/clock.h"
#include "tracing/recordings/format/path_numbers.h"
#include "tracing/recordings/format/settings.h"

namespace holos::tracing::stacks {
namespace {

/// Sent for samples. Those who do not expect it lose nothing: the system ignores it unless a program asks for
/// it, also one that replaces a recorded program, and debuggers pass it on in silence.
constexpr int kSampleSignal = SIGURG;

/// What an address of the program's memory belongs to.
struct AccessedData {
    counters::MemoryPart part = counters::MemoryPart::Other;
    std::uint32_t path = 0;   ///< of the calls that allocated it, where that is known
    std::uint32_t block = 0;  ///< its number; 0: of no block that is known
};

using counters::MemoryPart;

/// Between the program and the end of its data, which brk(2) moves, is nothing else.
bool isBelowBreak(std::uint64_t address) noexcept {
    return address >= ::getauxval(AT_PHDR) && address < reinterpret_cast<std::uint64_t>(::sbrk(0));
}

/// 0 where the file says nothing of it.
std::uint64_t functionAt(std::uint64_t address) noexcept {
    code::LoadedFile file;
    code::UnwindEntry entry;
    const bool isKnown = code::findLoadedFile(address, file) && code::findUnwindEntry(file, address, entry);
    return isKnown ? entry.functionBegin : 0;
}

/// For a thread with this stack. The file that the address is of is among the definitions then. While a
/// `FileTableUse` lives. Async-signal-safe.
AccessedData accessedData(std::uint64_t address, const code::Stack& own) noexcept {
    if (own.contains(address)) return {MemoryPart::Stack};
    code::LoadedFile file;
    if (code::findLoadedFile(address, file)) {
        rememberFile(address);
        return {MemoryPart::File};
    }
    if (const auto block = allocations::blockAt(address))
        return {MemoryPart::Heap, block->path, block->number};
    return {isBelowBreak(address) ? MemoryPart::Heap : MemoryPart::Other};
}

/// Where the innermost function of an interrupted thread was when it did an access that it is interrupted
/// for: some instructions further back, unless the thread has left that function since then.
/// Async-signal-safe.
std::uint64_t placeOfAccess(std::uint64_t interrupted, std::uint64_t access) noexcept {
    const std::uint64_t function = functionAt(interrupted);
    return function != 0 && functionAt(access) == function ? access : interrupted;
}

using core::Thread;

/// What the handler needs of the stack for itself.
constexpr std::uint64_t kRoom = 32 * 1024;

/// Null when nothing is sampled. Never destroyed: threads may still start while the program ends.
const counters::Interrupts* chosen = nullptr;

struct SampledThread {
    counters::OpenInterrupts interrupts;
    code::Stack stack;
    bool isRefused;             ///< it is of no use to try again
    python::MixedStack* mixed;  ///< once Python's functions were met
};
thread_local SampledThread self __attribute__((tls_model("initial-exec")));

constexpr std::size_t kMostAccesses = 8;  ///< of one signal; most have one

/// The time is that of now, and the thread's last event keeps its own. `innermost`: the place in the first
/// function.
void record(core::Location& location, const SampledPart& part, std::uint64_t innermost,
            std::uint32_t weight) noexcept {
    const bool hasRoot = part.root != kNoPath && !part.functions.empty();
    const auto addresses = static_cast<std::uint32_t>(part.functions.size() + (hasRoot ? 1 : 0));
    const std::size_t words = sampleWords(addresses);
    std::uint64_t* const place = location.reserve(words);
    if (place == nullptr) return core::countLost();
    std::uint64_t* next = place + 3;
    for (const Frame& frame : part.functions) {
        if (!python::isPython(frame.address)) rememberFile(frame.address);
        *next++ = frame.address;
    }
    if (!part.functions.empty()) place[3] = innermost;
    if (hasRoot) *next = part.root;
    place[1] = pair(addresses, weight);
    place[2] = definedFiles();
    location.commit(place, header(RecordKind::Sample, ticksNow()), words);
}

/// Stands before its sample.
void recordAccess(core::Location& location, const counters::MemoryAccess& access) noexcept {
    const AccessedData data = accessedData(access.address, self.stack);
    const counters::AccessKind kind{access.source, data.part, access.isStore};
    core::write<RecordKind::MemoryAccess>(location, ticksNow(), access.address,
                                          pair(access.latency, counters::bitsOf(kind)),
                                          pair(data.path, data.block));
}

using Accesses = std::span<const counters::SampledAccess>;

/// One sample, or one for each access.
void sample(Thread& thread, const code::Registers& registers, std::uint32_t weight,
            Accesses accesses) noexcept {
    const core::BusyOnce busy(thread);
    const code::FileTableUse use;
    SampledStack stack;
    const SampledPart part = stack.programFunctions(registers, self.stack, innermostFunction(), self.mixed);
    const std::uint64_t innermost = part.functions.empty() ? 0 : part.functions.front().address;
    if (accesses.empty()) record(*thread.location, part, innermost, weight);
    for (const auto& [instruction, access] : accesses) {
        recordAccess(*thread.location, access);
        const bool ran = innermost == registers.pc();
        record(*thread.location, part, ran ? placeOfAccess(innermost, instruction) : innermost, 1);
    }
}

void countLostSamples(std::uint64_t number) noexcept {
    for (; number > 0; --number) core::countLostSample();
}

/// A sample that comes while an event is being written is left out, and counted.
void interrupted(const siginfo_t& info, const ucontext_t& context) noexcept {
    std::array<counters::SampledAccess, kMostAccesses> room;
    counters::TakenAccesses taken;
    const bool isOfMemory = self.interrupts.kind == counters::OpenInterrupts::Kind::Memory;
    if (isOfMemory) taken = takeAccesses(self.interrupts.memory, room);
    Thread& thread = core::thisThread;
    if (!core::recordingIsOn.load(std::memory_order_relaxed) || thread.location == nullptr) return;
    countLostSamples(taken.lost);
    if (isOfMemory && taken.count == 0) return;
    if (!core::mayAskKernel()) return countLostSamples(1);
    const code::Registers registers = code::Registers::of(context);
    const code::Stack usable{self.stack.low + kRoom, self.stack.high};
    if ((thread.state & Thread::kBusy) != 0 || !usable.contains(registers.sp()))
        return countLostSamples(std::max<std::uint64_t>(taken.count, 1));
    if (thread.state != 0) return;
    const bool isTimer = info.si_code == SI_TIMER;
    sample(thread, registers, isTimer ? 1U + static_cast<std::uint32_t>(std::max(info.si_overrun, 0)) : 1U,
           Accesses(room).first(taken.count));
}

constinit interpose::TakenSignal sampleSignal(kSampleSignal, interpose::TakenSignal::Manner::Ours);

void handle(int, siginfo_t* info, void* context) {
    const int saved = errno;
    if (self.interrupts.sent(*info))
        interrupted(*info, *static_cast<const ucontext_t*>(context));
    else
        sampleSignal.passOn(info, context);
    errno = saved;
}

void choose(const std::string& text) {
    const auto interrupts = counters::parseInterrupts(text);
    if (!interrupts) return;
    if (const char* reason = whyNoSamples()) return trouble(reason);
    if (!sampleSignal.take(&handle))
        return trouble("no samples of the call stack: the signal for them is not available");
    core::Definition(DefinitionKind::Interrupts)
        .addText(interrupts->name())
        .add(interrupts->period)
        .add(static_cast<std::uint8_t>(interrupts->isTime()))
        .write();
    prepareFileTable();
    if (interrupts->isMemory()) allocations::watchBlocks();
    chosen = new counters::Interrupts(*interrupts);
}

}  // namespace

void prepare() noexcept {
    const std::string_view wanted = core::settings().stackSamples;
    if (wanted.empty()) return;
    try {
        choose(std::string(wanted));
    } catch (const std::exception& error) {
        trouble(error.what());
    }
}

void startThread(Thread& thread) noexcept {
    startPaths(thread);
    if (chosen == nullptr || self.interrupts.isOpen || self.isRefused) return;
    const int saved = errno;
    try {
        self.stack = stackOfThread(thread.stackBytes);
        core::watchEnd(thread);
        counters::openInterrupts(*chosen, kSampleSignal, self.interrupts);
    } catch (const std::exception& error) {
        self.isRefused = true;
        trouble(error.what());
    }
    errno = saved;
}

void stopSamples() noexcept {
    self.isRefused = true;
    counters::closeInterrupts(self.interrupts);
}

void stopThread() noexcept {
    stopPaths(core::thisThread);
    stopSamples();
    python::release(self.mixed);
    self.mixed = nullptr;
}

}  // namespace holos::tracing::stacks

namespace holos::tracing::stacks {
namespace {

constexpr std::int64_t kEvery = 10'000'000;  ///< nanoseconds

/// Files that come later are found when samples have met their code.
void update(core::HelperThread& helper, void*) {
    do {
        if (code::isFileTableOld()) code::takeFileTable();
    } while (helper.sleepUntil(nanoseconds(CLOCK_MONOTONIC) + kEvery));
}

/// How often files were unloaded since the program began.
unsigned long long countUnloadings() noexcept {
    unsigned long long count = 0;
    ::dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* result) {
            *static_cast<unsigned long long*>(result) = info->dlpi_subs;
            return 1;
        },
        &count);
    return count;
}

}  // namespace

void prepareFileTable() noexcept {
    if (std::getenv("HOLOS_FILE_TABLE") == nullptr && !holos::code::isFileTableUsed()) return;
    code::useFileTable();
    static core::HelperThread helper;
    helper.start(&update, nullptr);
}

}  // namespace holos::tracing::stacks

/// The program's. Files that go away are forgotten before, as a sample would read their tables; and so is
/// what was found in them.
extern "C" __attribute__((visibility("default"))) int dlclose(void* handle) noexcept {
    using namespace holos::tracing;
    using namespace holos::tracing::stacks;
    interpose::forgetFound();
    const bool isRecording = core::recordingIsOn.load(std::memory_order_relaxed);
    if (isRecording) interpose::holdKeptLibraries();
    std::optional<holos::code::FilesGoAway> goAway;
    if (holos::code::isFileTableUsed() && isRecording) goAway.emplace();  // a child of fork does not record
    const unsigned long long before = isRecording ? countUnloadings() : 0;
    if (isRecording) unloadings.begin();
    const int result = interpose::closeLibrary(handle);
    interpose::forgetFound();
    if (isRecording && countUnloadings() != before && unloadings.add() % kStepKeys == 0) forgetSteps();
    if (isRecording) unloadings.end();
    return result;
}
