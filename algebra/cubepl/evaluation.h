// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "algebra/cubepl/syntax.h"
#include "base/error.h"

namespace holos::algebra::cubepl {

/// What one query may cost, whatever its programs do.
struct Limits {
    std::uint64_t work = 100'000'000;            ///< in steps of about ten nanoseconds
    std::size_t memory = std::size_t{64} << 20;  ///< bytes that variables hold at a time
};

/// The budget does not suffice; the message goes on behind the name of what was evaluated.
class Exhausted : public Error {
  public:
    using Error::Error;
};

/// What the evaluations of one query together may still spend: for every operator, text, pattern and call.
/// Work that is spent is gone; memory comes back with the evaluation that took it. Throws `Exhausted` when
/// a program wants more than there is.
class Budget {
  public:
    explicit Budget(const Limits& limits = {}) : work_(limits.work), memory_(limits.memory) {}

    void spend(std::uint64_t steps) {
        if (steps > work_) exhausted();
        work_ -= steps;
        spent_ += steps;
    }
    /// For a text that is copied, compared or searched once.
    void spendOnText(std::size_t bytes) { spend(1 + bytes / kBytesPerStep); }
    /// Room for as many steps more, which the size of the query's result is worth.
    void allow(std::uint64_t steps) { work_ += steps; }
    /// As if all had been spent, after something that cannot be counted.
    [[noreturn]] void exhausted() {
        spent_ += work_;
        work_ = 0;
        throw Exhausted("takes too long");
    }

    void take(std::size_t bytes) {
        if (bytes > memory_) throw Exhausted("takes too much memory");
        memory_ -= bytes;
    }
    void release(std::size_t bytes) { memory_ += bytes; }

    /// Since the start.
    std::uint64_t spent() const { return spent_; }
    std::uint64_t left() const { return work_; }

  private:
    static constexpr std::size_t kBytesPerStep = 8;

    std::uint64_t work_;
    std::uint64_t spent_ = 0;
    std::size_t memory_;
};

/// What a variable holds: a number or a text.
struct Value {
    double number = 0.0;
    std::optional<std::string> text;
};

/// Variables by name; each is an array whose element 0 is the plain variable.
struct Variables {
    std::map<std::string, std::vector<Value>, std::less<>> values;
    std::set<std::string> shared;  ///< declared `global`
};

/// `cube::metric::set::METRIC("PROPERTY", "VALUE")`, as the program came by it.
struct PropertyChange {
    std::string metric, property, value;
};

/// What a program can ask about the experiment: `${cube::…}` and `${calculation::…}`.
class Facts {
  public:
    virtual ~Facts() = default;
    /// Nothing when there is no such variable or element.
    virtual std::optional<Value> find(const std::string& name, std::optional<std::size_t> index) const = 0;
    /// The value of a metric at a call path that the program chose, for the place of the evaluation; nothing
    /// when there is no such call path.
    virtual std::optional<double> valueAt(const Reference& reference, std::size_t callPath) = 0;
    /// What `cube::metric::get` tells; nothing when there is no such metric or property.
    virtual std::optional<std::string> property(const std::string& metric,
                                                const std::string& property) const = 0;
};

/// What one evaluation works on.
struct Inputs {
    /// By reference of the program: one value per lane, or a single one for all lanes.
    std::span<const std::vector<double>> operands;
    std::size_t lane = 0;
    Facts* facts = nullptr;
    /// May be read, the first that has a variable; assignments stay within the evaluation.
    std::array<const Variables*, 2> given = {};
    Budget* budget = nullptr;              ///< not null
    std::array<double, 2> arguments = {};  ///< `arg1`, `arg2`
};

/// The value of an expression, or what the program returns (0 when it returns nothing). Division follows
/// CUBE: 0 / x is 0 even for x = 0, x / 0 is NaN. Throws `holos::Error` for a program that exceeds the
/// budget, and for one that needs what the inputs lack. `random` gives the same number each time for the same
/// lane, so that results can be repeated.
double evaluate(const Program& program, const Inputs& inputs);

/// Runs a program for what it leaves behind (`cubeplinit`).
struct Effects {
    Variables variables;
    std::vector<PropertyChange> changes;
};
Effects initialise(const Program& program, const Inputs& inputs);

}  // namespace holos::algebra::cubepl
