// SPDX-License-Identifier: BSD-3-Clause
// A library that throws and catches, for a program that has no C++ runtime itself.
#include <stdexcept>
#include <string>

namespace {

struct Counted {
    explicit Counted(int& counter) : counter_(counter) {}
    ~Counted() { ++counter_; }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;
    int& counter_;
};

void fail(int depth, int& destroyed) {
    const Counted counted(destroyed);
    if (depth == 0) throw std::runtime_error("thrown");
    fail(depth - 1, destroyed);
}

}  // namespace

/// 3 for the three frames that an exception left, and its text was the one thrown.
extern "C" int leftFrames() {
    int destroyed = 0;
    try {
        fail(2, destroyed);
    } catch (const std::exception& error) {
        return error.what() == std::string("thrown") ? destroyed : -1;
    }
    return -2;
}
