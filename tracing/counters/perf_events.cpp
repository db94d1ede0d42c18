// SPDX-License-Identifier: BSD-3-Clause
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>

#include "metric-specs/error.h"
#include "tracing/counters/perf_open.h"
#include "tracing/counters/perf_page.h"
#include "tracing/counters/source.h"
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

/// Events of the kernel itself have no register.
bool mayHaveRegister(const PerfEvent& event) {
    return event.type != PERF_TYPE_SOFTWARE;
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
        std::copy(buffer_.begin() + kHead, buffer_.end(), values);
        return true;
    }
    std::optional<double> userSpaceShare(std::size_t) const noexcept override {
        return readings_.userSpaceShare();
    }

  private:
    static constexpr std::ptrdiff_t kHead = 3;  ///< number of values, time enabled, time running

    void add(const std::string& name) {
        const auto event = findPerfEvent(name);
        if (!event) throw Error(name + ": not an event of perf");
        const int file = openPerfEvent(*event, {.leader = files_.empty() ? -1 : files_.front()});
        if (file < 0) throw Error(name + ": " + reasonNotToOpen(-file, *event));
        files_.push_back(file);
        if (mayHaveRegister(*event)) pages_.emplace_back(file);
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
        if (!fill()) throw Error(names.front() + ": " + std::strerror(errno));
        const std::uint64_t enabled = buffer_[1];
        const std::uint64_t running = buffer_[2];
        if (enabled > 0 && running == 0)
            throw Error(
                "the processor cannot count these together (too few counter registers): " + join(names) +
                "; 'holos spec plan' says which can be, 'holos campaign' records one set after the "
                "other, and with --multiplex they take turns");
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
    std::vector<std::uint64_t> buffer_;
    Readings readings_;
};

/// Events that the kernel counts in turns where the processor has too few registers for all.
class PerfTurns final : public Group {
  public:
    explicit PerfTurns(std::span<const std::string> names) {
        events_.reserve(names.size());
        for (const auto& name : names) {
            const auto event = findPerfEvent(name);
            const int file = event ? openPerfEvent(*event) : -ENOENT;
            if (file < 0) {
                close();
                throw Error(name + ": " + (event ? reasonNotToOpen(-file, *event) : "not an event of perf"));
            }
            events_.push_back({file, {}, {}, {}});
            if (mayHaveRegister(*event)) events_.back().page.emplace(file);
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
            *values++ = event.turns.estimate(now.value, now.enabled, now.running);
        }
        return true;
    }
    double activeShare(std::size_t i) const noexcept override { return events_[i].turns.activeShare(); }
    std::optional<double> userSpaceShare(std::size_t i) const noexcept override {
        return events_[i].readings.userSpaceShare();
    }

  private:
    struct Event {
        int file;
        std::optional<PerfPage> page;
        Turns turns;
        Readings readings;
    };

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

Counter describe(const PerfEvent& event) {
    Counter counter{event.name, event.description, event.unit, Mode::Accumulated, "", Reading::Unknown};
    const int file = openPerfEvent(event);
    if (file >= 0) {
        counter.reading = readingOf(event, file);
        ::close(file);
    } else {
        counter.unavailable = reasonNotToOpen(-file, event);
    }
    return counter;
}

class PerfEvents final : public Source {
  public:
    const char* name() const override { return "perf events"; }

    std::vector<Counter> list() const override {
        std::vector<Counter> all;
        for (const auto& event : namedPerfEvents()) all.push_back(describe(event));
        return all;
    }

    std::unique_ptr<Counter> find(const std::string& name) const override {
        const auto event = findPerfEvent(name);
        return event ? std::make_unique<Counter>(describe(*event)) : nullptr;
    }

    std::unique_ptr<Group> open(std::span<const std::string> names) const override {
        return std::make_unique<PerfGroup>(names);
    }
    std::unique_ptr<Group> openInTurns(std::span<const std::string> names) const override {
        return std::make_unique<PerfTurns>(names);
    }
};

}  // namespace

const Source& perfEvents() {
    static const auto* source = new PerfEvents;
    return *source;
}

}  // namespace holos::counters
