// SPDX-License-Identifier: BSD-3-Clause
#include "validation/counting.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <memory>
#include <sstream>

#include "base/error.h"
#include "base/process.h"
#include "tracing/counters/selection.h"
#include "validation/microbenchmark.h"

namespace holos::validation {

namespace {

constexpr unsigned kLongestSeconds = 60;

/// One counter in this thread.
class CountedWindow final : public Window {
  public:
    explicit CountedWindow(const std::string& event)
        : selection_({event}),
          isState_(selection_.counters().front().mode == counters::Mode::Absolute),
          reader_(selection_.open()) {
        begin();  // the first reading is the slowest
        end();
    }
    void begin() noexcept override { good_ = reader_->read(&first_); }
    void end() noexcept override { good_ = reader_->read(&last_) && good_; }

    double count() const {
        if (!good_) throw Error(selection_.counters().front().name + ": its counter stopped");
        return isState_ ? static_cast<double>(last_) : static_cast<double>(last_ - first_);
    }
    double nanosecondsARead() {
        constexpr int kReads = 1'000;
        const auto begin = std::chrono::steady_clock::now();
        for (int each = 0; each < kReads; ++each) end();
        return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count() /
               kReads;
    }

  private:
    counters::Selection selection_;
    bool isState_;
    std::unique_ptr<counters::Reader> reader_;
    std::uint64_t first_ = 0;
    std::uint64_t last_ = 0;
    bool good_ = true;
};

}  // namespace

Counted countHere(const std::string& event, const std::string& name, std::uint64_t size) {
    ::alarm(kLongestSeconds);
    const Microbenchmark& benchmark = microbenchmark(name);
    CountedWindow window(event);
    benchmark.run(size, window);
    return {window.count(), name == kReading ? window.nanosecondsARead() : 0.0};
}

std::string answerOf(const Counted& counted) {
    return fmt::format("{} {}\n", counted.events, counted.nanosecondsARead);
}

Counted countInFreshProcess(const std::string& holos, const std::string& event,
                            const std::string& microbenchmark, std::uint64_t size) {
    const Answer answer =
        holos::answerOf({holos, "counters", "validate", "--events", event, "--microbenchmark", microbenchmark,
                         kFreshProcessOption, std::to_string(size)},
                        ErrorOutput::WithOutput);
    std::istringstream in(answer.text);
    Counted counted;
    if (answer.status == 0 && in >> counted.events >> counted.nanosecondsARead) return counted;
    if (WIFSIGNALED(answer.status))
        throw Error(fmt::format("{} by {}: ended by signal {}", event, microbenchmark,
                                strsignal(WTERMSIG(answer.status))));
    constexpr const char* kPrefix = "holos: ";
    std::string why = answer.text.substr(0, answer.text.find('\n'));
    if (why.starts_with(kPrefix)) why.erase(0, std::strlen(kPrefix));
    throw Error(why);
}

}  // namespace holos::validation
