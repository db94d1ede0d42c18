// SPDX-License-Identifier: BSD-3-Clause
#include "report/query/call_index.h"

#include <sys/stat.h>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "base/error.h"
#include "base/fnv1a.h"
#include "base/made_by.h"
#include "base/output_file.h"
#include "base/packing.h"

namespace holos::query {

std::vector<analyzer::trace::LocationId> locationsFor(const analyzer::trace::Definitions& definitions,
                                                      const Question& question, std::size_t locationColumn,
                                                      std::size_t processColumn, std::size_t threadColumn) {
    std::vector<analyzer::trace::LocationId> wanted;
    for (std::size_t i = 0; i < definitions.locations.size(); ++i) {
        const analyzer::trace::Location& one = definitions.locations[i];
        if (question.mayBe(locationColumn, static_cast<double>(i)) &&
            question.mayBe(processColumn, static_cast<double>(one.process.index())) &&
            question.mayBe(threadColumn, static_cast<double>(one.rank)))
            wanted.emplace_back(i);
    }
    return wanted;
}

namespace call {

namespace {

Ticks ticksOf(const trace::Definitions& definitions, double seconds, double slack) {
    const double ticks = seconds * static_cast<double>(definitions.clock.ticksPerSecond) + slack;
    constexpr double kFar = 9e18;
    return ticks >= kFar    ? std::numeric_limits<Ticks>::max()
           : ticks <= -kFar ? std::numeric_limits<Ticks>::min()
                            : static_cast<Ticks>(ticks);
}

/// Leaves the times of the iterations that are asked for.
void limitToIterations(Wanted& wanted, const Question& question, const analyzer::Iterations& all) {
    const double first = question.least(kIteration), last = question.most(kIteration);
    if (std::isinf(first) && std::isinf(last)) return;
    const auto count = static_cast<double>(all.begins.size());
    const double from = std::max(1.0, std::ceil(first)), to = std::min(count, std::floor(last));
    if (from > to) {
        wanted.toStart = std::numeric_limits<Ticks>::min();
        return;
    }
    wanted.fromStart = std::max(wanted.fromStart, all.begins[static_cast<std::size_t>(from) - 1]);
    wanted.toStart =
        std::min(wanted.toStart, to == count ? all.end : all.begins[static_cast<std::size_t>(to)]);
}

}  // namespace

bool Wanted::isNone() const {
    return fromStart > toStart || (!regions.empty() && std::ranges::find(regions, 1) == regions.end());
}

Wanted wantedBy(const trace::Definitions& definitions, const Question& question,
                const analyzer::Iterations* iterations) {
    Wanted wanted;  // a tick more on each side, for roundings; SQLite compares exactly
    wanted.fromStart = ticksOf(definitions, question.least(kStart), -2);
    wanted.toStart = ticksOf(definitions, question.most(kStart), 2);
    wanted.toEnd = ticksOf(definitions, question.most(kEnd), 2);
    wanted.leastDuration = question.least(kDuration);
    if (const std::string* const name = question.text(kRegion))
        for (const trace::Region& region : definitions.regions)
            wanted.regions.push_back(region.name == *name ? 1 : 0);
    if (iterations != nullptr) limitToIterations(wanted, question, *iterations);
    return wanted;
}

Value iterationAt(const analyzer::Iterations* iterations, Ticks time) {
    const std::size_t number = iterations == nullptr ? 0 : iterations->at(time);
    return number == 0 ? Value() : Value(static_cast<std::int64_t>(number));
}

Ticks OwnTimes::ownOf(const analyzer::replay::LeftCall& call) {
    Ticks within = 0;
    for (; !ended_.empty() && ended_.back().begin >= call.enter; ended_.pop_back())
        within += ended_.back().passed;
    const Ticks passed = call.leave - call.enter;
    // Neighbours that the next call around will take together count as one.
    const bool isNeighbour =
        !ended_.empty() && !call.around.empty() && ended_.back().begin >= call.around.back().enter;
    if (isNeighbour || ended_.size() > kMost)
        ended_.back().passed += passed;
    else
        ended_.push_back({call.enter, passed});
    return passed - within;
}

}  // namespace call

namespace fs = std::filesystem;
namespace trace = analyzer::trace;
using trace::LocationId;
using trace::ProcessId;

namespace {

/// The file, in the byte order of the machine that made it, which its first number tells.
///
///     Header | columns of blocks, as threads finish them | tables
///
/// Tables: blocks, by location; texts of call paths; of each process the begins and the end of iterations.
struct Header {
    static constexpr std::uint64_t kMagic = 0x31534C4C4143484CU;
    /// Another one wherever calls are read differently: rows have to be what the trace gives now.
    static constexpr std::uint64_t kVersion = 1;

