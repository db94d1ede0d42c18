// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/attach/attached_threads.h"

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <ctime>

#include "base/error.h"
#include "tracing/counters/files.h"
#include "tracing/counters/perf_event_names.h"
#include "tracing/counters/perf_page.h"
#include "tracing/counters/source.h"
#include "tracing/recordings/attach/process_files.h"

namespace holos::attach {
namespace {

/// An event that could be counted for a part of the time only, as others wanted its register, is scaled up.
std::uint64_t valueOf(int file, double factor) {
    std::uint64_t got[3] = {};  // value, time enabled, time running
    if (::read(file, got, sizeof got) != sizeof got) return 0;
    double value = static_cast<double>(got[0]);
    if (got[2] != 0 && got[2] < got[1]) value *= static_cast<double>(got[1]) / static_cast<double>(got[2]);
    const bool isExact = factor == 1 && got[1] == got[2];
    return isExact ? got[0] : static_cast<std::uint64_t>(value * factor);
}

}  // namespace

ThreadCounters::~ThreadCounters() {
    for (auto& [thread, counted] : threads_) close(counted);
}

void ThreadCounters::close(Counted& counted) {
    for (const int file : counted.files) ::close(file);
    counted.files.clear();
}

bool ThreadCounters::open(pid_t thread, bool inherited, Counted& counted) {
    for (const auto& event : events_) {
        const int file = counters::openPerfEvent(event, {.thread = thread, .isInherited = inherited});
        if (file < 0) {
            close(counted);
            if (file == -ESRCH) return false;
            throw counters::Refusal(event.name, counters::reasonNotToOpen(-file, event));
        }
        counted.files.push_back(file);
        if (isOn_) ::ioctl(file, PERF_EVENT_IOC_ENABLE, 0);
    }
    counted.last.assign(events_.size(), 0);
    return true;
}

void ThreadCounters::addFirst(pid_t thread) {
    Counted counted{{}, {}, thread};
    if (open(thread, true, counted)) threads_.insert_or_assign(thread, std::move(counted));
}

void ThreadCounters::add(pid_t thread, pid_t parent) {
    const auto known = threads_.find(parent);
    if (known == threads_.end() || threads_.contains(thread)) return;
    Counted counted{{}, {}, known->second.first};
    if (open(thread, false, counted)) threads_.emplace(thread, std::move(counted));
}

void ThreadCounters::enable(bool isOn) {
    isOn_ = isOn;
    for (const auto& [thread, counted] : threads_)
        for (const int file : counted.files)
            ::ioctl(file, isOn ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
}

void ThreadCounters::readLater(Counted& counted) {
    for (std::size_t i = 0; i < counted.files.size(); ++i)
        counted.last[i] = std::max(counted.last[i], valueOf(counted.files[i], events_[i].factor));
}

/// One of the start counts on for what it started.
std::vector<std::uint64_t> ThreadCounters::end(pid_t thread) {
    const auto known = threads_.find(thread);
    if (known == threads_.end()) return {};
    if (known->second.first == thread) return read().at(thread);
    readLater(known->second);
    close(known->second);
    return known->second.last;
}

/// The later ones first, so that no more is taken off than the first ones have. Values never fall.
std::map<pid_t, std::vector<std::uint64_t>> ThreadCounters::read() {
    std::map<pid_t, std::vector<std::uint64_t>> values;
    std::map<pid_t, std::vector<std::uint64_t>> later;  // by thread of the start: sums of what it started
    for (auto& [thread, counted] : threads_) {
        if (thread == counted.first) continue;
        readLater(counted);
        auto& sums = later.try_emplace(counted.first, events_.size(), 0).first->second;
        for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += counted.last[i];
        values.emplace(thread, counted.last);
    }
    for (auto& [thread, counted] : threads_) {
        if (thread != counted.first) continue;
        const auto sums = later.find(thread);
        for (std::size_t i = 0; i < counted.files.size(); ++i) {
            const std::uint64_t all = valueOf(counted.files[i], events_[i].factor);
            const std::uint64_t others = sums != later.end() ? sums->second[i] : 0;
            counted.last[i] = std::max(counted.last[i], all - std::min(all, others));
        }
        values.emplace(thread, counted.last);
    }
    return values;
}

namespace {

/// Bytes of the processor's own records of which the kernel tells at once.
constexpr std::uint32_t kToldAt = 16 * 1024;

const std::vector<int>& processorsOfTheMachine() {
    static const std::vector<int> all = counters::onlineProcessors();
    return all;
}

/// What tells of lives of threads where nothing is sampled.
counters::PerfEvent eventOf(const std::optional<counters::Interrupts>& samples) {
    counters::PerfEvent event;
    event.type = PERF_TYPE_SOFTWARE;
    event.config = PERF_COUNT_SW_DUMMY;
    if (!samples) return event;
    event.config = PERF_COUNT_SW_TASK_CLOCK;
    if (samples->event.empty()) return event;
    const auto found = counters::findPerfEvent(samples->event);
    if (!found) throw Error(samples->event + ": not an event of perf; no other events can take samples");
    return *found;
}

std::vector<counters::MemoryEvent> eventsOf(const std::optional<counters::Interrupts>& samples) {
    if (!samples || !samples->isMemory()) return {{eventOf(samples)}};
    return counters::memoryEventsOf(counters::devicesHere());
}

/// Of the first processor: those of one machine number sources alike.
counters::SpeSources sourcesHere() {
    const std::string midr = counters::lineOf("/sys/devices/system/cpu/cpu0/regs/identification/midr_el1");
    return counters::speSourcesOf(std::strtoull(midr.c_str(), nullptr, 16));
}

/// As many files as this process may have: one for each thread and processor.
void allowManyFiles() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace

AttachedThreads::~AttachedThreads() {
    processors_.clear();
    for (const int file : files_) ::close(file);
}

AttachedThreads::AttachedThreads(std::optional<counters::Interrupts> samples)
    : samples_(std::move(samples)), events_(eventsOf(samples_)), sources_(sourcesHere()) {}

int AttachedThreads::open(const counters::MemoryEvent& one, pid_t thread, int processor, int leader) const {
    const bool isOfMemory = samples_ && samples_->isMemory();
    perf_event_attr attributes = counters::attributesOf(one, samples_ ? samples_->period : 0);
    if (!isOfMemory) {
        attributes.sample_type = 0;
        attributes.sample_period = samples_ ? samples_->period : 0;
    }
    attributes.sample_type |= PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN |
                              PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
    attributes.sample_regs_user = kSampledRegisters;
    attributes.sample_stack_user = kSampledStack;
    attributes.exclude_callchain_kernel = 1;
    attributes.exclude_kernel = withoutKernel_ && one.hasDomains ? 1 : 0;
    if (one.event.domains != 0) {
        attributes.exclude_user = (one.event.domains & counters::kUser) == 0;
        attributes.exclude_kernel = withoutKernel_ || (one.event.domains & counters::kKernel) == 0;
    }
    attributes.inherit = 1;
    attributes.task = 1;
    attributes.comm = attributes.comm_exec = 1;
    attributes.mmap = attributes.mmap2 = 1;
    attributes.sample_id_all = 1;
    attributes.use_clockid = 1;
    attributes.clockid = CLOCK_MONOTONIC_RAW;
    if (one.hasOwnRecords) attributes.aux_watermark = kToldAt;
    return counters::openSamples(attributes, thread, processor, leader);
}

std::string AttachedThreads::whyNot(pid_t process, int error) const {
    const std::string who = "process " + std::to_string(process) + ": ";
    struct stat owner {};
    const bool isOthers =
        ::stat(("/proc/" + std::to_string(process)).c_str(), &owner) == 0 && owner.st_uid != ::geteuid();
    if ((error == EACCES || error == EPERM) && isOthers)
        return who +
               "it belongs to another user (run this as that user, or with the capabilities "
               "CAP_PERFMON and CAP_SYS_PTRACE)";
    if (error == EMFILE)
        return who + "its threads need more files than this process may open ('ulimit -n' allows more)";
    return who + counters::reasonNotToOpen(error, events_.front().event);
}

/// All events of a processor write to one buffer.
void AttachedThreads::useBuffer(pid_t process, int file, int processor) {
    const auto known = std::ranges::find(processors_, processor, &Processor::number);
    if (known == processors_.end())
        processors_.push_back({processor, file, RecordBuffer(file, hasOwnRecords())});
    else if (::ioctl(file, PERF_EVENT_IOC_SET_OUTPUT, known->file) != 0)
        throw Error(whyNot(process, errno));
}

/// False where the thread has ended. Of a group the leader is switched on last.
bool AttachedThreads::addEvents(pid_t process, pid_t thread, int processor) {
    const std::size_t before = files_.size();
    int leader = -1;
    for (const counters::MemoryEvent& event : events_) {
        int file = open(event, thread, processor, leader);
        if ((file == -EACCES || file == -EPERM) && !withoutKernel_) {
            withoutKernel_ = true;
            file = open(event, thread, processor, leader);
            if (file >= 0 && samples_)
                restriction_ =
                    "samples in the kernel are missing: kernel.perf_event_paranoid does not allow them "
                    "(sysctl kernel.perf_event_paranoid=1)";
        }
        if (file == -ESRCH) return false;
        if (file == -ENODEV) continue;  // a processor that went away, or of another kind
        if (file < 0) throw Error(whyNot(process, -file));
        files_.push_back(file);
        useBuffer(process, file, processor);
        leader = event.isLeader ? file : -1;
    }
    for (std::size_t i = files_.size(); i > before; --i) ::ioctl(files_[i - 1], PERF_EVENT_IOC_ENABLE, 0);
    return true;
}

/// False where the thread has ended.
bool AttachedThreads::addThread(pid_t process, pid_t thread) {
    for (const int processor : processorsOfTheMachine())
        if (!addEvents(process, thread, processor)) return false;
    return true;
}

/// A thread that one starts meanwhile, of which events are opened already, is told of by these.
void AttachedThreads::add(pid_t process) {
    allowManyFiles();
    for (const pid_t thread : threadsOf(process))
        if (threads_.insert(thread).second) addThread(process, thread);
}

void AttachedThreads::take(const std::function<void(KernelRecord&&)>& consume) {
    const bool hasAccesses = samples_ && samples_->isMemory();
    for (Processor& processor : processors_)
        processor.buffer.take([&](std::span<const unsigned char> bytes) {
            if (const auto own = parseOwnRecords(bytes)) return takeOwn(processor.buffer, *own, consume);
            if (auto record = parseKernelRecord(bytes, hasAccesses)) consume(std::move(*record));
        });
}

bool AttachedThreads::hasOwnRecords() const {
    return std::ranges::any_of(events_, [](const auto& one) { return one.hasOwnRecords; });
}

/// Their times are that at which the kernel told of them, and of the calls that led to each only the
/// innermost is known.
void AttachedThreads::takeOwn(RecordBuffer& buffer, const KernelOwnRecords& own,
                              const std::function<void(KernelRecord&&)>& consume) const {
    buffer.takeOwn(own.from, own.bytes, [&](std::span<const unsigned char> bytes) {
        counters::speAccessesIn(bytes, own.from, sources_, [&](const counters::SampledAccess& one) {
            KernelSample sample;
            sample.process = own.process;
            sample.thread = own.thread;
            sample.time = own.time;
            sample.callers = {one.instruction};
            sample.access = one.access;
            consume(std::move(sample));
        });
    });
}

void AttachedThreads::enable(bool isOn) {
    for (const int file : files_) ::ioctl(file, isOn ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
}

}  // namespace holos::attach
