// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "report/query/run.h"
#include "report/query/table.h"

namespace holos::query {

struct Limits {
    std::uint64_t memory = std::uint64_t{1} << 30;  ///< bytes for sorting and grouping
    std::chrono::nanoseconds time = std::chrono::minutes(10);
};

/// A text or the bytes of one, a number, or nothing.
using Cell = std::variant<std::monostate, std::int64_t, double, std::string>;

struct AnswerColumn {
    std::string name;
    /// Of its cells that hold something; none: of an expression, whose cells are of any kind.
    std::optional<Kind> kind;
};

/// Where an answer goes, row by row.
class Answer {
  public:
    Answer() = default;
    virtual ~Answer() = default;
    Answer(const Answer&) = delete;
    Answer& operator=(const Answer&) = delete;

    virtual void begin(const std::vector<AnswerColumn>& columns) = 0;
    virtual void row(const std::vector<Cell>& cells) = 0;
    virtual void end() = 0;
};

/// The tables of a run, asked in SQL (SQLite's). Statements can only read these tables: they open no file,
/// keep nothing, and end when they take more time or memory than they may.
/// Thread safety: one thread.
class Database {
  public:
    /// Takes the run's tables.
    explicit Database(Run& run);
    ~Database();
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    const Tables& tables() const;
    /// Throws `holos::Error`, which says what to do, for a statement that is not one question, or that the
    /// limits end. Another thread may end it by `Run::stopped`, also where it is about to begin.
    void ask(const std::string& statement, const Limits& limits, Answer& answer);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace holos::query
