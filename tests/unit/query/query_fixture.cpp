// SPDX-License-Identifier: BSD-3-Clause
#include "tests/unit/query/query_fixture.h"

#include <fmt/format.h>

namespace holos::testing {

namespace {

class Lines final : public query::Answer {
  public:
    void begin(const std::vector<query::AnswerColumn>&) override {}
    void row(const std::vector<query::Cell>& cells) override {
        std::string line;
        for (const query::Cell& cell : cells) line += (line.empty() ? "" : " ") + textOf(cell);
        rows.push_back(line);
    }
    void end() override {}
    Rows rows;

  private:
    static std::string textOf(const query::Cell& cell) {
        if (const auto* whole = std::get_if<std::int64_t>(&cell)) return std::to_string(*whole);
        if (const auto* number = std::get_if<double>(&cell)) return fmt::format("{:.6g}", *number);
        if (const auto* text = std::get_if<std::string>(&cell)) return *text;
        return "-";
    }
};

}  // namespace

Rows answerOf(query::Database& database, const std::string& statement, const query::Limits& limits) {
    Lines lines;
    database.ask(statement, limits, lines);
    return lines.rows;
}

Rows answerOf(const std::filesystem::path& run, const std::string& statement, const query::Limits& limits) {
    query::RunOptions options;
    options.threads = 1;
    query::Run asked(run, options);
    query::Database database(asked);
    return answerOf(database, statement, limits);
}

}  // namespace holos::testing
