// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <exception>
#include <functional>
#include <string>

namespace holos::analyzer::workers {

/// What ranks other than the first throw when one of them failed: the first one throws the error itself, so
/// that it is reported once.
class FailureElsewhere : public std::exception {
  public:
    const char* what() const noexcept override { return "another rank reports why the analysis ended"; }
};

/// The processes that share an analysis. All of them call the same functions in the same order, each from one
/// thread.
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
    /// Nobody has anything to say to another any more. Ranks other than the first may end afterwards.
    virtual void finish() = 0;

    bool isFirst() const { return self() == 0; }

    /// Does this rank's work and returns when all have done theirs. When any of them threw, all throw, and
    /// are finished: the first rank its own exception, or else a `holos::Error` that names the smallest rank
    /// that failed; the others `FailureElsewhere`.
    void agree(const std::function<void()>& work);
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

}  // namespace holos::analyzer::workers
