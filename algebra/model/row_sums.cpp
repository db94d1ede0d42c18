// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/model/row_sums.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <numeric>

#include "algebra/model/rows.h"

namespace holos::algebra {
namespace {

/// What becomes of some rows that are added up.
struct Added {
    double* sums;       ///< of the rows
    double* leasts;     ///< of the rows
    double* locations;  ///< sums of the columns
};

std::int64_t bitsOf(const double* number) {
    std::int64_t bits = 0;
    std::memcpy(&bits, number, sizeof bits);
    return bits;
}

double leastOf(const double* row, std::size_t width) {
    return std::accumulate(row, row + width, 0.0,
                           [](double least, double value) { return std::min(least, value); });
}

/// Few rows have negative values.
void putLeasts(const double* const* rows, std::size_t count, std::size_t width, bool anyNegative,
               double* leasts) {
    for (std::size_t row = 0; row < count; ++row) leasts[row] = anyNegative ? leastOf(rows[row], width) : 0;
}

void addOne(const double* row, std::size_t width, const Added& into) {
    double sum = 0;
    std::int64_t signs = 0;
    for (std::size_t at = 0; at < width; ++at) {
        sum += row[at];
        signs |= bitsOf(row + at);
        into.locations[at] += row[at];
    }
    *into.sums = sum;
    putLeasts(&row, 1, width, signs < 0, into.leasts);
}

void addFour(const double* const* rows, std::size_t width, const Added& into) {
    const double *const a = rows[0], *const b = rows[1], *const c = rows[2], *const d = rows[3];
    double sumA = 0, sumB = 0, sumC = 0, sumD = 0;
    std::int64_t signs = 0;
    for (std::size_t at = 0; at < width; ++at) {
        sumA += a[at];
        sumB += b[at];
        sumC += c[at];
        sumD += d[at];
        signs |= (bitsOf(a + at) | bitsOf(b + at)) | (bitsOf(c + at) | bitsOf(d + at));
        into.locations[at] = into.locations[at] + a[at] + b[at] + c[at] + d[at];
    }
    const double found[] = {sumA, sumB, sumC, sumD};
    std::copy(std::begin(found), std::end(found), into.sums);
    putLeasts(rows, std::size(found), width, signs < 0, into.leasts);
}

#ifdef __x86_64__

using Numbers [[gnu::vector_size(32)]] = double;
using Signs [[gnu::vector_size(32)]] = std::int64_t;

[[gnu::target("avx2"), gnu::always_inline]] inline Numbers numbersAt(const double* from) {
    Numbers found;
    std::memcpy(&found, from, sizeof found);
    return found;
}

/// Four columns of four rows: adds them to the sums of the rows, a column after the other, and of the
/// columns.
[[gnu::target("avx2"), gnu::always_inline]] inline void addSquare(const double* const* rows, std::size_t at,
                                                                  Numbers& sums, Numbers& columns,
                                                                  Signs& signs) {
    const Numbers a = numbersAt(rows[0] + at), b = numbersAt(rows[1] + at), c = numbersAt(rows[2] + at),
                  d = numbersAt(rows[3] + at);
    const Numbers evenOfAb = __builtin_shufflevector(a, b, 0, 4, 2, 6),
                  oddOfAb = __builtin_shufflevector(a, b, 1, 5, 3, 7),
                  evenOfCd = __builtin_shufflevector(c, d, 0, 4, 2, 6),
                  oddOfCd = __builtin_shufflevector(c, d, 1, 5, 3, 7);
    sums += __builtin_shufflevector(evenOfAb, evenOfCd, 0, 1, 4, 5);
    sums += __builtin_shufflevector(oddOfAb, oddOfCd, 0, 1, 4, 5);
    sums += __builtin_shufflevector(evenOfAb, evenOfCd, 2, 3, 6, 7);
    sums += __builtin_shufflevector(oddOfAb, oddOfCd, 2, 3, 6, 7);
    columns = columns + a + b + c + d;
    signs |= (reinterpret_cast<Signs>(a) | reinterpret_cast<Signs>(b)) |
             (reinterpret_cast<Signs>(c) | reinterpret_cast<Signs>(d));
}

/// `width`: without what does not fill a vector.
[[gnu::target("avx2")]] bool addEightFast(const double* const* rows, std::size_t width, const Added& into) {
    Numbers first{}, second{};
    Signs signs{}, others{};
    const double* const upper[] = {rows[0], rows[1], rows[2], rows[3]};
    const double* const lower[] = {rows[4], rows[5], rows[6], rows[7]};
    for (std::size_t at = 0; at < width; at += 4) {
        Numbers columns = numbersAt(into.locations + at);
        addSquare(upper, at, first, columns, signs);
        addSquare(lower, at, second, columns, others);
        std::memcpy(into.locations + at, &columns, sizeof columns);
    }
    std::memcpy(into.sums, &first, sizeof first);
    std::memcpy(into.sums + 4, &second, sizeof second);
    signs |= others;
    return (signs[0] | signs[1] | signs[2] | signs[3]) < 0;
}

void addEight(const double* const* rows, std::size_t width, const Added& into) {
    const std::size_t whole = width / 4 * 4;
    std::int64_t signs = addEightFast(rows, whole, into) ? -1 : 0;
    for (std::size_t at = whole; at < width; ++at)
        for (std::size_t row = 0; row < kRowsTogether; ++row) {
            into.sums[row] += rows[row][at];
            into.locations[at] += rows[row][at];
            signs |= bitsOf(rows[row] + at);
        }
    putLeasts(rows, kRowsTogether, width, signs < 0, into.leasts);
}

/// How many rows of the first ones it added.
std::size_t addFast(RowPointers rows, std::size_t width, const Added& into) {
    static const bool isThere = __builtin_cpu_supports("avx2") != 0;
    std::size_t at = 0;
    for (; isThere && at + kRowsTogether <= rows.size(); at += kRowsTogether)
        addEight(rows.data() + at, width, {into.sums + at, into.leasts + at, into.locations});
    return at;
}

#else

std::size_t addFast(RowPointers, std::size_t, const Added&) {
    return 0;
}

#endif

/// The rows of a table, some at a time.
void sumUpTable(const SeverityTable& table, RowSums& sums) {
    constexpr std::size_t kAtATime = 64;
    const double* some[kAtATime];
    std::size_t paths[kAtATime];
    double added[kAtATime], leasts[kAtATime];
    std::size_t count = 0;
    const auto addSome = [&] {
        addRows({some, count}, sums.locations, added, leasts);
        for (std::size_t at = 0; at < count; ++at) {
            sums.paths[paths[at]] = added[at];
            sums.leasts[paths[at]] = leasts[at];
        }
        count = 0;
    };
    for (std::size_t path = 0; path < table.callPaths(); ++path) {
        if (!table.hasRow(CallPathId(path))) continue;
        some[count] = table.row(CallPathId(path)).data();
        paths[count] = path;
        if (++count == kAtATime) addSome();
    }
    addSome();
}

void sumUpInPassing(const Rows& rows, RowSums& sums) {
    std::vector<CallPathId> all;
    for (std::size_t path = 0; path < rows.callPaths(); ++path) all.emplace_back(path);
    std::vector<const double*> read;
    std::vector<double> added, leasts;
    passThrough(
        rows, all, [](std::span<const double>) { return 0.0; },
        [&](const ReadRows& block) {
            read.clear();
            for (std::size_t at = 0; at < block.paths().size(); ++at) read.push_back(block.row(at).data());
            added.resize(read.size());
            leasts.resize(read.size());
            addRows(read, sums.locations, added.data(), leasts.data());
            for (std::size_t at = 0; at < read.size(); ++at) {
                sums.paths[block.paths()[at].index()] = added[at];
                sums.leasts[block.paths()[at].index()] = leasts[at];
            }
        });
}

}  // namespace

double RowSums::all() const {
    return std::accumulate(locations.begin(), locations.end(), 0.0);
}

void addRows(RowPointers rows, std::span<double> locations, double* sums, double* leasts) {
    const std::size_t width = locations.size();
    std::size_t at = addFast(rows, width, {sums, leasts, locations.data()});
    for (; at + 4 <= rows.size(); at += 4)
        addFour(rows.data() + at, width, {sums + at, leasts + at, locations.data()});
    for (; at < rows.size(); ++at) addOne(rows[at], width, {sums + at, leasts + at, locations.data()});
}

RowSums sumsOf(const Rows& rows) {
    RowSums sums;
    sumUp(rows, sums);
    return sums;
}

void sumUp(const Rows& rows, RowSums& sums) {
    sums.paths.assign(rows.callPaths(), 0.0);
    sums.locations.assign(rows.locations(), 0.0);
    sums.leasts.assign(rows.callPaths(), 0.0);
    if (rows.isInMemory())
        sumUpTable(*rows.table(), sums);
    else
        sumUpInPassing(rows, sums);
}

}  // namespace holos::algebra
