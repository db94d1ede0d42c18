// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/attach/attachment.h"

#include <algorithm>

#include "tracing/counters/files.h"
#include "tracing/recordings/format/clock.h"
#include "tracing/recordings/format/process_identity.h"

namespace holos::attach {
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

/// Also those of whose ends nothing was told.
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
