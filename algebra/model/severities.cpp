// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/model/severities.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <mutex>
#include <utility>

#include "algebra/model/remembered_results.h"
#include "algebra/model/row_sums.h"

namespace holos::algebra {
namespace {

RowSource sourceOf(std::shared_ptr<const SeverityTable> table) {
    return [table = std::move(table)] { return rowsOf(table); };
}

constexpr std::size_t kMostKept = std::size_t{256} << 20;
constexpr std::size_t kLargestKept = std::size_t{64} << 20;
/// From another machine, which can be asked for what it comes to.
constexpr std::size_t kLargestFetched = std::size_t{1} << 20;
/// What is read in a few milliseconds.
constexpr std::size_t kQuicklyRead = std::size_t{4} << 20;

/// Bytes that a table of these rows takes in memory, at most.
std::size_t bytesOf(const Rows& rows) {
    const std::size_t all = rows.callPaths() * rows.locations() * sizeof(double);
    if (all <= kQuicklyRead) return all;
    std::size_t present = 0;
    for (std::size_t at = 0; at < rows.callPaths(); ++at)
        if (rows.hasRow(CallPathId(at))) ++present;
    return present * rows.locations() * sizeof(double);
}

}  // namespace

struct Severities::Entry {
    std::mutex loading;
    RowSource source;
    std::shared_ptr<SeverityTable> table;
    RowsPtr opened;
    std::size_t bytes = 0;  ///< that a table of the opened rows would take
    bool isLarge = false;   ///< too large to be kept
    std::mutex adding;
    std::shared_ptr<const RowSums> sums;  ///< of the opened rows

