// SPDX-License-Identifier: BSD-3-Clause
// Regions that are entered on stacks of Boost's contexts, coroutines and fibers, and in between on the
// thread's.
#include <holos/holos.h>

#include <boost/context/continuation.hpp>
#include <boost/coroutine2/all.hpp>
#include <boost/fiber/all.hpp>
#include <thread>

#define APART __attribute__((noinline, noclone))

namespace {

volatile int calls;

#define ENTER(name)                       \
    do {                                  \
        HOLOS_REGION_BEGIN(region, name); \
        calls = calls + 1;                \
        HOLOS_REGION_END(region);         \
    } while (false)

APART void onThread() {
    ENTER("thread");
}
APART void inContext() {
    ENTER("context");
}
APART void inCoroutine() {
    ENTER("coroutine");
}
APART void inFiber() {
    ENTER("fiber");
}

APART void switchContexts() {
    namespace context = boost::context;
    context::continuation other = context::callcc([](context::continuation&& back) {
        for (int i = 0; i < 3; ++i) {
            inContext();
            back = back.resume();
        }
        return std::move(back);
    });
    for (; other; other = other.resume()) onThread();
}

using Values = boost::coroutines2::coroutine<int>;

void produce(Values::push_type& put) {
    for (int i = 0; i < 3; ++i) {
        inCoroutine();
        put(i);
    }
}

APART void resumeCoroutines() {
    Values::pull_type all(produce);
    for (const int value : all) calls = calls + value;
    { Values::pull_type left(produce); }  // is unwound by an exception of the library
    onThread();
    try {
        Values::pull_type thrown([](Values::push_type& put) {
            inCoroutine();
            put(1);
            throw 1;
        });
        thrown();
    } catch (int) {
        onThread();
    }
}

APART void takeTurns() {
    inFiber();
    boost::this_fiber::yield();
    inFiber();
}

/// Two regions that are not nested, if not by chance.
APART void beginFirst() {
    HOLOS_REGION_BEGIN(first, "first");
    boost::this_fiber::yield();
    HOLOS_REGION_END(first);
    calls = calls + 1;
}
APART void beginSecond() {
    HOLOS_REGION_BEGIN(second, "second");
    boost::this_fiber::yield();
    HOLOS_REGION_END(second);
    calls = calls + 1;
}

APART void runFibers(void (*one)(), void (*other)()) {
    boost::fibers::fiber first(one);
    boost::fibers::fiber second(other);
    onThread();
    first.join();
    second.join();
    onThread();
}

APART void runAll() {
    switchContexts();
    resumeCoroutines();
    runFibers(takeTurns, takeTurns);
    runFibers(beginFirst, beginSecond);
    onThread();
    calls = calls + 1;  // so that none is the last call of its function
}

}  // namespace

int main() {
    runAll();
    std::thread(runAll).join();
    return calls == 0;
}
