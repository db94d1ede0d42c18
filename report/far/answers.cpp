// SPDX-License-Identifier: BSD-3-Clause
#include "report/far/answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "algebra/files/anchor.h"
#include "algebra/files/stored_values.h"
#include "algebra/model/selection.h"
#include "base/error.h"
#include "base/number.h"
#include "report/far/questions.h"

namespace holos::far {

using namespace algebra;

namespace {

void add(std::string& bytes, std::span<const double> numbers) {
    bytes.append(reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes());
}

/// A number below `end`.
std::size_t numberIn(std::string_view text, std::size_t end) {
    const auto number = asNumber<std::size_t>(text);
    constexpr std::size_t kRepeated = 40;
    if (!number || *number >= end) throw Error("there is no " + std::string(text.substr(0, kRepeated)));
    return *number;
}

/// The numbers of `0-9,12`, all below `end`.
std::vector<std::size_t> numbersIn(std::string_view ranges, std::size_t end) {
    std::vector<std::size_t> numbers;
    while (!ranges.empty()) {
        const std::string_view one = ranges.substr(0, ranges.find(','));
        const std::size_t dash = one.find('-');
        const std::size_t first = numberIn(one.substr(0, dash), end);
        const std::size_t last = dash == one.npos ? first : numberIn(one.substr(dash + 1), end);
        if (!numbers.empty() && first <= numbers.back()) throw Error("numbers do not ascend");
        for (std::size_t number = first; number <= last; ++number) numbers.push_back(number);
        ranges.remove_prefix(std::min(one.size() + 1, ranges.size()));
    }
    return numbers;
}

class Answers {
  public:
    explicit Answers(std::shared_ptr<const Experiment> experiment)
        : opened_(std::move(experiment)),
          experiment_(*opened_),
          rows_(depthFirstRows(experiment_.callTree)),
          values_(experiment_.metrics.size()) {}

    std::string to(std::string_view question) {
        const std::vector<std::string_view> words = wordsIn(question);
        const auto isAsked = [&words](std::string_view name, std::size_t count) {
            return words.size() == count && words.front() == name;
        };
        if (isAsked(kExperiment, 1)) return whole();
        if (isAsked(kSums, 2)) return sums(metric(words[1]));
        if (isAsked(kLocations, 3)) return byLocation(metric(words[1]), words[2]);
        if (isAsked(kCalls, 3)) return byCallPath(metric(words[1]), words[2]);
        if (isAsked(kBlock, 4)) return block(metric(words[1]), words[2], words[3]);
        throw Error("a question that this version of Holos does not know");
    }

  private:
    MetricId metric(std::string_view text) const {
        const MetricId id(numberIn(text, experiment_.metrics.size()));
        if (!hasRows(id)) throw Error("a metric without values");
        return id;
    }
    bool hasRows(MetricId id) const {
        const Metric& metric = experiment_.metrics[id];
        return metric.hasValues() && metric.valueType != ValueType::Compound;
    }

    std::string whole() {
        const std::string anchor = writeAnchor(experiment_);
        std::string answer = fmt::format("anchor {}\n{}", anchor.size(), anchor);
        for (const auto& [name, content] : experiment_.files)
            answer += fmt::format("file {} {}\n{}{}", name.size(), content.size(), name, content);
        for (const auto& [id, values] : experiment_.compoundValues)
            answer += fmt::format("compound {} {} {}\n{}{}", id.index(), values->index.size(),
                                  values->data.size(), values->index, values->data);
        for (const MetricId id : experiment_.metrics.ids())
            if (hasRows(id)) answer += presentRows(id);
        return answer;
    }

    /// As they are stored: queries may keep others in memory.
    RowsPtr valuesOf(MetricId id) {
        RowsPtr& values = values_[id.index()];
        if (!values) values = experiment_.severities.rows(id);
        return values;
    }

    std::string presentRows(MetricId id) {
        try {
            const RowsPtr values = valuesOf(id);
            std::string present(rows_.size(), '0');
            for (std::size_t row = 0; row < rows_.size(); ++row)
                if (has(*values, rows_[row])) present[row] = '1';
            return fmt::format("rows {} {}\n{}", id.index(), present.size(), present);
        } catch (const Error& error) {
            const std::string why = error.what();
            return fmt::format("unreadable {} {}\n{}", id.index(), why.size(), why);
        }
    }

    static bool has(const Rows& values, CallPathId path) {
        return path.index() < values.callPaths() && values.hasRow(path);
    }

