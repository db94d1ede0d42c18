// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/attach/attached_threads.h"

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <sstream>

#include "base/error.h"
#include "tracing/attach/process_list.h"
#include "tracing/counters/files.h"
#include "tracing/counters/perf_devices.h"
#include "tracing/counters/perf_open.h"

namespace holos::attach {
namespace {

/// Of a list such as `0-3,8`.
std::vector<int> processorsIn(const std::string& list) {
    std::vector<int> numbers;
    std::istringstream parts(list);
    for (std::string part; std::getline(parts, part, ',');) {
        int first = 0, last = 0;
        const int found = std::sscanf(part.c_str(), "%d-%d", &first, &last);
        for (int i = first; found > 0 && i <= (found == 2 ? last : first); ++i) numbers.push_back(i);
    }
    return numbers;
}

const std::vector<int>& processorsOfTheMachine() {
    static const std::vector<int> all = processorsIn(counters::lineOf("/sys/devices/system/cpu/online"));
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
    if (!found) throw Error(samples->event + ": no event of perf, which alone take samples");
    return *found;
}

std::vector<counters::MemoryEvent> eventsOf(const std::optional<counters::Interrupts>& samples) {
    if (!samples || !samples->isMemory()) return {{eventOf(samples)}};
    auto all = counters::memoryEvents(counters::kDevices);
    if (all.empty())
        throw Error(
            "memory: this machine has no samples of accesses to memory (they need mem-loads of Intel's "
            "processors or ibs_op of AMD's in /sys/bus/event_source/devices, which most virtual machines "
            "lack)");
    return all;
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
    : samples_(std::move(samples)), events_(eventsOf(samples_)) {}

int AttachedThreads::open(const counters::MemoryEvent& one, pid_t thread, int processor, int leader) const {
    const counters::PerfEvent& event = one.event;
    perf_event_attr attributes{};
    attributes.size = sizeof attributes;
    attributes.type = event.type;
    attributes.config = event.config;
    attributes.config1 = event.config1;
    attributes.config2 = event.config2;
    attributes.precise_ip = one.precise & 3U;
    attributes.sample_period = samples_ && !one.isLeader ? samples_->period : 0;
    attributes.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN |
                             PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
    if (samples_ && samples_->isMemory()) {
        constexpr std::uint64_t kGrain = 16;  // of IBS, which takes no other periods
        if (!one.isLeader)
            attributes.sample_period = std::max<std::uint64_t>(samples_->period / kGrain, 1) * kGrain;
        attributes.sample_type |= PERF_SAMPLE_ADDR | PERF_SAMPLE_WEIGHT_STRUCT | PERF_SAMPLE_DATA_SRC;
    }
    attributes.sample_regs_user = kSampledRegisters;
    attributes.sample_stack_user = kSampledStack;
    attributes.exclude_callchain_kernel = 1;
    attributes.exclude_hv = one.hasDomains ? 1 : 0;
    attributes.exclude_kernel = withoutKernel_ && one.hasDomains ? 1 : 0;
    if (event.domains != 0) {
        attributes.exclude_user = (event.domains & counters::kUser) == 0;
        attributes.exclude_kernel = withoutKernel_ || (event.domains & counters::kKernel) == 0;
    }
    attributes.disabled = 1;
    attributes.inherit = 1;
    attributes.task = 1;
    attributes.comm = attributes.comm_exec = 1;
    attributes.mmap = attributes.mmap2 = 1;
    attributes.sample_id_all = 1;
    attributes.use_clockid = 1;
    attributes.clockid = CLOCK_MONOTONIC_RAW;
    long file = ::syscall(SYS_perf_event_open, &attributes, thread, processor, leader, PERF_FLAG_FD_CLOEXEC);
    if (file < 0 && errno == EINVAL && (attributes.sample_type & PERF_SAMPLE_WEIGHT_STRUCT) != 0) {
        // Before Linux 5.12 the latency stands alone there.
        attributes.sample_type ^= PERF_SAMPLE_WEIGHT_STRUCT | PERF_SAMPLE_WEIGHT;
        file = ::syscall(SYS_perf_event_open, &attributes, thread, processor, leader, PERF_FLAG_FD_CLOEXEC);
    }
    return file >= 0 ? static_cast<int>(file) : -errno;
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
    const auto known = std::find_if(processors_.begin(), processors_.end(),
                                    [&](const Processor& one) { return one.number == processor; });
    if (known == processors_.end())
        processors_.push_back({processor, file, RecordBuffer(file)});
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
            if (auto record = parseKernelRecord(bytes, hasAccesses)) consume(std::move(*record));
        });
}

void AttachedThreads::enable(bool isOn) {
    for (const int file : files_) ::ioctl(file, isOn ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
}

}  // namespace holos::attach
