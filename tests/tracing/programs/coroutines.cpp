// SPDX-License-Identifier: BSD-3-Clause
// Regions in a coroutine of C++20, which stands below whoever resumes it.
#include <holos/holos.h>

#include <coroutine>

#define APART __attribute__((noinline, noclone))

namespace {

volatile int calls;

struct Steps {
    struct promise_type {
        Steps get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
        std::suspend_always initial_suspend() { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        void return_void() {}
        void unhandled_exception() {}
    };
    std::coroutine_handle<promise_type> handle;
};

APART void step() {
    HOLOS_REGION_BEGIN(region, "step");
    calls = calls + 1;
    HOLOS_REGION_END(region);
}

Steps steps() {
    step();
    co_await std::suspend_always{};
    step();
}

APART void first(const Steps& all) {
    all.handle.resume();
    calls = calls + 1;
}
APART void second(const Steps& all) {
    all.handle.resume();
    calls = calls + 2;
}

}  // namespace

int main() {
    const Steps all = steps();
    first(all);
    second(all);
    all.handle.destroy();
    return calls == 0;
}
