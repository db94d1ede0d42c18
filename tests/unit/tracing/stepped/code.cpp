// SPDX-License-Identifier: BSD-3-Clause
// What C++ adds: exceptions, destructors on their way, virtual functions and thunks, lambdas, coroutines.
#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>
#if defined(__cpp_impl_coroutine)
#include <coroutine>
#endif

namespace {

volatile int sink = 1;

[[gnu::noinline]] int leaf(int n) {
    return n * 3 + sink;
}

struct Guard {
    explicit Guard(int n) : value(n) {}
    ~Guard() { sink = leaf(value); }
    int value;
};

[[gnu::noinline]] void throwDeep(int n) {
    const Guard guard(n);
    if (n == 0) throw std::runtime_error("deep");
    throwDeep(n - 1);
    sink = guard.value;
}

[[gnu::noinline]] int throwAgain(int n) {
    try {
        throwDeep(n);
    } catch (const std::exception& error) {
        const Guard guard(error.what()[0]);
        throw;
    }
    return 0;
}

[[gnu::noinline]] int catchAll(int n) {
    alignas(64) volatile char room[64];
    room[n] = 1;
    try {
        return throwAgain(n);
    } catch (...) {
        return leaf(room[n]);
    }
}

struct First {
    virtual ~First() = default;
    virtual int first(int n) = 0;
};
struct Second {
    virtual ~Second() = default;
    virtual int second(int n) = 0;
};
struct Both : First, Second {
    int first(int n) override { return leaf(n) + offset; }
    int second(int n) override { return leaf(n) * offset; }
    int offset = 2;
};

[[gnu::noinline]] int callVirtual(First& first, Second& second) {
    return first.first(1) + second.second(2);
}

#if defined(__cpp_impl_coroutine)

struct Task {
    struct promise_type {
        Task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
        std::suspend_always initial_suspend() { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        void return_void() {}
        void unhandled_exception() {}
        std::suspend_always yield_value(int n) {
            value = n;
            return {};
        }
        int value = 0;
    };
    std::coroutine_handle<promise_type> handle;
};

Task count(int to) {
    for (int i = 0; i < to; ++i) co_yield leaf(i);
}

[[gnu::noinline]] int resumeAll() {
    const Task task = count(2);
    int sum = 0;
    for (task.handle.resume(); !task.handle.done(); task.handle.resume()) sum += task.handle.promise().value;
    task.handle.destroy();
    return sum;
}

#else

int resumeAll() {
    return 0;
}

#endif

}  // namespace

extern "C" void stepped() {
    sink = 1;
    Both both;
    int sum = callVirtual(both, both) + resumeAll();
    const std::function<int(int)> function = [&sum](int n) { return leaf(n) + sum; };
    std::vector<int> values{3, 1, 2};
    std::sort(values.begin(), values.end(), [](int a, int b) { return leaf(a) < leaf(b); });
    for (const int value : values) sum += function(value);
    const std::string text = "text that is too long for " + std::to_string(sum);
    sum += static_cast<int>(text.size()) + catchAll(1);
    sink = sum;
}