    std::string sums(MetricId id) const {
        std::string answer = inRowOrder(
            reduceStored(id, {.by = Selection::By::CallPath, .callExtent = Extent::Exclusive}, experiment_));
        add(answer, reduceStored(id, {.by = Selection::By::Location}, experiment_));
        return answer;
    }

    std::string byLocation(MetricId id, std::string_view rows) const {
        std::vector<CallPathChoice> paths;
        for (const std::size_t row : numbersIn(rows, rows_.size()))
            paths.push_back({rows_[row], Extent::Exclusive});
        std::string answer;
        add(answer,
            reduceStored(id, {.by = Selection::By::Location, .paths = std::move(paths)}, experiment_));
        return answer;
    }

    std::string byCallPath(MetricId id, std::string_view numbers) const {
        std::vector<LocationId> locations;
        for (const std::size_t number : numbersIn(numbers, countOfLocations()))
            locations.emplace_back(number);
        return inRowOrder(reduceStored(id,
                                       {.by = Selection::By::CallPath,
                                        .callExtent = Extent::Exclusive,
                                        .locations = std::move(locations)},
                                       experiment_));
    }

    std::string inRowOrder(const std::vector<double>& ofPaths) const {
        std::vector<double> ordered;
        ordered.reserve(rows_.size());
        for (const CallPathId path : rows_) ordered.push_back(ofPaths[path.index()]);
        std::string answer;
        add(answer, ordered);
        return answer;
    }

    std::string block(MetricId id, std::string_view first, std::string_view count) {
        const std::size_t begin = numberIn(first, rows_.size());
        const std::size_t number = numberIn(count, rows_.size() - begin + 1);
        if (number > 1 &&
            number > kLargestBlock / sizeof(double) / std::max<std::size_t>(countOfLocations(), 1))
            throw Error("too many rows at once");
        const RowsPtr values = valuesOf(id);
        const auto asked = std::span(rows_).subspan(begin, number);
        if (auto stored = storedBlock(*values, asked, experiment_.metrics[id].valueType)) return *stored;
        std::string answer = "d";
        std::vector<double> scratch(values->locations());
        for (const CallPathId path : asked)
            if (has(*values, path)) add(answer, values->row(path, scratch));
        return answer;
    }

    std::size_t countOfLocations() const { return experiment_.system.locations.size(); }

    /// Of whole numbers, which have digits that doubles do not have.
    static std::optional<std::string> storedBlock(const Rows& values, std::span<const CallPathId> asked,
                                                  ValueType type) {
        if (!isIntegral(type)) return std::nullopt;
        std::string answer = "s";
        std::string scratch;
        for (const CallPathId path : asked) {
            if (!has(values, path)) continue;
            const auto row = values.storedRow(path, scratch);
            if (!row || row->type != type) return std::nullopt;
            answer += row->bytes;
        }
        return answer;
    }

    std::shared_ptr<const Experiment> opened_;
    const Experiment& experiment_;
    const std::vector<CallPathId> rows_;
    std::vector<RowsPtr> values_;  ///< by metric
};

void send(std::FILE* to, std::string_view head, std::string_view bytes) {
    if (std::fwrite(head.data(), 1, head.size(), to) != head.size() ||
        std::fwrite(bytes.data(), 1, bytes.size(), to) != bytes.size() || std::fflush(to) != 0)
        throw Error("the other side does not take the answer");
}

/// Reads a line without its end into `line`; of one that is too long only so much. Whether there was one.
bool readLine(std::FILE* from, std::string& line) {
    line.clear();
    int letter = ::getc_unlocked(from);
    if (letter == EOF) return false;
    for (; letter != EOF && letter != '\n'; letter = ::getc_unlocked(from))
        if (line.size() <= kLongestQuestion) line += static_cast<char>(letter);
    return true;
}

}  // namespace

void answerQuestions(const Open& open, std::FILE* questions, std::FILE* answers) {
    std::optional<Answers> known;
    send(answers, fmt::format("{}{}\n", kGreeting, kByteOrder), {});
    for (std::string question; readLine(questions, question);) {
        std::string word = "ok";
        std::string bytes;
        try {
            if (question.size() > kLongestQuestion) throw Error("a question that is too long");
            if (!known) known.emplace(open());
            bytes = known->to(question);
        } catch (const std::exception& error) {  // also when there is not enough memory
            word = "error";
            bytes = std::string(error.what()).substr(0, kLongestReason);
        }
        send(answers, fmt::format("{} {}\n", word, bytes.size()), bytes);
    }
}

}  // namespace holos::far