    void forgetOpened() {
        opened = nullptr;
        sums = nullptr;
        isLarge = false;
    }
    void open() {
        if (opened) return;
        opened = source();
        bytes = bytesOf(*opened);
    }
    /// `lock` is of `loading`, and is held again afterwards. False when another thread was faster.
    bool keep(std::unique_lock<std::mutex>& lock) {
        const RowsPtr rows = opened ? opened : source();
        if (!rows->isFar()) {
            take(*rows);
            return true;
        }
        // Who only wants to know whether the values are there does not wait for another machine.
        lock.unlock();
        const std::lock_guard one(adding);
        lock.lock();
        if (table) return false;
        lock.unlock();
        const auto fetched = std::const_pointer_cast<SeverityTable>(rows->table());
        lock.lock();
        take(fetched);
        return true;
    }
    void take(const Rows& rows) { take(std::const_pointer_cast<SeverityTable>(rows.table())); }
    void take(std::shared_ptr<SeverityTable> made) {
        table = std::move(made);
        source = nullptr;
        opened = nullptr;
    }
};

struct Severities::Kept {
    std::atomic<std::size_t> bytes{0};
    RememberedResults results;
};

Severities::Severities() : kept_(std::make_unique<Kept>()) {}
Severities::Severities(Severities&& other) noexcept
    : entries_(std::move(other.entries_)), kept_(std::move(other.kept_)) {}
Severities& Severities::operator=(Severities&& other) noexcept {
    entries_ = std::move(other.entries_);
    kept_ = std::move(other.kept_);
    return *this;
}
Severities::~Severities() = default;

void Severities::set(MetricId metric, SeverityTable table) {
    Entry& slot = entry(metric);
    slot.source = nullptr;
    slot.forgetOpened();
    slot.table = std::make_shared<SeverityTable>(std::move(table));
}

void Severities::setRows(MetricId metric, RowSource source) {
    Entry& slot = entry(metric);
    slot.source = std::move(source);
    slot.forgetOpened();
    slot.table = nullptr;
}

const SeverityTable& Severities::table(MetricId metric) const {
    static const SeverityTable kEmpty;
    Entry* const slot = find(metric);
    if (slot == nullptr) return kEmpty;
    std::unique_lock lock(slot->loading);
    if (slot->source) slot->keep(lock);
    return *slot->table;
}

SeverityTable& Severities::edit(MetricId metric) {
    Entry& slot = entry(metric);
    if (slot.source) table(metric);
    if (!slot.table) slot.table = std::make_shared<SeverityTable>();
    // Whoever else was given these values keeps them.
    if (slot.table.use_count() > 1) slot.table = std::make_shared<SeverityTable>(*slot.table);
    return *slot.table;
}

RowSource Severities::source(MetricId metric) const {
    Entry* const slot = find(metric);
    if (slot == nullptr) return sourceOf(std::make_shared<SeverityTable>());
    const std::lock_guard lock(slot->loading);
    return slot->table ? sourceOf(slot->table) : slot->source;
}

bool Severities::has(MetricId metric) const {
    return find(metric) != nullptr;
}

const SeverityTable* Severities::tableIfSmall(MetricId metric) const {
    Entry* const slot = find(metric);
    if (slot == nullptr) return &table(metric);
    std::unique_lock lock(slot->loading);
    if (slot->table) return slot->table.get();
    if (slot->isLarge) return nullptr;
    slot->open();
    if (slot->opened->isInMemory()) {
        slot->keep(lock);
        return slot->table.get();
    }
    const std::size_t bytes = slot->bytes;
    const std::size_t largest = slot->opened->elsewhere() != nullptr ? kLargestFetched : kLargestKept;
    if (bytes <= largest && kept_->bytes.fetch_add(bytes) + bytes <= kMostKept) {
        const bool isNew = slot->keep(lock);
        kept_->bytes -= isNew ? bytes - std::min(bytes, slot->table->bytes()) : bytes;
        return slot->table.get();
    }
    if (bytes <= largest) kept_->bytes -= bytes;
    slot->isLarge = true;
    return nullptr;
}

RowsPtr Severities::opened(MetricId metric) const {
    if (const SeverityTable* small = tableIfSmall(metric)) {
        Entry* const slot = find(metric);
        return slot == nullptr ? rowsOf(std::make_shared<SeverityTable>(*small)) : rowsOf(slot->table);
    }
    Entry* const slot = find(metric);
    const std::lock_guard lock(slot->loading);
    return slot->table ? rowsOf(slot->table) : slot->opened;
}

std::shared_ptr<const RowSums> Severities::sums(MetricId metric,
                                                const std::function<RowSums(const Rows&)>& add) const {
    const RowsPtr rows = opened(metric);
    Entry* const slot = find(metric);
    if (slot == nullptr) return std::make_shared<RowSums>(add(*rows));
    const std::lock_guard lock(slot->adding);
    if (!slot->sums) slot->sums = rows->storedSums();
    if (!slot->sums) slot->sums = std::make_shared<RowSums>(add(*rows));
    return slot->sums;
}

bool Severities::isInMemory(MetricId metric) const {
    Entry* const slot = find(metric);
    if (slot == nullptr) return true;
    const std::lock_guard lock(slot->loading);
    return slot->table != nullptr;
}

bool Severities::isFar(MetricId metric) const {
    Entry* const slot = find(metric);
    if (slot == nullptr) return false;
    const std::lock_guard lock(slot->loading);
    if (slot->table) return false;
    slot->open();
    return slot->opened->isFar();
}

bool Severities::isAtHand(MetricId metric) const {
    Entry* const slot = find(metric);
    if (slot == nullptr) return true;
    RowsPtr rows;
    {
        const std::lock_guard lock(slot->loading);
        if (slot->table) return true;
        slot->open();
        if (slot->opened->isInMemory()) return true;
        rows = slot->opened;
        const bool isSmall = !slot->isLarge && slot->bytes <= kLargestKept;
        if (!rows->isFar() &&
            ((isSmall && kept_->bytes + slot->bytes <= kMostKept) || slot->bytes <= kQuicklyRead))
            return true;
    }
    const std::unique_lock lock(slot->adding, std::try_to_lock);
    if (!lock) return false;  // they are being added up
    if (!slot->sums && !rows->isFar()) slot->sums = rows->storedSums();
    return slot->sums != nullptr;
}

RememberedResults& Severities::results() const {
    return kept_->results;
}

/// For whoever changes values.
Severities::Entry& Severities::entry(MetricId metric) {
    if (!kept_) kept_ = std::make_unique<Kept>();
    kept_->results.clear();
    if (entries_.size() <= metric.index()) entries_.resize(metric.index() + 1);
    auto& slot = entries_[metric.index()];
    if (!slot) slot = std::make_unique<Entry>();
    return *slot;
}

Severities::Entry* Severities::find(MetricId metric) const {
    return metric.index() < entries_.size() ? entries_[metric.index()].get() : nullptr;
}

}  // namespace holos::algebra
