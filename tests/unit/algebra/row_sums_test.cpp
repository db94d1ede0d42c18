// SPDX-License-Identifier: BSD-3-Clause
// Rows are added up several at a time; what is found is what one addition after the other gives, bit for bit.
#include "algebra/model/row_sums.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "algebra/files/cubex.h"
#include "algebra/model/rows.h"
#include "tests/support/large_experiment.h"
#include "tests/support/temporary_directory.h"

namespace holos::algebra {
namespace {

/// Rows of random numbers, of which each third one has negative ones.
std::vector<std::vector<double>> randomRows(std::size_t count, std::size_t width, unsigned seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> positive(0, 1e6), any(-1e-3, 1e6);
    std::vector<std::vector<double>> rows(count, std::vector<double>(width));
    for (std::size_t row = 0; row < count; ++row)
        for (double& value : rows[row]) value = row % 3 == 2 ? any(random) : positive(random);
    return rows;
}

void expectPlainSums(std::size_t count, std::size_t width) {
    const auto rows = randomRows(count, width, static_cast<unsigned>(100 * count + width));
    std::vector<const double*> pointers;
    for (const auto& row : rows) pointers.push_back(row.data());
    std::vector<double> locations(width, 0.5), sums(count), leasts(count);
    addRows(pointers, locations, sums.data(), leasts.data());

    std::vector<double> expected(width, 0.5);
    for (std::size_t row = 0; row < count; ++row) {
        double sum = 0, least = 0;
        for (std::size_t at = 0; at < width; ++at) {
            sum += rows[row][at];
            least = std::min(least, rows[row][at]);
            expected[at] += rows[row][at];
        }
        EXPECT_EQ(sums[row], sum) << "row " << row << " of " << count << ", " << width << " wide";
        EXPECT_EQ(leasts[row], least) << "row " << row << " of " << count << ", " << width << " wide";
    }
    EXPECT_EQ(locations, expected) << count << " rows, " << width << " wide";
}

TEST(RowSums, ofAnyShape_areThoseOfOneAdditionAfterTheOther) {
    for (std::size_t count = 0; count <= 20; ++count)
        for (std::size_t width = 0; width <= 21; ++width) expectPlainSums(count, width);
    expectPlainSums(17, 1003);
}

/// Whether rows are in memory, made when they are asked for, or have their sums behind them in a file; also
/// where they are so large that blocks of the file have one of them.
TEST(RowSums, ofRowsFromAnywhere_areTheSame) {
    for (const unsigned ranks : {300U, 40'000U}) {
        const holos::testing::LargeExperimentShape shape{
            .metrics = 1, .callPaths = ranks < 1000 ? 7000U : 61U, .ranks = ranks, .threads = 1};
        const Experiment made = holos::testing::largeExperiment(shape);
        const RowsPtr rows = made.severities.rows(MetricId(0));
        const RowSums found = sumsOf(*rows), held = sumsOf(*rowsOf(rows->table()));
        const holos::testing::TemporaryDirectory folder;
        writeCubex(made, folder.path() / "large.cubex");
        const auto stored =
            readCubex(folder.path() / "large.cubex").severities.rows(MetricId(0))->storedSums();
        ASSERT_NE(stored, nullptr);
        for (const RowSums& same : {held, *stored}) {
            EXPECT_EQ(same.paths, found.paths);
            EXPECT_EQ(same.locations, found.locations);
            EXPECT_EQ(same.leasts, found.leasts);
        }
    }
}

}  // namespace
}  // namespace holos::algebra
