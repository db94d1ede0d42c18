// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <holos/counters.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace holos {

/// Counters of the thread that has it, from here to `stop` or the end of the scope. What cannot be counted or
/// read throws `std::runtime_error` with the reason.
class Counters {
  public:
    /// `names`: as `holos counters list` has them, separated by commas.
    explicit Counters(const std::string& names) : running_(holos_counters_start(names.c_str())) {
        if (!running_) throw std::runtime_error(holos_counters_error());
    }

    /// What was counted since the start or the last `accumulate`.
    std::vector<long long> read() {
        std::vector<long long> values(number());
        check(holos_counters_read(running_.get(), values.data()));
        return values;
    }
    /// Adds that to `values`, and counts on from 0.
    void accumulate(std::vector<long long>& values) {
        values.resize(number());
        check(holos_counters_accumulate(running_.get(), values.data()));
    }
    /// Counts on from these values, one for each.
    void write(const std::vector<long long>& values) {
        if (values.size() != number()) throw std::runtime_error("expects a value for each counter");
        check(holos_counters_write(running_.get(), values.data()));
    }
    /// Counts these as well, behind the others and from 0; or no longer.
    void add(const std::string& names) { check(holos_counters_add(running_.get(), names.c_str())); }
    void remove(const std::string& names) { check(holos_counters_remove(running_.get(), names.c_str())); }
    /// Reads for the last time. Nothing can be read behind it.
    std::vector<long long> stop() {
        std::vector<long long> values(number());
        check(holos_counters_stop(running_.release(), values.data()));
        return values;
    }
    /// The smallest part of the time in which one of them was counted.
    double share() const { return holos_counters_share(running_.get()); }

  private:
    struct Stop {
        void operator()(holos_counters* counters) const { holos_counters_stop(counters, nullptr); }
    };
    std::size_t number() const { return static_cast<std::size_t>(holos_counters_number(running_.get())); }
    static void check(int result) {
        if (result != 0) throw std::runtime_error(holos_counters_error());
    }

    std::unique_ptr<holos_counters, Stop> running_;
};

}  // namespace holos