    std::uint64_t magic = kMagic;
    std::uint64_t version = kVersion;
    std::uint64_t trace = 0;   ///< its mark
    std::uint64_t tables = 0;  ///< byte at which they begin; they go to the file's end
    std::uint64_t sum = 0;     ///< of them
};

template <class Thing>
std::string_view bytesOf(const Thing& thing) {
    return {reinterpret_cast<const char*>(&thing), sizeof(thing)};
}

std::uint64_t sumOf(std::string_view bytes) {
    return Fnv1a().add(bytes.data(), bytes.size()).value();
}

/// Writes the tables of an index, or reads them.
template <class Way>
void packTables(Way& way, std::vector<CallBlock>& blocks, std::vector<std::string>& texts,
                std::vector<analyzer::Iterations>& iterations) {
    way.list(blocks);
    way.list(texts, [&](std::string& text) { way.list(text); });
    way.list(iterations, [&](analyzer::Iterations& each) {
        way.list(each.begins);
        way.value(each.end);
    });
}

constexpr std::uint64_t widthFor(std::uint64_t largest) {
    return largest == 0 ? 0 : std::bit_ceil((static_cast<std::uint64_t>(std::bit_width(largest)) + 7) / 8);
}
constexpr bool isWidth(std::uint64_t width) {
    return width <= 8 && (width == 0 || std::has_single_bit(width));
}

/// What the index keeps of calls, gathered until there are enough for a block.
class Columns {
  public:
    void add(const call::Row& row, std::int64_t path) {
        const std::array<std::int64_t, kCallFacts> facts{row.enter,
                                                         row.leave - row.enter,
                                                         row.own,
                                                         static_cast<std::int64_t>(row.region.index()),
                                                         path,
                                                         static_cast<std::int64_t>(row.count),
                                                         static_cast<std::int64_t>(row.sent),
                                                         static_cast<std::int64_t>(row.received),
                                                         static_cast<std::int64_t>(row.depth)};
        for (std::size_t fact = 0; fact < kCallFacts; ++fact) values_[fact].push_back(facts[fact]);
        block_.lastEnter = rows() == 1 ? row.enter : std::max(block_.lastEnter, row.enter);
        block_.lastLeave = rows() == 1 ? row.leave : std::max(block_.lastLeave, row.leave);
        block_.longest =
            rows() == 1 ? row.leave - row.enter : std::max(block_.longest, row.leave - row.enter);
    }
    std::size_t rows() const { return values_[0].size(); }

    /// The block but for its place, and its bytes.
    CallBlock take(LocationId location, std::string& bytes) {
        block_.location = static_cast<std::uint32_t>(location.index());
        block_.rows = static_cast<std::uint32_t>(rows());
        bytes.clear();
        for (std::size_t fact = 0; fact < kCallFacts; ++fact)
            block_.columns[fact] = pack(std::exchange(values_[fact], {}), bytes);
        return block_;
    }

  private:
    static CallBlock::Column pack(const std::vector<std::int64_t>& values, std::string& bytes) {
        const auto [least, most] = std::ranges::minmax(values);
        const auto difference = [least = least](std::int64_t value) {
            return static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(least);
        };
        const std::uint64_t width = widthFor(difference(most));
        const std::size_t begin = bytes.size();
        if (width > 0)
            for (const std::int64_t value : values) {
                const std::uint64_t number = difference(value);
                bytes.append(reinterpret_cast<const char*>(&number), width);
            }
        return {least, width, sumOf(std::string_view(bytes).substr(begin))};
    }

    CallBlock block_;
    std::array<std::vector<std::int64_t>, kCallFacts> values_;
};

/// Takes blocks of all threads.
class IndexWriter {
  public:
    IndexWriter(const fs::path& file, std::size_t locations)
        : output_(file, Links::Refused), blocks_(locations) {
        output_.write(bytesOf(Header{}));
    }
    /// Thread safety: safe, by one thread for each location.
    void write(LocationId location, CallBlock block, const std::string& bytes) {
        const std::lock_guard lock(mutex_);
        block.place = output_.size();
        output_.write(bytes);
        blocks_[location.index()].push_back(block);
    }
    void finish(std::uint64_t mark, std::vector<std::string> texts,
                std::vector<analyzer::Iterations> iterations) {
        std::vector<CallBlock> all;
        for (const std::vector<CallBlock>& some : blocks_) all.insert(all.end(), some.begin(), some.end());
        Packer packer;
        packTables(packer, all, texts, iterations);
        const std::string tables = packer.take();
        const Header header{.trace = mark, .tables = output_.size(), .sum = sumOf(tables)};
        output_.write(tables);
        output_.rewrite(0, bytesOf(header));
        output_.commit();
    }

