// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>

#include "report/query/database.h"
#include "report/serve/shown_experiment.h"
#include "report/serve/workshop.h"

namespace holos::serve {

/// What is asked of a table of `holos query`.
struct EventQuestion {
    std::string table;
    std::string filter;       ///< as it was typed: `MPI_Send, duration > 1 ms`
    std::string order;        ///< a column; empty: as the table has them
    bool leastFirst = false;  ///< else the largest is the first
    std::string part;         ///< of the run (`partFrom`)
};

/// The calls, messages and waits of a trace, as the rows of `holos query`. Of an answer the first rows are
/// kept, so that a page can ask for one window after the other; a question has limits of time and memory.
/// Thread safety: safe.
class EventTables {
  public:
    explicit EventTables(const std::filesystem::path& trace);
    ~EventTables();
    EventTables(const EventTables&) = delete;
    EventTables& operator=(const EventTables&) = delete;

    /// Names, meanings, and columns with their units.
    nlohmann::ordered_json tables();
    /// A window of the rows. `shown` is the part of the run that the question names. Throws `NotYet` while
    /// they are being read, and `holos::Error` for a question that says nothing or is too much.
    nlohmann::ordered_json rows(const EventQuestion& question, const ShownExperiment& shown, std::size_t from,
                                std::size_t count, Moment until);

  private:
    struct Rows;
    query::Database& opened();

    std::filesystem::path trace_;
    std::mutex mutex_;  ///< of what is opened
    std::unique_ptr<query::Run> run_;
    std::unique_ptr<query::Database> database_;
    std::unique_ptr<Workshop<const Rows>> workshop_;
};

/// The statement of a question to this table. Throws `holos::Error` that names what is not understood.
std::string statementOf(const EventQuestion& question, const query::Table& table,
                        const ShownExperiment& shown);

}  // namespace holos::serve
