// SPDX-License-Identifier: BSD-3-Clause
#include "report/far/far_experiment.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "algebra/files/anchor.h"
#include "algebra/files/stored_values.h"
#include "algebra/model/row_sums.h"
#include "base/error.h"
#include "base/number.h"
#include "base/process.h"
#include "base/text.h"
#include "report/far/connection.h"
#include "report/far/questions.h"

namespace holos::far {

using namespace algebra;

std::optional<FarFile> farFile(const std::string& name) {
    const std::size_t colon = name.find(':');
    std::error_code none;
    if (colon == std::string::npos || colon == 0 || name.find('/') < colon ||
        std::filesystem::exists(name, none))
        return std::nullopt;
    if (name.front() == '-') throw Error("no name of a machine", Place{.file = name});
    return FarFile{name.substr(0, colon), colon + 1 == name.size() ? "." : name.substr(colon + 1)};
}

std::vector<std::string> commandThere(const FarFile& file, const std::string& program) {
    // Compressed, as values often are zero; where the network breaks down, ssh finds out and ends.
    return {"ssh",
            "-T",
            "-C",
            "-o",
            "ServerAliveInterval=15",
            "--",
            file.host,
            shellLine({program, "serve", "--for-view", "--", file.path})};
}

namespace {

/// Of rows that are fetched together.
constexpr std::size_t kBlockBytes = std::size_t{256} << 10;
/// Of blocks that are kept.
constexpr std::size_t kMostKept = std::size_t{32} << 20;

/// `name`: of what was asked about.
[[noreturn]] void failOn(const std::string& name) {
    throw Error("an answer that this version of Holos does not know", {.file = name});
}

/// Takes an answer apart.
class Parts {
  public:
    Parts(std::string_view rest, std::string name) : rest_(rest), name_(std::move(name)) {}

    bool isEmpty() const { return rest_.empty(); }
    std::string_view line() {
        const std::size_t end = rest_.find('\n');
        if (end == rest_.npos) fail();
        const std::string_view line = rest_.substr(0, end);
        rest_.remove_prefix(end + 1);
        return line;
    }
    std::string_view bytes(std::string_view size) {
        const auto number = asNumber<std::size_t>(size);
        if (!number || *number > rest_.size()) fail();
        const std::string_view bytes = rest_.substr(0, *number);
        rest_.remove_prefix(*number);
        return bytes;
    }
    [[noreturn]] void fail() const { failOn(name_); }

  private:
    std::string_view rest_;
    std::string name_;
};

/// Blocks of rows, of which those that were asked for last are kept.
///
/// Thread safety: safe.
class Blocks {
  public:
    using Block = std::shared_ptr<const std::string>;

    explicit Blocks(std::shared_ptr<Connection> connection) : connection_(std::move(connection)) {}

    /// `most`: bytes that it may have.
    Block of(std::size_t metric, std::size_t firstRow, std::size_t rows, std::size_t most) {
        const std::lock_guard lock(mutex_);
        const Key key{metric, firstRow};
        const auto known = places_.find(key);
        if (known != places_.end()) {
            kept_.splice(kept_.begin(), kept_, known->second);
            return kept_.front().second;
        }
        auto block = std::make_shared<const std::string>(
            connection_->ask(fmt::format("{} {} {} {}", kBlock, metric, firstRow, rows), most));
        bytes_ += block->size();
        kept_.emplace_front(key, block);
        places_[key] = kept_.begin();
        for (; bytes_ > kMostKept && kept_.size() > 1; kept_.pop_back()) {
            bytes_ -= kept_.back().second->size();
            places_.erase(kept_.back().first);
        }
        return block;
    }

