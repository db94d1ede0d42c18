// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace holos::gui {

/// How the values of a column are spread, from one look at each of them: their number, sum and ends, and a
/// histogram. It takes little memory, however many they are.
class EventSpread {
  public:
    /// Of durations and sizes, each bar is wider than the one before by the same factor; those of others are
    /// equally wide.
    explicit EventSpread(bool isLogarithmic = true) : isLogarithmic_(isLogarithmic) {}

    void add(double value);
    /// A row without a value.
    void addNothing() { ++rows_; }

    std::uint64_t rows() const { return rows_; }
    std::uint64_t values() const { return values_; }
    double sum() const { return sum_; }
    double mean() const { return values_ == 0 ? 0.0 : sum_ / static_cast<double>(values_); }
    double least() const { return least_; }
    double most() const { return most_; }

    /// From `from` on, and below `to`.
    struct Bar {
        double from = 0.0;
        double to = 0.0;
        std::uint64_t rows = 0;
    };
    /// From the first that has rows to the last one.
    std::vector<Bar> bars() const;

  private:
    double startOf(std::int64_t bar) const;
    std::int64_t barOf(double value) const;
    void widen(double value);

    bool isLogarithmic_;
    std::uint64_t rows_ = 0;
    std::uint64_t values_ = 0;
    double sum_ = 0.0;
    double least_ = 0.0;
    double most_ = 0.0;
    double width_ = 1.0;                          ///< of bars that are equally wide
    std::map<std::int64_t, std::uint64_t> bars_;  ///< rows by number
};

}  // namespace holos::gui
