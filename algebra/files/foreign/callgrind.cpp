// SPDX-License-Identifier: BSD-3-Clause
// After the header, `fn=` names a function and lines of positions and costs add to it, until the next `fn=`.
// Names may be given a number at their first appearance, `fn=(12) solve`, and be only that number later. The
// line behind `calls=` has the costs of a call, which belong to the functions called. At its end, a part of
// the file has its `totals:`. The `summary:` at its begin may promise a little more, which the threads of
// other files have.
#include <map>

#include "algebra/files/foreign/foreign.h"

namespace holos::algebra {

namespace {

class CallgrindReader {
  public:
    explicit CallgrindReader(const std::filesystem::path& file) : lines_(file) {}

    Experiment read() {
        while (const auto line = lines_.next())
            if (!line->empty() && line->front() != '#') take(*line);
        if (metrics_.empty()) lines_.fail("has no line 'events:'");
        if (costs_ < promised_)
            lines_.fail(
                "ends before all costs: the file was cut off, its summary promises more of the first event");
        return tree_.take("callgrind");
    }

  private:
    using Names = std::map<std::string, std::string, std::less<>>;

    void take(std::string_view line) {
        const std::size_t end = line.find_first_of("=: ");
        const char mark = end == std::string_view::npos ? ' ' : line[end];
        if (mark == '=')
            takeName(line.substr(0, end), line.substr(end + 1));
        else if (mark == ':')
            takeHeader(line.substr(0, end), line.substr(end + 1));
        else
            takeCosts(line);
    }

    void takeHeader(std::string_view key, std::string_view text) {
        text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
        if (key == "positions")
            for (positions_ = 0; !text.empty(); ++positions_) takeWord(text);
        if (key == "thread") thread_ = asNumber<std::int64_t>(text).value_or(0);
        if (key == "summary") promised_ += asFiniteNumber(takeWord(text)).value_or(0.0);
        if (key == "totals") endPart(asFiniteNumber(takeWord(text)).value_or(0.0));
        if (key == "pid") process_ = asNumber<std::int64_t>(text).value_or(0);
        if (key == "cmd" && program_.empty()) program_ = text;
        if (key == "events" && metrics_.empty())
            while (!text.empty()) metrics_.push_back(tree_.metric(std::string(takeWord(text)), "#"));
    }

    void endPart(double total) {
        if (costs_ < total)
            lines_.fail("a part of the file lacks costs, its totals have more of the first event");
        promised_ = costs_ = 0.0;
    }

    void takeName(std::string_view key, std::string_view text) {
        if (key == "calls") isCostOfCall_ = true;
        if (key == "ob") object_ = named(objects_, text);
        if (key == "cob") named(objects_, text);
        if (key == "cfn") named(functions_, text);
        if (key == "fn") {
            const std::string name = named(functions_, text);
            function_ = tree_.call(std::nullopt, name, object_);
        }
    }

    /// `(12) name`, `(12)` or `name`
    std::string named(Names& names, std::string_view text) {
        if (!text.starts_with('(')) return std::string(text);
        const std::size_t close = text.find(')');
        const std::string_view number = text.substr(0, std::min(close, text.size()));
        if (!asNumber<std::int64_t>(number.substr(1))) return std::string(text);  // `(below main)`
        std::string_view name = close == std::string_view::npos ? std::string_view() : text.substr(close + 1);
        name.remove_prefix(std::min(name.find_first_not_of(' '), name.size()));
        if (!name.empty()) names.insert_or_assign(std::string(number), std::string(name));
        const auto known = names.find(number);
        if (known == names.end()) lines_.fail("a name that was not given before: " + std::string(text));
        return known->second;
    }

    void takeCosts(std::string_view line) {
        if (std::exchange(isCostOfCall_, false)) return;
        for (std::size_t position = 0; position < positions_; ++position) {
            const std::string_view word = takeWord(line);
            if (word.empty() ||
                std::string_view("0123456789+-*").find(word.front()) == std::string_view::npos)
                lines_.fail("neither a name, nor a position with costs");
        }
        for (const MetricId metric : metrics_) {
            if (line.empty()) break;
            const auto cost = asFiniteNumber(takeWord(line));
            if (!cost) lines_.fail("a cost that is no number");
            if (!function_) lines_.fail("costs before the first 'fn='");
            if (*cost != 0.0) tree_.add(metric, *function_, thread(), *cost);
            if (metric == metrics_.front()) costs_ += *cost;
        }
    }

    LocationId thread() {
        return tree_.thread(process_, program_.empty() ? "program" : program_, thread_,
                            thread_ == 0 ? "all threads" : "thread " + std::to_string(thread_));
    }

    TextLines lines_;
    ImportedTree tree_;
    std::vector<MetricId> metrics_;
    Names functions_;
    Names objects_;
    std::string object_;
    std::string program_;
    std::optional<CallPathId> function_;
    double costs_ = 0.0;     ///< of the first event, since the last totals
    double promised_ = 0.0;  ///< by the summaries since then
    std::size_t positions_ = 1;
    std::int64_t thread_ = 0;
    std::int64_t process_ = 0;
    bool isCostOfCall_ = false;
};

}  // namespace

Experiment readCallgrind(const std::filesystem::path& file) {
    return CallgrindReader(file).read();
}

}  // namespace holos::algebra
