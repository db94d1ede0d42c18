// SPDX-License-Identifier: BSD-3-Clause
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>

#include "base/error.h"
#include "tracing/counters/perf_event_names.h"
#include "tracing/counters/perf_page.h"
#include "tracing/counters/selection.h"
#include "tracing/counters/turns.h"

namespace holos::counters {
namespace {

/// How often something was read, and how often without a system call.
class Readings {
  public:
    void count(bool inUserSpace) noexcept {
        ++all_;
        inUserSpace_ += inUserSpace ? 1 : 0;
    }
    std::optional<double> userSpaceShare() const noexcept {
        if (all_ == 0) return std::nullopt;
        return static_cast<double>(inUserSpace_) / static_cast<double>(all_);
    }

  private:
    std::uint64_t all_ = 0;
    std::uint64_t inUserSpace_ = 0;
};

/// Events of the kernel itself have no register; what has a scale is not read from one.
bool mayHaveRegister(const PerfEvent& event) {
    return event.type != PERF_TYPE_SOFTWARE && event.type != PERF_TYPE_TRACEPOINT &&
           event.type != PERF_TYPE_BREAKPOINT && event.factor == 1;
}

std::uint64_t inUnit(std::uint64_t value, double factor) noexcept {
    return factor == 1 ? value : static_cast<std::uint64_t>(static_cast<double>(value) * factor);
}

/// Throws `Error` where there is no such event.
PerfEvent neededEvent(const std::string& name) {
    const auto event = findPerfEvent(name);
    if (!event) throw Refusal(name, "not an event of perf");
    if (!event->problem.empty()) throw Refusal(name, event->problem);
    return *event;
}

/// Events that are read together: from their pages where all have a register, else with one system call.
class PerfGroup final : public Group {
  public:
    explicit PerfGroup(std::span<const std::string> names) : buffer_(kHead + names.size()) {
        pages_.reserve(names.size());
        try {
            for (const auto& name : names) add(name);
            if (pages_.size() < names.size()) pages_.clear();
            ::ioctl(files_.front(), PERF_EVENT_IOC_ENABLE, 0);
            checkThatItCounts(names);
        } catch (...) {
            close();
            throw;
        }
    }
    ~PerfGroup() override { close(); }

    bool read(std::uint64_t* values) noexcept override {
        const bool inUserSpace = readPages(values);
        readings_.count(inUserSpace);
        if (inUserSpace) return true;
        if (!fill()) return false;
        for (std::size_t i = 0; i < factors_.size(); ++i)
            values[i] = inUnit(buffer_[static_cast<std::size_t>(kHead) + i], factors_[i]);
        return true;
    }
    std::optional<double> userSpaceShare(std::size_t) const noexcept override {
        return readings_.userSpaceShare();
    }
    /// Below 1 where others wanted the same registers.
    double activeShare(std::size_t) const noexcept override {
        std::array<std::uint64_t, kHead + kMostCounters> now{};
        const std::size_t size = std::min(buffer_.size(), now.size()) * sizeof now.front();
        const bool isRead = ::read(files_.front(), now.data(), size) == static_cast<ssize_t>(size);
        return isRead && now[2] < now[1] ? static_cast<double>(now[2]) / static_cast<double>(now[1]) : 1;
    }

  private:
    static constexpr std::ptrdiff_t kHead = 3;  ///< number of values, time enabled, time running

    void add(const std::string& name) {
        const auto event = neededEvent(name);
        const int file = openPerfEvent(event, {.leader = files_.empty() ? -1 : files_.front()});
        if (file < 0) throw Refusal(name, reasonNotToOpen(-file, event));
        files_.push_back(file);
        factors_.push_back(event.factor);
        if (mayHaveRegister(event)) pages_.emplace_back(file);
    }

    bool readPages(std::uint64_t* values) const noexcept {
        PageReading reading;
        for (const auto& page : pages_) {
            if (!page.read(WithTimes::No, reading)) return false;
            *values++ = reading.value;
        }
        return !pages_.empty();
    }

