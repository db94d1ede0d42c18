// SPDX-License-Identifier: BSD-3-Clause
#include "report/far/far_experiment.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstddef>
#include <cstring>
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
#include <thread>
#include <utility>
#include <vector>

#include "algebra/files/anchor.h"
#include "algebra/files/stored_values.h"
#include "algebra/model/row_sums.h"
#include "base/descriptor.h"
#include "base/error.h"
#include "base/printable.h"
#include "base/process.h"
#include "base/text.h"
#include "report/far/questions.h"

namespace holos::far {

using namespace algebra;

namespace {

/// A program that answers questions on its standard input and output (`questions.h`).
///
/// Thread safety: safe; one question is on its way at a time.
class Connection {
  public:
    /// Starts it, and waits until it is ready: it may ask on the terminal who somebody is. `name` is what it
    /// is asked about, for messages. Who stops ends all waiting, here and later. Throws `holos::Error`.
    Connection(const std::vector<std::string>& command, std::string name, std::stop_token stopped);
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    /// Ends it.
    ~Connection();

    /// The answer, which has no more bytes than `most`. Throws `holos::Error` when there is none, with the
    /// reason.
    std::string ask(const std::string& question, std::size_t most = kLargestAnswer);
    /// Whether it has numbers in another order of bytes than this machine.
    bool swapsBytes() const { return swapsBytes_; }
    const std::string& name() const { return name_; }

  private:
    static constexpr std::size_t kLargestAnswer = std::size_t{1} << 30;

    /// Ends with this object.
    class Program {
      public:
        /// The other end of `line` is its standard input and output.
        Program(const std::vector<std::string>& command, int line, int trouble);
        Program(const Program&) = delete;
        Program& operator=(const Program&) = delete;
        ~Program();
        /// Gives it a moment to end by itself.
        void waitALittle();

      private:
        pid_t number_ = -1;  ///< -1: it has ended
    };

    void waitForGreeting();
    void send(std::string_view text);
    std::string receiveLine(std::size_t longest);
    std::string receiveBytes(std::size_t size);
    void receiveMore();
    void waitFor(short what);
    bool hearTrouble();
    [[noreturn]] void end(const std::string& why);
    std::string lastWords();

    const std::string name_;
    const std::stop_token stopped_;
    std::mutex asking_;
    Descriptor trouble_;  ///< what the program writes to its standard error; none: it is closed
    std::string said_;    ///< the last of that
    Descriptor line_;     ///< both ways
    std::unique_ptr<Program> program_;
    std::string received_;  ///< and not yet read
    bool swapsBytes_ = false;
    std::string whyEnded_;  ///< empty: it has not
};

/// Milliseconds after which is looked whether somebody wants to stop.
constexpr int kPause = 100;
constexpr std::size_t kLongestHead = 100;
/// What a shell of the other machine may print before the program is there.
constexpr std::size_t kLongestLine = std::size_t{64} << 10;
constexpr int kLinesBefore = 100;
constexpr std::size_t kAtOnce = std::size_t{64} << 10;
constexpr std::size_t kLastWords = std::size_t{4} << 10;

Connection::Program::Program(const std::vector<std::string>& command, int line, int trouble) {
    posix_spawn_file_actions_t streams{};
    ::posix_spawn_file_actions_init(&streams);
    ::posix_spawn_file_actions_adddup2(&streams, line, STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&streams, line, STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&streams, trouble, STDERR_FILENO);
    const Arguments words(command);
    const int error = ::posix_spawnp(&number_, words.data()[0], &streams, nullptr, words.data(), environ);
    ::posix_spawn_file_actions_destroy(&streams);
    if (error == 0) return;
    number_ = -1;
    throw Error(fmt::format("{} cannot be started: {}", command.front(), std::strerror(error)));
}

Connection::Program::~Program() {
    if (number_ < 0) return;
    ::kill(number_, SIGTERM);
    while (::waitpid(number_, nullptr, 0) < 0 && errno == EINTR) continue;
}

void Connection::Program::waitALittle() {
    constexpr int kTimes = 20;
    for (int time = 0; time < kTimes && number_ >= 0; ++time) {
        if (::waitpid(number_, nullptr, WNOHANG) == number_)
            number_ = -1;
        else
            std::this_thread::sleep_for(std::chrono::milliseconds(kPause));
    }
}

Connection::Connection(const std::vector<std::string>& command, std::string name, std::stop_token stopped)
    : name_(std::move(name)), stopped_(std::move(stopped)) {
    std::array<int, 2> line{}, trouble{};
    if (::pipe2(trouble.data(), O_CLOEXEC) != 0) throw Error(std::strerror(errno), {.file = name_});
    trouble_ = Descriptor(trouble[0]);
    {
        const Descriptor toTrouble(trouble[1]);
        if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, line.data()) != 0 ||
            ::fcntl(trouble_.number(), F_SETFL, O_NONBLOCK) != 0)
            throw Error(std::strerror(errno), {.file = name_});
        line_ = Descriptor(line[0]);
        const Descriptor theirs(line[1]);
        program_ = std::make_unique<Program>(command, theirs.number(), toTrouble.number());
    }
    waitForGreeting();
}