  private:
    using Key = std::pair<std::size_t, std::size_t>;
    std::shared_ptr<Connection> connection_;
    std::mutex mutex_;
    std::list<std::pair<Key, Block>> kept_;  ///< the last one first
    std::map<Key, std::list<std::pair<Key, Block>>::iterator> places_;
    std::size_t bytes_ = 0;
};

/// Which row is of which call path.
struct RowNumbers {
    explicit RowNumbers(const CallTree& tree) : paths(depthFirstRows(tree)), rows(tree.size()) {
        for (std::size_t row = 0; row < paths.size(); ++row) rows[paths[row].index()] = row;
    }
    std::vector<CallPathId> paths;  ///< by row
    std::vector<std::size_t> rows;  ///< by call path
};

/// What all metrics of an experiment share.
struct There {
    std::shared_ptr<Connection> connection;
    std::shared_ptr<Blocks> blocks;
    std::shared_ptr<const RowNumbers> numbers;
    std::size_t locations;
};

class FarRows final : public Rows, private CombinedElsewhere {
  public:
    /// `number`: of the metric, there. `present`: a letter for each row.
    FarRows(There there, std::size_t number, ValueType type, std::string present)
        : Rows(there.numbers->rows.size(), there.locations, missingValue(type)),
          there_(std::move(there)),
          number_(number),
          type_(type),
          present_(std::move(present)),
          rowsOfBlock_(std::max<std::size_t>(
              1, kBlockBytes / (std::max<std::size_t>(locations(), 1) * sizeof(double)))) {}

    bool hasRow(CallPathId path) const override {
        return path.index() < callPaths() && isPresent(there_.numbers->rows[path.index()]);
    }
    bool isFar() const override { return true; }
    const CombinedElsewhere* elsewhere() const override { return this; }

    std::span<const double> row(CallPathId path, std::span<double> scratch) const override {
        if (!hasRow(path)) return {};
        const Fetched fetched = fetch(path);
        const auto values = scratch.first(locations());
        decode(fetched.type, fetched.bytes.data(), there_.connection->swapsBytes(), values);
        return values;
    }

    std::optional<StoredRow> storedRow(CallPathId path, std::string& scratch) const override {
        if (!hasRow(path) || there_.connection->swapsBytes()) return std::nullopt;
        const Fetched fetched = fetch(path);
        if (!fetched.isStored) return std::nullopt;
        scratch = fetched.bytes;
        return StoredRow{type_, scratch};
    }

    std::shared_ptr<const RowSums> storedSums() const override {
        const auto numbers = ask(fmt::format("{} {}", kSums, number_), callPaths() + locations());
        const auto ofRows = std::span(numbers).first(callPaths());
        const auto ofLocations = std::span(numbers).subspan(callPaths());
        return std::make_shared<RowSums>(
            RowSums{byPath(ofRows), {ofLocations.begin(), ofLocations.end()}, {}});
    }

  private:
    struct Fetched {
        Blocks::Block block;
        std::string_view bytes;
        ValueType type;
        bool isStored;
    };

    bool isPresent(std::size_t row) const { return present_[row] == '1'; }

    Fetched fetch(CallPathId path) const {
        const std::size_t row = there_.numbers->rows[path.index()];
        const std::size_t first = row / rowsOfBlock_ * rowsOfBlock_;
        const std::size_t rows = std::min(rowsOfBlock_, callPaths() - first);
        const std::size_t most = 1 + rows * locations() * sizeof(double);
        Fetched fetched{there_.blocks->of(number_, first, rows, most), {}, ValueType::Double, false};
        const std::string_view block = *fetched.block;
        fetched.isStored = block.starts_with('s');
        if (fetched.isStored) fetched.type = type_;
        const std::size_t size = locations() * sizeOf(fetched.type);
        if (block.size() != 1 + presentIn(first, first + rows) * size) failOn(there_.connection->name());
        fetched.bytes = block.substr(1 + presentIn(first, row) * size, size);
        return fetched;
    }

    std::size_t presentIn(std::size_t first, std::size_t end) const {
        const auto begin = present_.begin();
        return static_cast<std::size_t>(std::count(begin + static_cast<std::ptrdiff_t>(first),
                                                   begin + static_cast<std::ptrdiff_t>(end), '1'));
    }

    std::vector<double> byLocation(std::span<const CallPathId> paths) const override {
        std::vector<std::size_t> rows;
        for (const CallPathId path : paths)
            if (hasRow(path)) rows.push_back(there_.numbers->rows[path.index()]);
        if (rows.empty()) return std::vector<double>(locations(), missing());
        std::ranges::sort(rows);
        return ask(fmt::format("{} {} {}", kLocations, number_, rangesOf(rows)), locations());
    }

    std::vector<double> byCallPath(std::span<const LocationId> chosen) const override {
        std::vector<std::size_t> numbers;
        for (const LocationId location : chosen) numbers.push_back(location.index());
        if (numbers.empty()) return std::vector<double>(callPaths(), missing());
        std::ranges::sort(numbers);
        return byPath(ask(fmt::format("{} {} {}", kCalls, number_, rangesOf(numbers)), callPaths()));
    }

