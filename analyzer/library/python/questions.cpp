// SPDX-License-Identifier: BSD-3-Clause
// Rows of a run's tables as columns of numbers. `holos/__init__.py` makes data frames of them.
#include "analyzer/library/python/questions.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <unordered_map>

#include "base/error.h"
#include "base/temporary_folder.h"
#include "report/query/conditions.h"
#include "report/query/database.h"

namespace holos::python {
namespace {

namespace py = pybind11;
using namespace query;

/// A column as it grows: numbers, or texts, each of which is kept once.
class Gathered {
  public:
    explicit Gathered(const AnswerColumn& column) : name_(column.name), declared_(column.kind) {}

    void add(const Cell& cell) {
        if (const auto* whole = std::get_if<std::int64_t>(&cell))
            kind_ == Kind::Real ? addReal(static_cast<double>(*whole)) : addWhole(Kind::Integer, *whole);
        else if (const auto* real = std::get_if<double>(&cell))
            addReal(*real);
        else if (const auto* text = std::get_if<std::string>(&cell))
            addWhole(Kind::Text, placeOf(*text));
        else
            addNothing();
    }
    /// Name, kind, numbers; of whole numbers whether each is missing, of texts those that the numbers are
    /// places of (-1: missing).
    py::tuple columns() {
        const Kind kind = kind_.value_or(declared_.value_or(Kind::Text));
        if (kind == Kind::Real && !kind_) toReal();
        py::object numbers = kind == Kind::Real ? py::object(arrayOf(reals_)) : py::object(arrayOf(wholes_));
        py::object rest = py::none();
        if (kind == Kind::Integer && hasGaps_) rest = arrayOf(isMissing_);
        if (kind == Kind::Text) rest = textList();
        return py::make_tuple(textOf(name_), typeName(kind), std::move(numbers), std::move(rest));
    }

  private:
    template <class Number>
    static py::array_t<Number> arrayOf(const std::vector<Number>& numbers) {
        return py::array_t<Number>(static_cast<py::ssize_t>(numbers.size()), numbers.data());
    }
    /// Bytes that are no text are shown as such.
    static py::str textOf(const std::string& bytes) {
        PyObject* const text =
            PyUnicode_DecodeUTF8(bytes.data(), static_cast<py::ssize_t>(bytes.size()), "backslashreplace");
        if (text == nullptr) throw py::error_already_set();
        return py::reinterpret_steal<py::str>(text);
    }
    py::list textList() const {
        std::vector<const std::string*> inOrder(places_.size());
        for (const auto& [text, place] : places_) inOrder[static_cast<std::size_t>(place)] = &text;
        py::list list;
        for (const std::string* const text : inOrder) list.append(textOf(*text));
        return list;
    }
    std::int64_t placeOf(const std::string& text) {
        return places_.try_emplace(text, static_cast<std::int64_t>(places_.size())).first->second;
    }
    /// An expression may give whole numbers first, and others later.
    void become(Kind kind) {
        if (!kind_ && kind == Kind::Real) toReal();
        if (kind_.value_or(kind) == kind) {
            kind_ = kind;
            return;
        }
        if (kind_ == Kind::Text || kind == Kind::Text)
            throw Error("column \"" + name_ + "\" has numbers and texts; write CAST(" + name_ + " AS TEXT)");
        toReal();
        kind_ = kind;
    }
    void toReal() {
        for (std::size_t at = 0; at < wholes_.size(); ++at)
            reals_.push_back(isMissing_[at] != 0 ? std::nan("") : static_cast<double>(wholes_[at]));
        wholes_.clear();
        isMissing_.clear();
    }
    void addWhole(Kind kind, std::int64_t whole) {
        become(kind);
        wholes_.push_back(whole);
        isMissing_.push_back(0);
    }
    void addReal(double real) {
        become(Kind::Real);
        reals_.push_back(real);
    }
    void addNothing() {
        if (kind_ == Kind::Real) return reals_.push_back(std::nan(""));
        hasGaps_ = true;
        wholes_.push_back(-1);
        isMissing_.push_back(1);
    }

    std::string name_;
    std::optional<Kind> declared_;
    std::optional<Kind> kind_;  ///< of the cells so far that hold something
    std::vector<std::int64_t> wholes_;
    std::vector<char> isMissing_;  ///< beside `wholes_`
    bool hasGaps_ = false;
    std::vector<double> reals_;
    std::unordered_map<std::string, std::int64_t> places_;
};

class GatheredAnswer final : public Answer {
  public:
    void begin(const std::vector<AnswerColumn>& columns) override {
        for (const AnswerColumn& column : columns) columns_.emplace_back(column);
    }
    void row(const std::vector<Cell>& cells) override {
        for (std::size_t at = 0; at < columns_.size(); ++at) columns_[at].add(cells[at]);
    }
    void end() override {}
    std::vector<Gathered>& columns() { return columns_; }

  private:
    std::vector<Gathered> columns_;
};

/// The columns of the answer, and what of a damaged trace it lacks.
py::tuple ask(const std::filesystem::path& file, const std::string& statement, unsigned threads,
              std::uint64_t memory, double seconds) {
    GatheredAnswer answer;
    std::vector<std::string> damage;
    {
        const py::gil_scoped_release released;
        Run run(file, {.threads = threads, .recordMemory = memory, .recordFolder = placeOfTemporaries()});
        constexpr double kNanoseconds = 1e9;
        Database(run).ask(
            statement, {memory, std::chrono::nanoseconds(static_cast<std::int64_t>(seconds * kNanoseconds))},
            answer);
        damage = run.damage();
    }
    py::list columns;
    for (Gathered& column : answer.columns()) columns.append(column.columns());
    return py::make_tuple(columns, damage);
}

/// The question for the rows of a table that are there at some time between, in the order of time.
std::string statementFor(const std::filesystem::path& file, const std::string& name, double from, double to,
                         const std::string& typed) {
    const Run run(file, {});
    constexpr double kFar = 1e15;  // seconds: SQL has no infinite numbers
    std::string names;
    for (const auto& table : run.tables()) {
        if (table->name() != name) {
            names += std::string(names.empty() ? "" : ", ") + table->name();
            continue;
        }
        const Asked asked = askedOf(*table);
        std::vector<std::string> conditions{typedCondition(typed, asked)};
        if (from > -std::numeric_limits<double>::infinity() || to < std::numeric_limits<double>::infinity())
            conditions.push_back(timeCondition(std::max(from, -kFar), std::min(to, kFar), asked));
        const std::string all = allOf(conditions);
        std::string statement = "SELECT * FROM " + name + (all.empty() ? "" : " WHERE " + all);
        for (const char* column : {"start", "send_time", "time"})
            if (asked.find(column) != nullptr) return statement + " ORDER BY " + columnInSql(column);
        return statement;
    }
    throw Error("there is no table " + name + ", but " + names);
}

}  // namespace

void defineQuestions(py::module_& module) {
    module.def("ask", &ask);
    module.def("statement", &statementFor);
}

}  // namespace holos::python
