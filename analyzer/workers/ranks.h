// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "analyzer/trace/definitions.h"

namespace holos::analyzer::workers {

/// What ranks other than the first throw when one of them failed: the first one throws the error itself, so
/// that it is reported once.
class FailureElsewhere : public std::exception {
  public:
    const char* what() const noexcept override { return "another rank reports why the analysis ended"; }
};

/// The processes that share an analysis. All of them call the same functions in the same order, each from one
/// thread.
/// Thread safety: one thread.
class Ranks {
  public:
    virtual ~Ranks() = default;

    virtual unsigned self() const = 0;
    virtual unsigned count() const = 0;
    /// How many of them have the processors of this one's machine, itself included.
    virtual unsigned onThisMachine() const = 0;
    /// The order of messages between two ranks is kept. A send may wait for its receive.
    virtual void send(unsigned to, const std::string& message) = 0;
    virtual std::string receive(unsigned from) = 0;
    /// A send that never waits: for small messages.
    virtual void post(unsigned to, const std::string& message) { send(to, message); }
    /// Nobody has anything to say to another any more. Ranks other than the first may end afterwards, and the
    /// first one may run on their processors of its machine.
    virtual void finish() = 0;

    bool isFirst() const { return self() == 0; }

    /// Does this rank's work and returns when all have done theirs. When any of them threw, all throw, and
    /// are finished: the first rank its own exception, or else a `holos::Error` that names the smallest rank
    /// that failed; the others `FailureElsewhere`.
    void agree(const std::function<void()>& work);
    /// Does this rank's work without waiting for others. When it throws, the next `agree` says so, and work
    /// is passed over until then; a rank that is alone throws at once.
    void attempt(const std::function<void()>& work);
    /// The first rank attempts work that others depend on. These wait for it, but where `isDone` tells them
    /// that it is done or was not needed. `obey` is given what the first one sends them meanwhile, which may
    /// not be empty.
    using Obey = std::function<void(const std::string& order)>;
    void attemptFirst(const std::function<void()>& work, const std::function<bool()>& isDone,
                      const Obey& obey = {});

  private:
    void hearOfFirst(const Obey& obey = {});
    std::string reportAll(const std::string& own);

    std::exception_ptr failure_;    ///< of what this rank attempted
    bool firstWillReport_ = false;  ///< whether it did what others depend on
};

/// A single process.
class Alone final : public Ranks {
  public:
    unsigned self() const override { return 0; }
    unsigned count() const override { return 1; }
    unsigned onThisMachine() const override { return 1; }
    void send(unsigned, const std::string&) override {}
    std::string receive(unsigned) override { return {}; }
    void finish() override {}
};

/// Which rank reads which location, by size: the largest first, always to the rank that has least. Threads
/// that are in a team together stay together, because workers have to know where their master forked. The
/// same on all ranks.
/// Thread safety: safe to read.
class Shares {
  public:
    Shares(const trace::Definitions& definitions, unsigned ranks);

    unsigned readerOf(trace::LocationId location) const { return readers_[location.index()]; }
    /// In ascending order.
    std::vector<trace::LocationId> of(unsigned rank) const;

  private:
    std::vector<unsigned> readers_;  ///< by location
};

}  // namespace holos::analyzer::workers