    bool fill() noexcept {
        const auto size = static_cast<ssize_t>(buffer_.size() * sizeof(std::uint64_t));
        return ::read(files_.front(), buffer_.data(), static_cast<std::size_t>(size)) == size;
    }

    /// The kernel accepts groups that fit into no processor, and then never counts them.
    void checkThatItCounts(std::span<const std::string> names) {
        if (!fill()) throw Refusal(names.front(), std::strerror(errno));
        const std::uint64_t enabled = buffer_[1];
        const std::uint64_t running = buffer_[2];
        if (enabled > 0 && running == 0)
            throw Error(
                "the processor cannot count these together (too few counter registers): " + join(names) +
                "; 'holos spec plan' says which can be, 'holos campaign' records one set after the other, "
                "and with --multiplex they take turns");
    }

    static std::string join(std::span<const std::string> names) {
        std::string text;
        for (const auto& name : names) text += (text.empty() ? "" : ", ") + name;
        return text;
    }

    void close() noexcept {
        for (const int file : files_) ::close(file);
        files_.clear();
    }

    std::vector<int> files_;
    std::vector<PerfPage> pages_;  ///< of all events, or none
    std::vector<double> factors_;
    std::vector<std::uint64_t> buffer_;
    Readings readings_;
};

/// Events that the kernel counts in turns where the processor has too few registers for all.
class PerfTurns final : public Group {
  public:
    explicit PerfTurns(std::span<const std::string> names) {
        events_.reserve(names.size());
        for (const auto& name : names) {
            try {
                add(name);
            } catch (...) {
                close();
                throw;
            }
        }
        for (const auto& event : events_) ::ioctl(event.file, PERF_EVENT_IOC_ENABLE, 0);
    }
    ~PerfTurns() override { close(); }

    bool read(std::uint64_t* values) noexcept override {
        for (auto& event : events_) {
            PageReading now;
            const bool inUserSpace = event.page && event.page->read(WithTimes::Yes, now);
            event.readings.count(inUserSpace);
            if (!inUserSpace && !ask(event.file, now)) return false;
            *values++ = inUnit(event.turns.estimate(now.value, now.enabled, now.running), event.factor);
        }
        return true;
    }
    double activeShare(std::size_t i) const noexcept override { return events_[i].turns.activeShare(); }
    std::optional<Estimate> estimate(std::size_t i) const noexcept override {
        const Estimate one = events_[i].turns.estimate();
        return Estimate{one.value * events_[i].factor, one.deviation * events_[i].factor};
    }
    std::optional<double> userSpaceShare(std::size_t i) const noexcept override {
        return events_[i].readings.userSpaceShare();
    }

  private:
    struct Event {
        int file;
        std::optional<PerfPage> page;
        Turns turns;
        Readings readings;
        double factor;
    };

    void add(const std::string& name) {
        const auto event = neededEvent(name);
        const int file = openPerfEvent(event);
        if (file < 0) throw Refusal(name, reasonNotToOpen(-file, event));
        events_.push_back({file, {}, {}, {}, event.factor});
        if (mayHaveRegister(event)) events_.back().page.emplace(file);
    }

    static bool ask(int file, PageReading& reading) noexcept {
        std::uint64_t got[4];  // number of values, time enabled, time running, value
        if (::read(file, got, sizeof got) != sizeof got) return false;
        reading = {got[3], got[1], got[2]};
        return true;
    }

    void close() noexcept {
        for (const auto& event : events_) ::close(event.file);
    }

