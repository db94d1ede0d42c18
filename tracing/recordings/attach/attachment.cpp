// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/attach/attachment.h"

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
#include "tracing/counters/perf_page.h"
#include "tracing/counters/source.h"
#include "tracing/recordings/attach/process_files.h"
#include "tracing/recordings/format/clock.h"
#include "tracing/recordings/format/process_identity.h"

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
               "it belongs to another user (run this as that user, or with the capabilities CAP_PERFMON and "
               "CAP_SYS_PTRACE)";
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

namespace {

template <class Happening>
std::uint64_t timeOfHappening(const Happening& happening) {
    if (const auto* const record = std::get_if<KernelRecord>(&happening)) return timeOf(*record);
    return std::get<1>(happening).time;
}

/// Counters of the process, which are read in /proc.
std::vector<counters::FileValue> processFiles(pid_t process, const std::vector<std::string>& names) {
    std::vector<counters::FileValue> chosen;
    auto all = counters::processFilesIn("/proc/" + std::to_string(process));
    for (const auto& name : names)
        for (const auto& one : all)
            if (one.counter.name == name) chosen.push_back(one);
    return chosen;
}

counters::Counter counterOf(const counters::PerfEvent& event) {
    counters::Counter counter;
    counter.name = event.name;
    counter.description = event.description;
    counter.unit = event.unit;
    return counter;
}

[[noreturn]] void refuse(const std::string& name) {
    throw counters::Refusal(name,
                            "is read inside the program; from outside (--attach), perf's events are counted, "
                            "and values of the process (proc_…) and the node are read");
}

}  // namespace

ChosenCounters::ChosenCounters(const std::vector<std::string>& names) {
    const counters::Selection all(names);  // says which are unknown
    const auto files = counters::processFilesIn("/proc/self");
    for (const auto& name : all.namesOf(counters::Scope::Thread)) {
        const auto event = counters::findPerfEvent(name);
        if (!event) refuse(name);
        ofThreads.push_back(*event);
    }
    for (const auto& name : all.namesOf(counters::Scope::Process)) {
        const auto isIt = [&](const counters::FileValue& one) { return one.counter.name == name; };
        if (std::ranges::none_of(files, isIt)) refuse(name);
        ofProcess.push_back(name);
    }
    ofNode = counters::Selection(all.namesOf(counters::Scope::Node));
}

std::vector<std::string> ChosenCounters::sampledNames() const {
    auto names = ofProcess;
    for (const auto& counter : ofNode.counters()) names.push_back(counter.name);
    return names;
}

Attachment::Attachment(const Request& request, std::filesystem::path recording, std::string run)
    : chosen_(request.counters),
      recording_(std::move(recording)),
      run_(std::move(run)),
      interval_(request.interval),
      samples_(request.samples),
      threads_(request.samples),
      counters_(chosen_.ofThreads) {
    if (!chosen_.ofNode.empty()) node_ = chosen_.ofNode.open();
    for (const pid_t root : request.processes) addFound(root);
    for (auto& [process, one] : living_)
        if (!threads_.restriction().empty()) one.files->trouble(threads_.restriction());
}

/// What processes start while they are gone through is told of by what was opened before.
void Attachment::addFound(pid_t root) {
    if (tracing::startTimeOf(static_cast<std::uint64_t>(root)) == 0)
        throw Error("process " + std::to_string(root) + ": there is no such process");
    for (const pid_t process : withDescendants(root)) {
        const auto threads = threadsOf(process);
        threads_.add(process);
        for (const pid_t thread : threads) counters_.addFirst(thread);
        const std::uint64_t now = tracing::ticksNow();
        for (const pid_t thread : threads) processOf(process).files->begin(thread, now);
    }
}

/// A child that has not become another program runs that of its parent.
Attachment::Living& Attachment::processOf(pid_t process, pid_t parent) {
    const auto known = living_.find(process);
    if (known != living_.end()) return known->second;
    Living one;
    one.program = programOf(process);
    const auto from = living_.find(parent);
    if (one.program.executable.empty() && from != living_.end()) one.program = from->second.program;
    Wanted wanted{{}, {}, {}, samples_};
    for (const auto& event : chosen_.ofThreads) wanted.ofThreads.push_back(counterOf(event));
    if (auto files = processFiles(process, chosen_.ofProcess); !files.empty()) {
        for (const auto& file : files) wanted.ofProcess.push_back(file.counter);
        one.ofProcess = counters::openFiles(std::move(files));
    }
    one.hasNode = node_ != nullptr && !std::exchange(nodeIsTaken_, true);
    if (one.hasNode) wanted.ofNode = chosen_.ofNode.counters();
    one.files = std::make_unique<AttachedProcess>(
        recording_, run_, process, one.program, wanted,
        from != living_.end() ? from->second.files->code() : std::vector<LoadedPart>());
    return living_.emplace(process, std::move(one)).first->second;
}

void Attachment::take() {
    threads_.take([this](KernelRecord&& record) { pending_.emplace_back(std::move(record)); });
}

