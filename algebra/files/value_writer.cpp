// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/files/value_writer.h"

#include <tbb/parallel_pipeline.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

#include "algebra/files/packed/compression.h"
#include "algebra/files/stored_values.h"
#include "algebra/files/tar.h"
#include "algebra/model/row_sums.h"

namespace holos::algebra {
namespace {

using RowNumber = std::uint32_t;

/// Some rows, encoded.
struct RowBlock {
    std::vector<RowNumber> numbers;
    std::unique_ptr<char[]> memory;
    std::size_t size = 0;
    std::string_view bytes() const { return {memory.get(), size}; }
};

class Encoder {
  public:
    Encoder(const Rows& rows, ValueType type, Negative negative, const std::vector<CallPathId>& order)
        : rows_(rows),
          type_(type),
          negative_(negative),
          order_(order),
          rowBytes_(rows.locations() * sizeOf(type)) {
        for (std::size_t number = 0; number < order.size(); ++number)
            if (rows.hasRow(order[number])) candidates_.push_back(static_cast<RowNumber>(number));
    }

    /// At most this many bytes will be encoded.
    std::uint64_t limit() const { return std::uint64_t{candidates_.size()} * rowBytes_; }

    std::size_t rows() const { return candidates_.size(); }

    /// A row without values.
    std::string emptyRow() const {
        std::string bytes(rowBytes_, '\0');
        encode(type_, std::vector<double>(rows_.locations(), rows_.missing()), bytes.data());
        return bytes;
    }

    std::size_t blocks() const { return (candidates_.size() + step_ - 1) / step_; }

    RowBlock encodeBlock(std::size_t block) const {
        const std::size_t begin = block * step_;
        const std::size_t end = std::min(begin + step_, candidates_.size());
        RowBlock made;
        made.memory = std::make_unique_for_overwrite<char[]>((end - begin) * rowBytes_);
        Scratch scratch{std::make_unique_for_overwrite<double[]>(rows_.locations()), {}};
        for (std::size_t at = begin; at < end; ++at) {
            if (!encodeRow(order_[candidates_[at]], made.memory.get() + made.size, scratch)) continue;
            made.size += rowBytes_;
            made.numbers.push_back(candidates_[at]);
        }
        return made;
    }

  private:
    struct Scratch {
        std::unique_ptr<double[]> values;
        std::string bytes;
    };

    /// False when there are no values.
    bool encodeRow(CallPathId path, char* into, Scratch& scratch) const {
        const auto stored = rows_.missing() == 0.0 ? rows_.storedRow(path, scratch.bytes) : std::nullopt;
        if (stored && stored->type == type_) {
            std::memcpy(into, stored->bytes.data(), rowBytes_);
            return stored->bytes.find_first_not_of('\0') != stored->bytes.npos;
        }
        double* const place = isIntegral(type_) ? scratch.values.get() : reinterpret_cast<double*>(into);
        const auto values = rows_.row(path, {place, rows_.locations()});
        if (rows_.allMissing(values)) return false;
        if (reinterpret_cast<const char*>(values.data()) != into) encode(type_, values, into, negative_);
        return true;
    }

    const Rows& rows_;
    ValueType type_;
    Negative negative_;
    const std::vector<CallPathId>& order_;
    std::size_t rowBytes_;
    std::size_t step_ = rowsPerBlock(rows_.locations());
    std::vector<RowNumber> candidates_;  ///< rows that may have values
};

/// Adds up blocks as they come, while they are in the processor's cache; those of a single row or few of them
/// several at a time.
class BlockSums {
  public:
    /// Null: nobody wants sums.
    explicit BlockSums(SumsOfRows* sums) : sums_(sums) {}

    /// The block, until the next one comes.
    const RowBlock& take(RowBlock block) {
        if (rows_ == 0) blocks_.clear();
        rows_ += block.numbers.size();
        blocks_.push_back(std::move(block));
        if (sums_ == nullptr || rows_ >= kRowsTogether) finish();
        return blocks_.back();
    }
    void finish() {
        std::vector<std::string_view> parts;
        for (const RowBlock& block : blocks_) parts.push_back(block.bytes());
        if (sums_ != nullptr && rows_ > 0) sums_->add(parts);
        rows_ = 0;
    }

