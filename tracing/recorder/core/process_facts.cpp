// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/process_facts.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <climits>
#include <cstring>
#include <string>
#include <vector>

#include "tracing/recorder/core/clock_comparison.h"
#include "tracing/recorder/core/confining.h"
#include "tracing/recorder/core/definition_log.h"
#include "tracing/recorder/core/environment.h"
#include "tracing/recorder/core/node_resources.h"
#include "tracing/recorder/core/process.h"
#include "tracing/recorder/memory/heap.h"
#include "tracing/recordings/format/clock.h"

namespace holos::tracing::core {
namespace {

/// The start of a file of /proc, which has no size of its own.
std::string readBegin(const char* path) {
    constexpr std::size_t kMost = 64 * 1024;
    std::string text;
    const int file = ::open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return text;
    char part[4096];
    for (ssize_t n = 0; text.size() < kMost && (n = ::read(file, part, sizeof part)) > 0;)
        text.append(part, static_cast<std::size_t>(n));
    ::close(file);
    return text;
}

/// Separates the zero-terminated texts of /proc/self/cmdline.
std::vector<std::string> arguments() {
    std::vector<std::string> result;
    const std::string all = readBegin("/proc/self/cmdline");
    for (std::size_t at = 0; at < all.size(); at += result.back().size() + 1)
        result.emplace_back(all.c_str() + at);
    return result;
}

/// A definition as `Definition` makes it, but without allocation.
template <std::size_t kMostBytes = 64 + kMostMaskWords * sizeof(std::uint64_t)>
class FixedEntry {
  public:
    explicit FixedEntry(DefinitionKind kind) { add(kind); }

    template <class T>
    FixedEntry& add(T value) {
        std::memcpy(bytes_ + size_, &value, sizeof value);
        size_ += sizeof value;
        return *this;
    }
    /// Cut off where there is no room for it.
    FixedEntry& addText(const char* text) {
        const std::size_t room = kMostBytes - size_ - sizeof(std::uint32_t);
        const std::size_t length = ::strnlen(text, room);
        add(static_cast<std::uint32_t>(length));
        std::memcpy(bytes_ + size_, text, length);
        size_ += length;
        return *this;
    }
    void write() noexcept { writeEntry(bytes_, size_); }