    std::vector<Event> events_;
};

/// How an event that nothing else is counted beside is read by the calling thread.
Reading readingOf(const PerfEvent& event, int file) {
    if (!mayHaveRegister(event)) return Reading::SystemCall;
    const PerfPage page(file);
    ::ioctl(file, PERF_EVENT_IOC_ENABLE, 0);
    PageReading reading;
    return page.read(WithTimes::No, reading) ? Reading::UserSpace : Reading::SystemCall;
}

Counter counterOf(const PerfEvent& event) {
    Counter counter{event.name,        event.description, event.unit,
                    Mode::Accumulated, event.problem,     Reading::Unknown};
    if (!event.problem.empty()) return counter;
    const int file =
        openPerfEvent(event, {.processor = event.processors.empty() ? -1 : event.processors.front()});
    if (file >= 0) {
        counter.reading = event.processors.empty() ? readingOf(event, file) : Reading::SystemCall;
        ::close(file);
    } else {
        counter.unavailable = reasonNotToOpen(-file, event);
    }
    return counter;
}

/// What a device counts on some processors for everybody, each event in files of its own.
class NodeGroup final : public Group {
  public:
    explicit NodeGroup(std::span<const std::string> names) {
        try {
            for (const auto& name : names) add(neededEvent(name));
        } catch (...) {
            close();
            throw;
        }
    }
    ~NodeGroup() override { close(); }

    bool read(std::uint64_t* values) noexcept override {
        for (const Event& event : events_) {
            double sum = 0;
            for (const int file : event.files) {
                std::uint64_t got[4];  // number of values, time enabled, time running, value
                if (::read(file, got, sizeof got) != sizeof got) return false;
                sum += static_cast<double>(got[3]);
            }
            *values++ = static_cast<std::uint64_t>(sum * event.factor);
        }
        return true;
    }

  private:
    struct Event {
        double factor;
        std::vector<int> files;  ///< by processor
    };

    void add(const PerfEvent& event) {
        events_.push_back({event.factor, {}});
        for (const int processor : event.processors) {
            const int file = openPerfEvent(event, {.processor = processor});
            if (file < 0) throw Refusal(event.name, reasonNotToOpen(-file, event));
            events_.back().files.push_back(file);
            ::ioctl(file, PERF_EVENT_IOC_ENABLE, 0);
        }
    }

    void close() noexcept {
        for (const Event& event : events_)
            for (const int file : event.files) ::close(file);
    }

    std::vector<Event> events_;
};

/// Events under perf's names. Those that devices count for everybody are a source of the node.
class PerfEvents final : public Source {
  public:
    explicit PerfEvents(Scope scope) : scope_(scope) {}

    const char* name() const override {
        return scope_ == Scope::Thread ? "perf events" : "perf events of the node's devices";
    }
    Scope scope() const override { return scope_; }

    std::vector<Counter> list() const override {
        std::vector<Counter> all;
        if (scope_ == Scope::Thread)
            for (const auto& event : namedPerfEvents()) all.push_back(counterOf(event));
        for (const auto& event : listDeviceEvents(kDevices))
            if (scopeOf(event) == scope_) all.push_back(counterOf(event));
        return all;
    }

    std::string unavailable() const override {
        if (scope_ == Scope::Thread || !list().empty()) return {};
        return "the kernel shows no such devices in " + std::string(kDevices) +
               " (a virtual machine has none)";
    }

    std::unique_ptr<Counter> find(const std::string& name) const override {
        const auto event = findPerfEvent(name);
        return event && scopeOf(*event) == scope_ ? std::make_unique<Counter>(counterOf(*event)) : nullptr;
    }

    std::unique_ptr<Group> open(std::span<const std::string> names) const override {
        if (scope_ == Scope::Node) return std::make_unique<NodeGroup>(names);
        return std::make_unique<PerfGroup>(names);
    }
    std::unique_ptr<Group> openInTurns(std::span<const std::string> names) const override {
        if (scope_ == Scope::Node) return open(names);
        return std::make_unique<PerfTurns>(names);
    }

  private:
    static Scope scopeOf(const PerfEvent& event) {
        return event.processors.empty() ? Scope::Thread : Scope::Node;
    }

    Scope scope_;
};

}  // namespace

const Source& perfEvents() {
    static const auto* source = new PerfEvents(Scope::Thread);
    return *source;
}

const Source& perfDevices() {
    static const auto* source = new PerfEvents(Scope::Node);
    return *source;
}

}  // namespace holos::counters
