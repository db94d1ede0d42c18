// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/ranks_in_threads.h"

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "tests/support/equal_experiments.h"
#include "tests/support/lawful.h"

namespace holos::testing {
namespace {

using analyzer::workers::Ranks;

/// Messages on their way, by sender and receiver.
class Mail {
  public:
    void put(unsigned from, unsigned to, const std::string& message) {
        const std::lock_guard lock(mutex_);
        boxes_[{from, to}].push_back(message);
        arrived_.notify_all();
    }
    std::string take(unsigned from, unsigned to) {
        std::unique_lock lock(mutex_);
        auto& box = boxes_[{from, to}];
        arrived_.wait(lock, [&] { return !box.empty(); });
        std::string message = std::move(box.front());
        box.pop_front();
        return message;
    }
    bool isEmpty() const {
        for (const auto& [ends, box] : boxes_)
            if (!box.empty()) return false;
        return true;
    }

  private:
    std::mutex mutex_;
    std::condition_variable arrived_;
    std::map<std::pair<unsigned, unsigned>, std::deque<std::string>> boxes_;
};

class RankInThread final : public Ranks {
  public:
    RankInThread(Mail& mail, unsigned self, unsigned count) : mail_(mail), self_(self), count_(count) {}

    unsigned self() const override { return self_; }
    unsigned count() const override { return count_; }
    unsigned onThisMachine() const override { return count_; }
    void send(unsigned to, const std::string& message) override { mail_.put(self_, to, message); }
    std::string receive(unsigned from) override { return mail_.take(from, self_); }
    void finish() override { ++finished_; }
    unsigned finished() const { return finished_; }

  private:
    Mail& mail_;
    unsigned self_;
    unsigned count_;
    unsigned finished_ = 0;
};

}  // namespace

void runAsRanks(unsigned count, const std::function<void(Ranks&)>& work) {
    Mail mail;
    std::deque<RankInThread> ranks;
    for (unsigned rank = 0; rank < count; ++rank) ranks.emplace_back(mail, rank, count);
    {
        std::vector<std::jthread> others;
        for (unsigned rank = 1; rank < count; ++rank)
            others.emplace_back([&, rank] {
                try {
                    work(ranks[rank]);
                } catch (const analyzer::workers::FailureElsewhere&) {
                }
            });
        work(ranks[0]);
    }
    for (const RankInThread& rank : ranks)
        if (rank.finished() != 1) throw std::logic_error("a rank finished not once");
    if (!mail.isEmpty()) throw std::logic_error("a message was not received");
}

analyzer::AnalysisResult analyzeByRanks(unsigned count, const std::filesystem::path& archive,
                                        analyzer::AnalysisOptions options) {
    analyzer::AnalysisResult first;
    runAsRanks(count, [&](Ranks& ranks) {
        analyzer::AnalysisOptions own = options;
        own.ranks = &ranks;
        analyzer::AnalysisResult result = analyzer::analyze(archive, own);
        if (ranks.isFirst()) first = std::move(result);
    });
    return first;
}

void expectSameByAnyWorkersAndRanks(const std::filesystem::path& archive) {
    analyzer::AnalysisOptions options;
    options.threads = 1;
    const auto serial = analyzer::analyze(archive, options);
    requireLaws(serial.experiment);
    for (const unsigned workers : {2U, 3U}) {
        SCOPED_TRACE(workers);
        expectEqual(analyzeByRanks(workers, archive, options).experiment, serial.experiment);
        analyzer::AnalysisOptions several;
        several.threads = workers;
        expectEqual(analyzer::analyze(archive, several).experiment, serial.experiment);
    }
}

}  // namespace holos::testing