    std::vector<double> byPath(std::span<const double> ofRows) const {
        std::vector<double> found(callPaths());
        for (std::size_t row = 0; row < ofRows.size(); ++row)
            found[there_.numbers->paths[row].index()] = ofRows[row];
        return found;
    }

    std::vector<double> ask(const std::string& question, std::size_t count) const {
        const std::string answer = there_.connection->ask(question, count * sizeof(double));
        if (answer.size() != count * sizeof(double)) failOn(there_.connection->name());
        std::vector<double> numbers(count);
        decode(ValueType::Double, answer.data(), there_.connection->swapsBytes(), numbers);
        // Queries give minima and maxima of nothing another value than rows have.
        if (missing() != 0.0)
            std::ranges::replace_if(
                numbers, [](double number) { return std::isnan(number); }, missing());
        return numbers;
    }

    There there_;
    std::size_t number_;
    ValueType type_;
    std::string present_;
    std::size_t rowsOfBlock_;
};

/// Attaches what else the answer says of the experiment.
class Opened {
  public:
    Opened(Anchor anchor, const std::shared_ptr<Connection>& connection)
        : experiment_(std::move(anchor.experiment)),
          numbers_(std::move(anchor.metricIds)),
          there_{connection, std::make_shared<Blocks>(connection),
                 std::make_shared<const RowNumbers>(experiment_.callTree),
                 experiment_.system.locations.size()} {}

    void attach(Parts& parts) {
        const auto words = wordsIn(parts.line());
        const auto isPart = [&words](std::string_view name, std::size_t count) {
            return words.size() == count && words.front() == name;
        };
        if (isPart("file", 3)) {
            const std::string name(parts.bytes(words[1]));
            experiment_.files[name] = parts.bytes(words[2]);
        } else if (isPart("compound", 4)) {
            CompoundValues values;
            values.index = parts.bytes(words[2]);
            values.data = parts.bytes(words[3]);
            experiment_.compoundValues[metric(words[1])] =
                std::make_shared<const CompoundValues>(std::move(values));
        } else if (isPart("rows", 3)) {
            attachRows(words[1], std::string(parts.bytes(words[2])));
        } else if (isPart("unreadable", 3)) {
            const Error why{std::string(parts.bytes(words[2]))};
            experiment_.severities.setRows(metric(words[1]), [why]() -> RowsPtr { throw why; });
        } else {
            parts.fail();
        }
    }

    Experiment take() { return std::move(experiment_); }

  private:
    /// By its number there.
    MetricId metric(std::string_view text) const {
        const auto found =
            std::ranges::find(numbers_, asNumber<std::uint64_t>(text).value_or(~std::uint64_t{0}));
        if (found == numbers_.end()) failOn(there_.connection->name());
        return MetricId(static_cast<std::size_t>(found - numbers_.begin()));
    }

    void attachRows(std::string_view number, std::string present) {
        if (present.size() != experiment_.callTree.size()) failOn(there_.connection->name());
        const MetricId id = metric(number);
        const Metric& about = experiment_.metrics[id];
        if (!about.hasValues() || about.valueType == ValueType::Compound) failOn(there_.connection->name());
        experiment_.severities.setRows(
            id, [rows = std::make_shared<const FarRows>(
                     there_, numbers_[id.index()], experiment_.metrics[id].valueType, std::move(present))] {
                return rows;
            });
    }

    Experiment experiment_;
    std::vector<std::uint64_t> numbers_;  ///< of the metrics, there
    There there_;
};

}  // namespace

Experiment openFar(const FarFile& file, const std::string& program, std::stop_token stopped) {
    const auto connection =
        std::make_shared<Connection>(commandThere(file, program), file.name(), std::move(stopped));
    const std::string answer = connection->ask(std::string(kExperiment));
    Parts parts(answer, file.name());
    const auto words = wordsIn(parts.line());
    if (words.size() != 2 || words.front() != "anchor") parts.fail();
    Opened opened(readAnchor(std::string(parts.bytes(words[1])), file.name()), connection);
    while (!parts.isEmpty()) opened.attach(parts);
    return opened.take();
}

}  // namespace holos::far
