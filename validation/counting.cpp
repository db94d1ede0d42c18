// SPDX-License-Identifier: BSD-3-Clause
#include "validation/counting.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <memory>

#include "base/json.h"
#include "base/process.h"
#include "tracing/counters/selection.h"
#include "validation/microbenchmark.h"

namespace holos::validation {

namespace {

constexpr unsigned kLongestSeconds = 60;

/// The names in an answer.
constexpr const char* kEvents = "events";
constexpr const char* kNanoseconds = "nanoseconds_a_read";
constexpr const char* kError = "error";

/// Counters in this thread.
class CountedWindow final : public Window {
  public:
    explicit CountedWindow(const std::vector<std::string>& events)
        : selection_(events),
          reader_(selection_.open()),
          first_(selection_.counters().size()),
          last_(first_.size()) {
        begin();  // the first reading is the slowest
        end();
    }
    void begin() noexcept override { good_ = reader_->read(first_.data()); }
    void end() noexcept override { good_ = reader_->read(last_.data()) && good_; }

    std::vector<double> counts() const {
        std::vector<double> counts;
        for (std::size_t i = 0; i < last_.size(); ++i) {
            const counters::Counter& counter = selection_.counters()[i];
            if (!good_) throw Error(counter.name + ": its counter stopped");
            const bool isState = counter.mode == counters::Mode::Absolute;
            counts.push_back(static_cast<double>(isState ? last_[i] : last_[i] - first_[i]));
        }
        return counts;
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
    std::unique_ptr<counters::Reader> reader_;
    std::vector<std::uint64_t> first_, last_;
    bool good_ = true;
};

}  // namespace

Counted countHere(const std::vector<std::string>& events, const std::string& name, std::uint64_t size) {
    ::alarm(kLongestSeconds);
    const Microbenchmark& benchmark = microbenchmark(name);
    CountedWindow window(events);
    benchmark.run(size, window);
    return {window.counts(), name == kReading ? window.nanosecondsARead() : 0.0};
}

std::string answerText(const Counted& counted) {
    return jsonText(nlohmann::json{{kEvents, counted.events}, {kNanoseconds, counted.nanosecondsARead}}) +
           '\n';
}

std::string answerText(const Error& error) {
    return jsonText(nlohmann::json{{kError, error.what()}}) + '\n';
}

Counted countInFreshProcess(const std::string& holos, const std::vector<std::string>& events,
                            const std::string& microbenchmark, std::uint64_t size) {
    const std::string names = fmt::format("{}", fmt::join(events, ","));
    const Answer answer =
        answerOf({holos, "counters", "validate", "--events", names, "--microbenchmark", microbenchmark,
                  "--format", "json", kFreshProcessOption, std::to_string(size)},
                 ErrorOutput::WithOutput);
    const std::string what = names + " by " + microbenchmark;
    if (WIFSIGNALED(answer.status))
        throw Error(what + ": ended by signal " + strsignal(WTERMSIG(answer.status)));
    const auto found = nlohmann::json::parse(answer.text, nullptr, /*allow_exceptions=*/false);
    if (!found.contains(kError) && !found.contains(kEvents))
        throw Error(what + ": " + answer.text.substr(0, answer.text.find('\n')));
    if (found.contains(kError)) throw Error(found.at(kError).get<std::string>());
    return {found.at(kEvents), found.at(kNanoseconds)};
}

}  // namespace holos::validation
