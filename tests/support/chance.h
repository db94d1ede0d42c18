// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <random>

namespace holos::testing {

/// Numbers by chance that are the same on each machine.
class Chance {
  public:
    explicit Chance(std::uint64_t seed) : engine_(seed) {}
    unsigned upTo(unsigned least, unsigned most) {
        return least + static_cast<unsigned>(engine_() % (most - least + 1));
    }
    double between(double least, double most) {
        return least + (most - least) * static_cast<double>(engine_() % 10'001) / 10'000;
    }
    /// A time with the noise of a machine.
    std::uint64_t around(double time) { return static_cast<std::uint64_t>(time * between(0.99, 1.01)); }

  private:
    std::mt19937_64 engine_;
};

}  // namespace holos::testing