  private:
    unsigned char bytes_[kMostBytes];
    std::size_t size_ = sizeof(std::uint32_t);
};

}  // namespace

void writeProcessFacts(const char* executable) noexcept {
    try {
        char host[HOST_NAME_MAX + 1] = {};
        ::gethostname(host, sizeof host - 1);
        Definition process(DefinitionKind::Process);
        process.add(kFormatVersion).add(static_cast<std::uint32_t>(kChunkBytes));
        process.add(static_cast<std::uint64_t>(::getpid())).add(static_cast<std::int64_t>(launcherRank()));
        process.addText(host).addText(machineName()).addText(executable).addText(clockName());
        const auto all = arguments();
        process.add(static_cast<std::uint32_t>(all.size()));
        for (const auto& one : all) process.addText(one);
        process.write();
    } catch (...) {
        fail(ENOMEM);
    }
}

void writeLoadedFile(std::uint64_t begin, std::uint64_t end, const char* path, const char* buildId) noexcept {
    // Too large for the stack of a thread that happens to be the first one in a file.
    using LongEntry = FixedEntry<PATH_MAX + 160>;
    void* const memory = heap::allocate(sizeof(LongEntry));
    if (memory == nullptr) return;
    (new (memory) LongEntry(DefinitionKind::LoadedFile))
        ->add(begin)
        .add(end)
        .addText(path)
        .addText(buildId)
        .write();
    heap::release(memory);
}

void writePythonFunction(std::uint32_t number, std::uint32_t firstLine, const char* file,
                         const char* name) noexcept {
    constexpr std::size_t kMostName = 16 * 1024;
    using LongEntry = FixedEntry<2 * kMostName + 64>;
    void* const memory = heap::allocate(sizeof(LongEntry));
    if (memory == nullptr) return;
    auto* const entry = new (memory) LongEntry(DefinitionKind::PythonFunction);
    entry->add(number).add(firstLine).addText(file).addText(name).write();
    heap::release(memory);
}

void writeCallPath(std::uint32_t path, std::uint32_t caller, std::uint64_t returnAddress) noexcept {
    FixedEntry<>(DefinitionKind::CallPath).add(path).add(caller).add(returnAddress).write();
}

void writeClockSync() noexcept {
    const ClockSync sync = synchronizeClocks();
    FixedEntry<>(DefinitionKind::ClockSync).add(sync.ticks).add(sync.monotonic).add(sync.realtime).write();
}

void writeClockSyncInTime() noexcept {
    static std::atomic<std::uint64_t> first{0};
    static std::atomic<std::uint64_t> next{0};
    if (!recordingIsOn.load(std::memory_order_relaxed) || !mayAskKernel()) return;
    const std::uint64_t now = ticksNow();
    std::uint64_t due = next.load(std::memory_order_relaxed);
    if (now < due) return;
    std::uint64_t begin = 0;
    if (first.compare_exchange_strong(begin, now)) begin = now;
    constexpr std::uint64_t kLeast = 1U << 20U;  // ticks
    if (next.compare_exchange_strong(due, now + std::max(now - begin, kLeast))) writeClockSync();
}

void writeStop() noexcept {
    FixedEntry<>(DefinitionKind::Stop).add(ticksNow()).write();
}

void writeSwitch(std::uint64_t ticks, bool isOn) noexcept {
    FixedEntry<>(DefinitionKind::Switch).add(ticks).add(static_cast<std::uint8_t>(isOn)).write();
}

void writeNotWanted() noexcept {
    FixedEntry<>(DefinitionKind::NotWanted).write();
}

void writeActiveShare(std::uint32_t counter, double share, double estimate, double deviation) noexcept {
    FixedEntry<>(DefinitionKind::ActiveShare).add(counter).add(share).add(estimate).add(deviation).write();
}

void writeUserSpaceShare(std::uint32_t counter, double share) noexcept {
    FixedEntry<>(DefinitionKind::UserSpaceShare).add(counter).add(share).write();
}

void writeProcessorTime(std::uint32_t location, std::int64_t on, std::int64_t waiting) noexcept {
    FixedEntry<>(DefinitionKind::ProcessorTime).add(location).add(on).add(waiting).write();
}

void writeBinding(std::uint32_t location, std::int64_t migrations, const std::uint64_t* mask,
                  std::uint32_t words) noexcept {
    FixedEntry<> entry(DefinitionKind::Binding);
    entry.add(location).add(migrations).add(words);
    for (std::uint32_t i = 0; i < words; ++i) entry.add(mask[i]);
    entry.write();
}

void writeOtherThread(std::int32_t id, ThreadOrigin origin, std::int64_t on, std::int64_t waiting,
                      const char* name, const char* starter) noexcept {
    FixedEntry<>(DefinitionKind::OtherThread)
        .add(static_cast<std::uint32_t>(id))
        .add(origin)
        .add(on)
        .add(waiting)
        .addText(name)
        .addText(starter)
        .write();
}

void writeProcessTime() noexcept {
    FixedEntry<>(DefinitionKind::ProcessTime)
        .add(nanoseconds(CLOCK_PROCESS_CPUTIME_ID))
        .add(nanoseconds(CLOCK_MONOTONIC_RAW))
        .write();
}

void writeProcessorLimit() noexcept {
    const ProcessorLimit limit = processorLimit("");
    if (limit.thousandths == 0) return;
    FixedEntry<>(DefinitionKind::ProcessorLimit).add(limit.thousandths).add(limit.stopped).write();
}

void writeMachineUse() noexcept {
    if (const std::uint64_t inUse = machineUse(""); inUse != 0)
        FixedEntry<>(DefinitionKind::MachineUse).add(inUse).write();
}

void writeChildrenTime() noexcept {
    rusage used{};
    if (::getrusage(RUSAGE_CHILDREN, &used) != 0) return;
    constexpr std::uint64_t kSecond = 1'000'000'000, kMicrosecond = 1'000;
    const auto nanosecondsOf = [](const timeval& time) {
        return static_cast<std::uint64_t>(time.tv_sec) * kSecond +
               static_cast<std::uint64_t>(time.tv_usec) * kMicrosecond;
    };
    FixedEntry<>(DefinitionKind::ChildrenTime)
        .add(nanosecondsOf(used.ru_utime) + nanosecondsOf(used.ru_stime))
        .add(static_cast<std::uint32_t>(::getppid()))
        .write();
}

void writeExec(const char* program) noexcept {
    constexpr std::size_t kMostName = 1024;
    FixedEntry<kMostName + 64>(DefinitionKind::Exec)
        .add(static_cast<std::uint32_t>(::geteuid()))
        .addText(program)
        .write();
}

}  // namespace holos::tracing::core