Connection::~Connection() = default;

void Connection::waitForGreeting() {
    for (int line = 0; line < kLinesBefore; ++line) {
        const std::string said = receiveLine(kLongestLine);
        if (!said.starts_with(kGreeting)) continue;
        swapsBytes_ = said.substr(kGreeting.size()) != kByteOrder;
        return;
    }
    end("no version of Holos answers there that this one understands");
}

std::string Connection::ask(const std::string& question, std::size_t most) {
    const std::lock_guard lock(asking_);
    if (!whyEnded_.empty()) throw Error(whyEnded_, {.file = name_});
    send(question + '\n');
    const std::string head = receiveLine(kLongestHead);
    const auto words = wordsIn(head);
    const auto size = words.size() == 2 ? asNumber<std::size_t>(words[1]) : std::nullopt;
    const bool isReason = size && words[0] == "error";
    if (!size || *size > (isReason ? kLongestReason : most) || (words[0] != "ok" && !isReason))
        end("what answers there is not Holos");
    std::string answer = receiveBytes(*size);
    if (isReason) throw Error(printable(answer), {.file = name_});
    return answer;
}

void Connection::send(std::string_view text) {
    while (!text.empty()) {
        waitFor(POLLOUT);
        const ssize_t sent = ::send(line_.number(), text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (sent < 0) end("the connection has ended");
        text.remove_prefix(static_cast<std::size_t>(sent));
    }
}

std::string Connection::receiveLine(std::size_t longest) {
    std::size_t seen = 0;
    for (;;) {
        const std::size_t found = received_.find('\n', seen);
        if (found != std::string::npos) {
            std::string line = received_.substr(0, found);
            received_.erase(0, found + 1);
            if (line.ends_with('\r')) line.pop_back();
            return line;
        }
        if (received_.size() > longest) end("what answers there is not Holos");
        seen = received_.size();
        receiveMore();
    }
}

std::string Connection::receiveBytes(std::size_t size) {
    while (received_.size() < size) receiveMore();
    if (received_.size() == size) return std::exchange(received_, {});
    std::string bytes = received_.substr(0, size);
    received_.erase(0, size);
    return bytes;
}

void Connection::receiveMore() {
    waitFor(POLLIN);
    const std::size_t before = received_.size();
    received_.resize(before + kAtOnce);
    const ssize_t size = ::recv(line_.number(), received_.data() + before, kAtOnce, 0);
    received_.resize(before + static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
    if (size == 0 || (size < 0 && errno != EINTR)) end("the connection has ended");
}

/// Waits until the other side can be read from or written to. What the program says of its troubles is
/// heard meanwhile: it would have to wait otherwise.
void Connection::waitFor(short what) {
    for (;;) {
        std::array<pollfd, 2> waiting{pollfd{line_.number(), what, 0}, pollfd{trouble_.number(), POLLIN, 0}};
        const int ready = ::poll(waiting.data(), waiting.size(), kPause);
        if (ready > 0 && waiting[1].revents != 0) hearTrouble();
        if (ready > 0 && waiting[0].revents != 0) return;
        if (stopped_.stop_requested()) end("given up");
    }
}

/// Whether there was something to hear. The last of it is kept.
bool Connection::hearTrouble() {
    std::array<char, kLastWords> heard{};
    const ssize_t size = ::read(trouble_.number(), heard.data(), heard.size());
    if (size == 0) trouble_ = Descriptor();
    if (size <= 0) return false;
    said_.append(heard.data(), static_cast<std::size_t>(size));
    if (said_.size() > kLastWords) said_.erase(0, said_.size() - kLastWords);
    return true;
}

/// With what the program said of its troubles last.
void Connection::end(const std::string& why) {
    line_ = Descriptor();
    program_->waitALittle();
    const std::string said = lastWords();
    whyEnded_ = said.empty() ? why : why + ": " + said;
    throw Error(whyEnded_, {.file = name_});
}

std::string Connection::lastWords() {
    constexpr int kMost = 64;  // a pipe has no more, unless somebody goes on and on
    for (int time = 0; time < kMost && hearTrouble();) ++time;
    const std::string_view words = trimmed(said_);
    return printable(words.substr(words.rfind('\n') + 1));
}

}  // namespace

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
