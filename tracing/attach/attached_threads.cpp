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

int AttachedThreads::open(pid_t thread, int processor) {
    const counters::PerfEvent event = eventOf(samples_);
    perf_event_attr attributes{};
    attributes.size = sizeof attributes;
    attributes.type = event.type;
    attributes.config = event.config;
    attributes.config1 = event.config1;
    attributes.config2 = event.config2;
    attributes.sample_period = samples_ ? samples_->period : 0;
    attributes.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN |
                             PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
    attributes.sample_regs_user = kSampledRegisters;
    attributes.sample_stack_user = kSampledStack;
    attributes.exclude_callchain_kernel = 1;
    attributes.exclude_hv = 1;
    attributes.exclude_kernel = withoutKernel_ ? 1 : 0;
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
    const long file =
        ::syscall(SYS_perf_event_open, &attributes, thread, processor, -1, PERF_FLAG_FD_CLOEXEC);
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
    return who + counters::reasonNotToOpen(error, eventOf(samples_));
}

/// False where the thread has ended.
bool AttachedThreads::addThread(pid_t process, pid_t thread) {
    for (const int processor : processorsOfTheMachine()) {
        int file = open(thread, processor);
        if ((file == -EACCES || file == -EPERM) && !withoutKernel_) {
            withoutKernel_ = true;
            file = open(thread, processor);
            if (file >= 0 && samples_)
                restriction_ =
                    "samples in the kernel are missing: kernel.perf_event_paranoid does not allow them "
                    "(sysctl kernel.perf_event_paranoid=1)";
        }
        if (file == -ESRCH) return false;
        if (file == -ENODEV) continue;  // a processor that went away
        if (file < 0) throw Error(whyNot(process, -file));
        files_.push_back(file);
        const auto known = std::find_if(processors_.begin(), processors_.end(),
                                        [&](const Processor& one) { return one.number == processor; });
        if (known == processors_.end())
            processors_.push_back({processor, file, RecordBuffer(file)});
        else if (::ioctl(file, PERF_EVENT_IOC_SET_OUTPUT, known->file) != 0)
            throw Error(whyNot(process, errno));
        ::ioctl(file, PERF_EVENT_IOC_ENABLE, 0);
    }
    return true;
}

/// A thread that one starts meanwhile, of which events are opened already, is told of by these.
void AttachedThreads::add(pid_t process) {
    allowManyFiles();
    for (const pid_t thread : threadsOf(process))
        if (threads_.insert(thread).second) addThread(process, thread);
}

void AttachedThreads::take(const std::function<void(KernelRecord&&)>& consume) {
    for (Processor& processor : processors_)
        processor.buffer.take([&](std::span<const unsigned char> bytes) {
            if (auto record = parseKernelRecord(bytes)) consume(std::move(*record));
        });
}

void AttachedThreads::enable(bool isOn) {
    for (const int file : files_) ::ioctl(file, isOn ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
}

}  // namespace holos::attach