void Attachment::readCounters() {
    Readings readings;
    readings.time = lastReading_ = tracing::ticksNow();
    if (!chosen_.ofThreads.empty()) readings.ofThreads = counters_.read();
    std::vector<std::uint64_t> node(chosen_.ofNode.counters().size());
    const bool hasNode = node_ != nullptr && node_->read(node.data());
    for (auto& [process, one] : living_) {
        std::vector<std::uint64_t> values(chosen_.ofProcess.size());
        const bool hasAll =
            (one.ofProcess == nullptr || one.ofProcess->read(values.data())) && (!one.hasNode || hasNode);
        if (one.hasNode) values.insert(values.end(), node.begin(), node.end());
        if (hasAll && !values.empty()) readings.sampled.emplace(process, std::move(values));
    }
    pending_.emplace_back(std::move(readings));
}

bool Attachment::goOn() {
    constexpr std::uint64_t kOnItsWay = 1'000'000;  ///< nanoseconds until a record is in its buffer
    const std::uint64_t until = tracing::ticksNow() - kOnItsWay;
    take();
    if (isOn_ && tracing::ticksNow() >= lastReading_ + static_cast<std::uint64_t>(interval_)) readCounters();
    handleUntil(until);
    endThoseThatAreGone();
    for (auto& [process, one] : living_) one.files->keepTime(tracing::ticksNow());
    return !living_.empty();
}

void Attachment::handleUntil(std::uint64_t time) {
    std::ranges::stable_sort(pending_, [](const Happening& a, const Happening& b) {
        return timeOfHappening(a) < timeOfHappening(b);
    });
    const auto later =
        std::ranges::find_if(pending_, [&](const Happening& one) { return timeOfHappening(one) > time; });
    std::vector<Happening> rest(std::make_move_iterator(later), std::make_move_iterator(pending_.end()));
    pending_.erase(later, pending_.end());
    const auto handleOne = [this](const auto& one) { handle(one); };
    for (const Happening& happening : pending_) {
        if (const auto* const record = std::get_if<KernelRecord>(&happening))
            std::visit(handleOne, *record);
        else
            handle(std::get<Readings>(happening));
    }
    pending_ = std::move(rest);
}

void Attachment::handle(const KernelSample& sample) {
    if (sample.process != 0) processOf(static_cast<pid_t>(sample.process)).files->sample(sample);
}

void Attachment::handle(const KernelFork& fork) {
    const auto thread = static_cast<pid_t>(fork.thread);
    counters_.add(thread, static_cast<pid_t>(fork.parentThread));
    auto& process = processOf(static_cast<pid_t>(fork.process), static_cast<pid_t>(fork.parent));
    process.files->begin(thread, fork.time);
}

void Attachment::handle(const KernelExit& exit) {
    const auto known = living_.find(static_cast<pid_t>(exit.process));
    if (known == living_.end()) return;
    const auto thread = static_cast<pid_t>(exit.thread);
    AttachedProcess& process = *known->second.files;
    if (const auto values = counters_.end(thread); !values.empty())
        process.counters(thread, exit.time, values);
    process.end(thread, exit.time);
    if (!process.hasThreads()) endProcess(known->first, exit.time);
}

/// Of the first thread alone, which keeps its number.
void Attachment::handle(const KernelExec& exec) {
    const auto process = static_cast<pid_t>(exec.process);
    if (!living_.contains(process)) return;
    const bool hadNode = living_.at(process).hasNode;
    endProcess(process, exec.time);
    if (hadNode) nodeIsTaken_ = false;
    processOf(process).files->begin(process, exec.time);
}

void Attachment::handle(const KernelMapping& mapping) {
    const auto known = living_.find(static_cast<pid_t>(mapping.process));
    if (known != living_.end()) known->second.files->mapped(mapping);
}

/// Nobody knows whose they were.
void Attachment::handle(const KernelLoss& loss) {
    if (!living_.empty()) living_.begin()->second.files->lost(loss.records);
}

void Attachment::handle(const Readings& readings) {
    for (auto& [process, one] : living_) {
        for (const auto& [thread, values] : readings.ofThreads)
            one.files->counters(thread, readings.time, values);
        const auto sampled = readings.sampled.find(process);
        if (sampled != readings.sampled.end()) one.files->sampled(readings.time, sampled->second);
    }
}

void Attachment::endProcess(pid_t process, std::uint64_t time) {
    living_.at(process).files->finish(time);
    living_.erase(process);
}

/// Processes that are gone are ended, also where nothing was told of their ends.
void Attachment::endThoseThatAreGone() {
    std::vector<pid_t> gone;
    for (const auto& [process, one] : living_)
        if (tracing::startTimeOf(static_cast<std::uint64_t>(process)) == 0) gone.push_back(process);
    if (gone.empty()) return;
    take();
    handleUntil(tracing::ticksNow());
    for (const pid_t process : gone)
        if (living_.contains(process)) endProcess(process, tracing::ticksNow());
}

void Attachment::enable(bool isOn) {
    if (isOn == isOn_) return;
    isOn_ = isOn;
    if (!isOn) readCounters();
    threads_.enable(isOn);
    counters_.enable(isOn);
    const std::uint64_t now = tracing::ticksNow();
    take();
    handleUntil(now);
    for (auto& [process, one] : living_) one.files->switchTo(isOn, now);
}

void Attachment::finish() {
    if (isOn_) readCounters();
    threads_.enable(false);  // the kernel tells of what it has
    take();
    const std::uint64_t now = tracing::ticksNow();
    handleUntil(now);
    while (!living_.empty()) endProcess(living_.begin()->first, now);
}

}  // namespace holos::attach