  private:
    OutputFile output_;
    std::mutex mutex_;
    std::vector<std::vector<CallBlock>> blocks_;  ///< by location
};

class LocationRows final : public call::CallRows {
  public:
    LocationRows(LocationId location, const analyzer::paths::MergedTree& tree, IndexWriter& writer)
        : CallRows(location), location_(location), pathOf_(tree.pathOf[location.index()]), writer_(writer) {}
    void finish() {
        if (columns_.rows() == 0) return;
        const CallBlock block = columns_.take(location_, bytes_);
        writer_.write(location_, block, bytes_);
    }

  private:
    void take(const call::Row& row, const analyzer::replay::LeftCall&) override {
        const std::size_t node = row.node.index();
        const bool hasPath = node < pathOf_.size() && pathOf_[node].has_value();
        columns_.add(row, hasPath ? static_cast<std::int64_t>(pathOf_[node]->index()) : kNoPath);
        if (columns_.rows() == CallBlock::kMostRows) finish();
    }

    LocationId location_;
    const std::vector<std::optional<algebra::CallPathId>>& pathOf_;
    IndexWriter& writer_;
    Columns columns_;
    std::string bytes_;
};

/// Adds what tells a file apart from another one, whatever the order of files is.
void addFile(const fs::path& file, std::uint64_t& mark) {
    struct stat facts {};
    if (::stat(file.c_str(), &facts) != 0) return;
    const std::string name = file.filename().string();
    mark += Fnv1a()
                .add(name.data(), name.size())
                .add(&facts.st_size, sizeof facts.st_size)
                .add(&facts.st_mtim.tv_sec, sizeof facts.st_mtim.tv_sec)
                .add(&facts.st_mtim.tv_nsec, sizeof facts.st_mtim.tv_nsec)
                .add(&facts.st_ino, sizeof facts.st_ino)
                .value();
}

/// Of a user who has one.
fs::path folderOfCaches() {
    const auto absolute = [](const char* variable) {
        const char* const text = std::getenv(variable);
        const fs::path folder = text == nullptr ? "" : text;
        return folder.is_absolute() ? folder : fs::path();
    };
    if (const fs::path caches = absolute("XDG_CACHE_HOME"); !caches.empty()) return caches / "holos";
    if (const fs::path home = absolute("HOME"); !home.empty()) return home / ".cache" / "holos";
    return {};
}

/// More than an index takes of a disk: a call is two events.
constexpr std::uint64_t kBytesOfAnEvent = 20;

void requireRoom(const fs::path& folder, const trace::Definitions& definitions) {
    std::uint64_t events = 0;
    for (const trace::Location& location : definitions.locations) events += location.events;
    std::error_code none;
    const fs::space_info space = fs::space(folder, none);
    if (!none && space.available / 2 < events * kBytesOfAnEvent)
        throw Error("has too little room for an index of the calls", Place{.file = folder.string()});
}

}  // namespace

std::uint64_t traceMark(const fs::path& anchor) {
    std::uint64_t mark = 0;
    addFile(anchor, mark);
    addFile(fs::path(anchor).replace_extension(".def"), mark);
    std::error_code none;
    for (fs::directory_iterator each(fs::path(anchor).replace_extension(), none), end; !none && each != end;
         each.increment(none))
        addFile(each->path(), mark);
    return mark;
}

std::vector<fs::path> callIndexFiles(const fs::path& anchor) {
    std::vector<fs::path> files{fs::path(anchor).replace_extension(".calls")};
    const fs::path caches = folderOfCaches();
    std::error_code none;
    const std::string name = fs::weakly_canonical(anchor, none).string();
    if (!caches.empty() && !none) files.push_back(caches / fmt::format("{:016x}.calls", sumOf(name)));
    return files;
}

void makeCallIndex(const fs::path& file, const fs::path& anchor, analyzer::RunRecords& records) {
    const std::uint64_t mark = traceMark(anchor);
    const trace::Definitions& definitions = records.definitions();
    const fs::path folder = file.parent_path().empty() ? fs::path(".") : file.parent_path();
    std::error_code none;  // what is wrong, the file will say
    if (folder == folderOfCaches() && fs::create_directories(folder, none))
        fs::permissions(folder, fs::perms::owner_all, none);
    requireOwn(file, Header::kMagic);
    requireRoom(folder, definitions);
    IndexWriter writer(file, definitions.locations.size());
    const analyzer::paths::MergedTree& tree = records.tree();
    records.forEachLocation([&](LocationId location) {
        LocationRows rows(location, tree, writer);
        records.readCalls(location, rows, true);
        rows.finish();
    });
    std::vector<analyzer::Iterations> iterations;
    for (std::size_t process = 0; process < definitions.processes.size(); ++process)
        iterations.push_back(records.iterations(ProcessId(process)));
    if (!records.damage().empty())
        throw Error("is damaged, so that no index of its calls is kept", Place{.file = anchor.string()});
    if (traceMark(anchor) != mark) throw Error("is being changed", Place{.file = anchor.string()});
    writer.finish(mark, records.pathTexts(), std::move(iterations));
}

CallIndex::CallIndex(const fs::path& file, std::uint64_t trace, const trace::Definitions& definitions)
    : file_(file), trace_(trace), regions_(definitions.regions.size()) {
    Header header;
    file_.read(0, sizeof header, reinterpret_cast<char*>(&header));
    if (header.magic != Header::kMagic) file_.fail("has no calls of a run of this kind of machine", 0);
    if (header.version != Header::kVersion)
        file_.fail("was made by another version of Holos; it is made anew", offsetof(Header, version));
    if (header.trace != trace)
        file_.fail("was made of another trace; it is made anew", offsetof(Header, trace));
    if (header.tables < sizeof header || header.tables > file_.size())
        file_.fail("has its tables at an impossible place", offsetof(Header, tables));
    std::string tables = file_.read(header.tables, file_.size() - header.tables);
    if (sumOf(tables) != header.sum)
        file_.fail("is damaged: its tables differ from their sum", header.tables);
    Unpacker unpacker(std::move(tables));
    packTables(unpacker, blocks_, pathTexts_, iterations_);
    requireSense(definitions);
    firstOf_.assign(definitions.locations.size() + 1, 0);
    for (const CallBlock& block : blocks_) ++firstOf_[block.location + 1];
    for (std::size_t i = 1; i < firstOf_.size(); ++i) firstOf_[i] += firstOf_[i - 1];
}

void CallIndex::requireSense(const trace::Definitions& definitions) const {
    const auto isWrong = [&](const CallBlock& block) {
        return block.location >= definitions.locations.size() || block.rows == 0 ||
               block.rows > CallBlock::kMostRows ||
               !std::ranges::all_of(block.columns, isWidth, &CallBlock::Column::width);
    };
    if (!std::ranges::is_sorted(blocks_, {}, &CallBlock::location) || std::ranges::any_of(blocks_, isWrong))
        file_.fail("has blocks that cannot be", 0);
    const auto isInOrder = [](const analyzer::Iterations& each) {
        return std::ranges::is_sorted(each.begins);
    };
    if (iterations_.size() != definitions.processes.size() || !std::ranges::all_of(iterations_, isInOrder))
        file_.fail("has iterations that cannot be", 0);
}

std::pair<std::size_t, std::size_t> CallIndex::blocksOf(LocationId location) const {
    return {firstOf_[location.index()], firstOf_[location.index() + 1]};
}

void CallIndex::read(std::size_t number, CallFact fact, std::vector<std::int64_t>& values) const {
    const CallBlock& block = blocks_[number];
    const auto wanted = static_cast<std::size_t>(fact);
    std::uint64_t place = block.place;
    for (std::size_t before = 0; before < wanted; ++before) place += block.columns[before].width * block.rows;
    const CallBlock::Column& column = block.columns[wanted];
    const std::string bytes = file_.read(place, column.width * block.rows);
    if (sumOf(bytes) != column.sum) file_.fail("is damaged: calls differ from their sum", place);
    values.resize(block.rows);
    for (std::size_t row = 0; row < block.rows; ++row) {
        std::uint64_t difference = 0;
        if (column.width > 0) std::memcpy(&difference, bytes.data() + row * column.width, column.width);
        values[row] = static_cast<std::int64_t>(static_cast<std::uint64_t>(column.least) + difference);
    }
    const auto hasAll = [&](std::int64_t from, std::size_t count) {
        return std::ranges::all_of(values, [&](std::int64_t value) {
            return value >= from && value < static_cast<std::int64_t>(count);
        });
    };
    if ((fact == CallFact::Region && !hasAll(0, regions_)) ||
        (fact == CallFact::Path && !hasAll(kNoPath, pathTexts_.size())))
        file_.fail("has calls that cannot be", place);
}

}  // namespace holos::query
