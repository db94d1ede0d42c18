// SPDX-License-Identifier: BSD-3-Clause
// The parts of a file, and the numbers of fields and of choices, are those of parquet.thrift
// (apache/parquet-format 2.10); headers are written in Thrift's compact protocol.
#include "cli/parquet_table.h"

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <utility>

#include "algebra/files/packed/compression.h"
#include "base/error.h"
#include "base/text.h"

namespace holos::cli {

namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie in memory");

constexpr std::string_view kMagic = "PAR1";
constexpr std::int64_t kRowsOfGroup = 1 << 17;
constexpr std::size_t kTextsOfGroup = std::size_t{1} << 26;  ///< bytes
constexpr std::size_t kLongestText = std::size_t{1} << 30;

// parquet.thrift
enum class Type : std::int32_t { Int64 = 2, Double = 5, Bytes = 6 };
enum class Encoding : std::int32_t { Plain = 0, Runs = 3, DictionaryRuns = 8 };
enum class PageType : std::int32_t { Data = 0, Dictionary = 2 };
constexpr std::int32_t kOptional = 1;  // FieldRepetitionType
constexpr std::int32_t kUtf8 = 0;      // ConvertedType
constexpr std::int32_t kGzip = 2;      // CompressionCodec
constexpr std::int32_t kVersion = 2;

void appendVarint(std::string& bytes, std::uint64_t value) {
    for (; value >= 0x80; value >>= 7U) bytes += static_cast<char>(value | 0x80U);
    bytes += static_cast<char>(value);
}

template <class Number>
void appendNumber(std::string& bytes, Number number) {
    bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

/// A structure in Thrift's compact protocol (apache/thrift, doc/specs/thrift-compact-protocol.md). Fields
/// come in the order of their numbers.
class Struct {
  public:
    Struct& i32(int field, std::int32_t value) {
        begin(field, kI32);
        appendZigzag(value);
        return *this;
    }
    Struct& i64(int field, std::int64_t value) {
        begin(field, kI64);
        appendZigzag(value);
        return *this;
    }
    template <class Choice>
    Struct& choice(int field, Choice value) {
        return i32(field, static_cast<std::int32_t>(value));
    }
    Struct& text(int field, std::string_view value) {
        begin(field, kBinary);
        appendText(value);
        return *this;
    }
    Struct& texts(int field, std::initializer_list<std::string_view> values) {
        beginList(field, kBinary, values.size());
        for (const std::string_view value : values) appendText(value);
        return *this;
    }
    Struct& encodings(int field, std::span<const Encoding> values) {
        beginList(field, kI32, values.size());
        for (const Encoding value : values) appendZigzag(static_cast<std::int32_t>(value));
        return *this;
    }
    Struct& structure(int field, const Struct& value) {
        begin(field, kStruct);
        bytes_ += value.complete();
        return *this;
    }
    Struct& structures(int field, const std::vector<Struct>& values) {
        beginList(field, kStruct, values.size());
        for (const Struct& value : values) bytes_ += value.complete();
        return *this;
    }
    std::string complete() const { return bytes_ + '\0'; }

  private:
    static constexpr std::uint8_t kI32 = 5, kI64 = 6, kBinary = 8, kList = 9, kStruct = 12;

    void begin(int field, std::uint8_t type) {
        bytes_ += static_cast<char>((field - std::exchange(last_, field)) << 4U | type);
    }
    void beginList(int field, std::uint8_t type, std::size_t size) {
        constexpr std::size_t kShort = 15;
        begin(field, kList);
        bytes_ += static_cast<char>(std::min(size, kShort) << 4U | type);
        if (size >= kShort) appendVarint(bytes_, size);
    }
    void appendZigzag(std::int64_t value) {
        appendVarint(bytes_,
                     static_cast<std::uint64_t>(value) << 1U ^ static_cast<std::uint64_t>(value >> 63));
    }
    void appendText(std::string_view text) {
        appendVarint(bytes_, text.size());
        bytes_ += text;
    }

    std::string bytes_;
    int last_ = 0;
};

/// Parquet's hybrid of runs and packed bits: runs of equal values, and between them groups of eight values.
class Runs {
  public:
    explicit Runs(unsigned bits) : bits_(bits) {}

    template <class Values>
    std::string of(const Values& values) {
        for (std::size_t at = 0; at < values.size();) {
            std::size_t end = at + 1;
            while (end < values.size() && values[end] == values[at]) ++end;
            // A packed group is complete but for the last one: a run gives what it lacks.
            const std::size_t lacking = (kGroup - packed_.size() % kGroup) % kGroup;
            if (end - at < kGroup + lacking) {
                for (; at < end; ++at) packed_.push_back(values[at]);
                continue;
            }
            for (std::size_t i = 0; i < lacking; ++i) packed_.push_back(values[at++]);
            writePacked();
            appendVarint(bytes_, (end - at) << 1U);
            for (unsigned shift = 0; shift < bits_; shift += 8)
                bytes_ += static_cast<char>(static_cast<std::uint32_t>(values[at]) >> shift);
            at = end;
        }
        writePacked();
        return std::move(bytes_);
    }

  private:
    static constexpr std::size_t kGroup = 8;

    void writePacked() {
        if (packed_.empty()) return;
        packed_.resize((packed_.size() + kGroup - 1) / kGroup * kGroup);
        appendVarint(bytes_, packed_.size() / kGroup << 1U | 1U);
        std::uint64_t waiting = 0;
        unsigned waitingBits = 0;
        for (const std::uint32_t value : packed_) {
            waiting |= std::uint64_t{value} << waitingBits;
            for (waitingBits += bits_; waitingBits >= 8; waitingBits -= 8, waiting >>= 8U)
                bytes_ += static_cast<char>(waiting);
        }
        packed_.clear();
    }

    unsigned bits_;
    std::string bytes_;
    std::vector<std::uint32_t> packed_;
};

Type typeOf(ParquetTable::Kind kind) {
    switch (kind) {
        case ParquetTable::Kind::Integer:
            return Type::Int64;
        case ParquetTable::Kind::Real:
            return Type::Double;
        case ParquetTable::Kind::Text:
            return Type::Bytes;
    }
    return {};
}

Struct schemaOf(const ParquetTable::Column& column) {
    Struct element;
    element.choice(1, typeOf(column.kind)).i32(3, kOptional).text(4, column.name);
    if (column.kind == ParquetTable::Kind::Text)
        element.i32(6, kUtf8).structure(10, Struct().structure(1, {}));  // LogicalType: STRING
    return element;
}

/// A page with its header.
struct Page {
    std::string bytes;
    std::size_t unpackedSize = 0;
};

/// `description`: what the header says of a page of this type, in that field.
Page pageOf(PageType type, std::string_view content, int field, const Struct& description) {
    const std::string packed = algebra::gzip(content);
    Page page;
    page.bytes = Struct()
                     .choice(1, type)
                     .i32(2, static_cast<std::int32_t>(content.size()))
                     .i32(3, static_cast<std::int32_t>(packed.size()))
                     .structure(field, description)
                     .complete();
    page.unpackedSize = page.bytes.size() + content.size();
    page.bytes += packed;
    return page;
}

Struct chunkOf(const ParquetTable::Column& column, const ParquetTable::Chunk& chunk, std::int64_t rows) {
    static constexpr std::array kOfText{Encoding::Plain, Encoding::Runs, Encoding::DictionaryRuns};
    static constexpr std::array kOfNumbers{Encoding::Plain, Encoding::Runs};
    const bool isText = column.kind == ParquetTable::Kind::Text;
    Struct data;
    data.choice(1, typeOf(column.kind))
        .encodings(2, isText ? std::span<const Encoding>(kOfText) : kOfNumbers)
        .texts(3, {column.name})
        .i32(4, kGzip)
        .i64(5, rows)
        .i64(6, chunk.unpackedBytes)
        .i64(7, chunk.bytes)
        .i64(9, chunk.dataAt);
    if (isText) data.i64(11, chunk.dictionaryAt);
    return Struct().i64(2, isText ? chunk.dictionaryAt : chunk.dataAt).structure(3, data);
}

/// A text in which what is no UTF-8 is U+FFFD.
std::string wellFormed(std::string_view text) {
    std::string result;
    while (!text.empty()) {
        const std::size_t bytes = utf8::firstOf(text).bytes;
        result += bytes > 0 ? text.substr(0, bytes) : "\xEF\xBF\xBD";
        text.remove_prefix(std::max<std::size_t>(bytes, 1));
    }
    return result;
}

}  // namespace

ParquetTable::ParquetTable(const std::vector<Column>& columns, std::function<void(std::string_view)> write)
    : write_(std::move(write)) {
    for (const Column& column : columns) columns_.emplace_back(column);
    put(kMagic);
}

void ParquetTable::put(std::string_view bytes) {
    write_(bytes);
    written_ += static_cast<std::int64_t>(bytes.size());
}

void ParquetTable::addText(Filled& column, std::string_view text) {
    if (text.size() > kLongestText) throw Error("a text is too long for Parquet");
    auto found = column.positionOf.find(text);
    if (found == column.positionOf.end()) {
        const std::string stored = wellFormed(text);
        appendNumber(column.dictionary, static_cast<std::uint32_t>(stored.size()));
        column.dictionary += stored;
        bytesOfTexts_ += text.size() + stored.size();
        found = column.positionOf.emplace(text, static_cast<std::uint32_t>(column.positionOf.size())).first;
    }
    column.positions.push_back(found->second);
}

void ParquetTable::add(std::span<const Cell> row) {
    auto column = columns_.begin();
    for (const Cell& cell : row) {
        column->isThere.push_back(!std::holds_alternative<std::monostate>(cell));
        if (const auto* whole = std::get_if<std::int64_t>(&cell)) appendNumber(column->numbers, *whole);
        if (const auto* real = std::get_if<double>(&cell)) appendNumber(column->numbers, *real);
        if (const auto* text = std::get_if<std::string_view>(&cell)) addText(*column, *text);
        ++column;
    }
    if (++rowsOfGroup_ == kRowsOfGroup || bytesOfTexts_ > kTextsOfGroup) writeGroup();
}

ParquetTable::Chunk ParquetTable::writeColumn(Filled& column) {
    Chunk chunk;
    const auto putPage = [&](const Page& page) {
        put(page.bytes);
        chunk.bytes += static_cast<std::int64_t>(page.bytes.size());
        chunk.unpackedBytes += static_cast<std::int64_t>(page.unpackedSize);
    };
    const bool isText = column.column.kind == Kind::Text;
    std::string values = std::move(column.numbers);
    if (isText) {
        chunk.dictionaryAt = written_;
        const auto texts = static_cast<std::int32_t>(column.positionOf.size());
        putPage(pageOf(PageType::Dictionary, column.dictionary, 7,
                       Struct().i32(1, texts).choice(2, Encoding::Plain)));
        const auto bits = static_cast<unsigned>(std::bit_width(column.positionOf.size() | 1U));
        values = static_cast<char>(bits) + Runs(bits).of(column.positions);
    }
    const std::string isThere = Runs(1).of(column.isThere);
    std::string content;
    appendNumber(content, static_cast<std::uint32_t>(isThere.size()));
    content += isThere + values;
    chunk.dataAt = written_;
    putPage(pageOf(PageType::Data, content, 5,
                   Struct()
                       .i32(1, static_cast<std::int32_t>(rowsOfGroup_))
                       .choice(2, isText ? Encoding::DictionaryRuns : Encoding::Plain)
                       .choice(3, Encoding::Runs)
                       .choice(4, Encoding::Runs)));
    column = Filled(std::move(column.column));
    return chunk;
}

void ParquetTable::writeGroup() {
    Group group{rowsOfGroup_, {}};
    for (Filled& column : columns_) group.chunks.push_back(writeColumn(column));
    groups_.push_back(std::move(group));
    rowsOfGroup_ = 0;
    bytesOfTexts_ = 0;
}

void ParquetTable::finish() {
    if (rowsOfGroup_ > 0) writeGroup();
    std::vector<Struct> schema{Struct().text(4, "table").i32(5, static_cast<std::int32_t>(columns_.size()))};
    for (const Filled& column : columns_) schema.push_back(schemaOf(column.column));
    std::vector<Struct> groups;
    std::int64_t rows = 0;
    for (const Group& group : groups_) {
        std::vector<Struct> chunks;
        std::int64_t unpacked = 0;
        for (std::size_t at = 0; at < columns_.size(); ++at) {
            chunks.push_back(chunkOf(columns_[at].column, group.chunks[at], group.rows));
            unpacked += group.chunks[at].unpackedBytes;
        }
        groups.push_back(Struct().structures(1, chunks).i64(2, unpacked).i64(3, group.rows));
        rows += group.rows;
    }
    const std::string footer = Struct()
                                   .i32(1, kVersion)
                                   .structures(2, schema)
                                   .i64(3, rows)
                                   .structures(4, groups)
                                   .text(6, "holos version " HOLOS_VERSION)
                                   .complete();
    put(footer);
    std::string end;
    appendNumber(end, static_cast<std::uint32_t>(footer.size()));
    put(end);
    put(kMagic);
}

}  // namespace holos::cli
