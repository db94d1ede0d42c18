// SPDX-License-Identifier: BSD-3-Clause
// Compiled by `holos cc`.
#include <stdexcept>
#include <vector>

namespace work {

[[gnu::noinline]] int tiny(int x) {
    return x + 1;
}

struct Step {
    [[gnu::noinline]] int run(int n) { return n > 0 ? run(n - 1) : tiny(n); }
};

[[gnu::noinline]] void fail() {
    throw std::runtime_error("caught in main");
}

/// Its calls 1 and 0 and `fail` are left by an exception that call 2 catches.
[[gnu::noinline]] int descend(int n) {
    if (n == 0) fail();
    if (n != 2) return descend(n - 1);
    try {
        return descend(n - 1);
    } catch (const std::exception&) {
        return tiny(n);
    }
}

}  // namespace work

int main() {
    std::vector<int> values(3);
    int sum = work::Step().run(2);
    try {
        work::fail();
    } catch (const std::exception&) {
        ++sum;
    }
    sum += work::descend(3);
    for (int i = 0; i < 50; ++i) sum += work::tiny(i) + values[i % 3];
    return sum == 0;
}