  private:
    SumsOfRows* sums_;
    std::vector<RowBlock> blocks_;
    std::size_t rows_ = 0;  ///< of the blocks, that are to be added
};

/// Encodes the blocks in parallel and writes those with values in their order; `sums`, unless it is null,
/// adds them up. Returns the numbers of the rows written.
std::vector<RowNumber> writeBlocks(const Encoder& encoder, SumsOfRows* sums, TarWriter& tar) {
    std::vector<RowNumber> written;
    // Of those on their way, in turn: what a pipeline that is ended by an exception carried would never be
    // freed.
    const std::size_t inFlight = 2 * std::max(1U, std::thread::hardware_concurrency());
    std::vector<RowBlock> places(inFlight);
    BlockSums blockSums(sums);
    std::size_t next = 0;
    const auto choose = [&](tbb::flow_control& flow) {
        if (next == encoder.blocks()) flow.stop();
        return next++;
    };
    const auto make = [&](std::size_t block) {
        RowBlock made = encoder.encodeBlock(block);
        places[block % inFlight] = std::move(made);
        return block;
    };
    const auto write = [&](std::size_t number) {
        const RowBlock& block = blockSums.take(std::exchange(places[number % inFlight], {}));
        if (written.empty() && !block.numbers.empty()) tar.append(values::kDataMark);
        tar.append(block.bytes());
        written.insert(written.end(), block.numbers.begin(), block.numbers.end());
    };
    using tbb::filter_mode;
    tbb::parallel_pipeline(inFlight,
                           tbb::make_filter<void, std::size_t>(filter_mode::serial_in_order, choose) &
                               tbb::make_filter<std::size_t, std::size_t>(filter_mode::parallel, make) &
                               tbb::make_filter<std::size_t, void>(filter_mode::serial_in_order, write));
    blockSums.finish();
    return written;
}

void tell(const SumsOfRows& sums, const std::vector<RowNumber>& written, const std::vector<CallPathId>& order,
          RowSums& told) {
    const StoredSums& found = sums.found();
    for (std::size_t at = 0; at < written.size(); ++at) {
        told.paths[order[written[at]].index()] = found.rows[at];
        told.leasts[order[written[at]].index()] = found.leasts[at];
    }
    told.locations = found.locations;
}

/// The data member of a metric of which this row alone is stored.
std::string packedRow(std::string_view row) {
    const std::string packed = deflate(row);
    std::string bytes(values::kCompressedMark);
    for (const std::uint64_t field : {std::uint64_t{1}, std::uint64_t{0}, std::uint64_t{0}, packed.size()})
        appendNumber(bytes, field);  // number of rows; the row's place, where its stream is, and how long
    return bytes += packed;
}

std::string sparseIndex(const std::vector<RowNumber>& rows) {
    std::string bytes(values::kIndexMark);
    appendNumber(bytes, values::kNativeOrder);
    appendNumber(bytes, std::uint16_t{0});
    appendNumber(bytes, values::kSparse);
    appendNumber(bytes, static_cast<std::uint32_t>(rows.size()));
    for (const RowNumber row : rows) appendNumber(bytes, row);
    return bytes;
}

}  // namespace

void writeValues(const Rows& rows, ValueType type, Negative negative, const std::vector<CallPathId>& order,
                 Sums sums, const std::string& stem, TarWriter& tar, RowSums* told) {
    if (rows.callPaths() == 0) return;
    const Encoder encoder(rows, type, negative, order);
    const bool isLarge =
        sums == Sums::WhereLarge && mayHaveSums(type) && encoder.limit() >= kSmallestWithSums;
    std::optional<SumsOfRows> added;
    if (isLarge || told != nullptr) added.emplace(type, rows.locations());
    tar.begin(stem + ".data",
              values::kDataMark.size() + encoder.limit() + sizeOfSums(encoder.rows(), rows.locations()));
    auto written = writeBlocks(encoder, added ? &*added : nullptr, tar);
    if (isLarge && !written.empty()) tar.append(added->text());
    if (told != nullptr) tell(*added, written, order, *told);
    if (written.empty()) {  // pycubexr refuses metrics without any row
        tar.append(packedRow(encoder.emptyRow()));
        written.push_back(0);
    }
    // CUBE's own reader ignores surplus bytes, but other tar programs stop behind a member of whole blocks.
    if (tar.memberSize() % tar::kBlock == 0) tar.append(std::string_view("\0", 1));
    tar.end();
    tar.add(stem + ".index", sparseIndex(written));
}

}  // namespace holos::algebra
