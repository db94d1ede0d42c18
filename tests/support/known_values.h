// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <ostream>
#include <string>
#include <vector>

namespace holos::testing {

/// Severities that are known by how a trace was made: by metric (unique name), call path (`main/MPI_Recv`)
/// and location. Of a metric that is known at all everything is known: what was not added is zero.
class KnownValues {
  public:
    /// By location: the threads of rank 0, those of rank 1, and so on.
    using Row = std::vector<double>;
    using Rows = std::map<std::string, Row>;  ///< by call path

    KnownValues(unsigned processes, unsigned threads)
        : threads_(threads), locations_(std::size_t{processes} * threads) {}

    /// Seconds, numbers or bytes. Zero makes the metric a known one.
    void add(const std::string& metric, const std::string& path, unsigned rank, unsigned thread,
             double value);
    /// What others know of a metric.
    void take(const std::string& metric, const KnownValues& from) { metrics_[metric] = from[metric]; }
    const std::map<std::string, Rows>& metrics() const { return metrics_; }
    const Rows& operator[](const std::string& metric) const { return metrics_.at(metric); }
    std::size_t locations() const { return locations_; }

    /// What is not zero, in the columns that `holos export` writes, too.
    void writeCsv(std::ostream& out) const;

  private:
    unsigned threads_;
    std::size_t locations_;
    std::map<std::string, Rows> metrics_;
};

}  // namespace holos::testing
