// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "report/query/run.h"
#include "report/query/table.h"

struct sqlite3;

namespace holos::query {

/// The tables of a run as virtual tables of SQLite: which conditions and which order a table is asked for,
/// and its rows as SQLite takes them. Thread safety: one thread.
class VirtualTables {
  public:
    explicit VirtualTables(Run& run);
    ~VirtualTables();
    VirtualTables(const VirtualTables&) = delete;
    VirtualTables& operator=(const VirtualTables&) = delete;

    /// Makes them known to a database, which must be closed before this object ends. Throws `holos::Error`.
    void addTo(sqlite3* database);
    /// SQLite is being told the columns of a table, by a statement of ours.
    bool isDeclaring() const;
    /// Before a statement is prepared that asks them: how it will be answered depends on its words and on how
    /// many bytes it may take.
    void expect(const std::string& statement, std::uint64_t memory);
    /// What a table threw while the statement was answered, if any did.
    void rethrowFailure() const;

    /// The kind of a column of a table, by the type that SQLite tells of it; none for all else.
    static std::optional<Kind> kindOf(const char* type);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace holos::query
