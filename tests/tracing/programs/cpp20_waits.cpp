/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads that wait by means of C++20, one after the other. Each is seen to sleep by the main thread, which
 * then computes for at least PAUSE before it does what the thread waits for. */
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <barrier>
#include <chrono>
#include <latch>
#include <mutex>
#include <semaphore>
#include <thread>

#include "asleep.h"

namespace {

constexpr std::chrono::milliseconds PAUSE(20);

void compute() {
    for (const auto begin = std::chrono::steady_clock::now();
         std::chrono::steady_clock::now() - begin < PAUSE;) {
    }
}

template <class Wait, class End>
void waitForMain(Wait wait, End end) {
    std::atomic<int> id{0};
    std::thread thread([&] {
        id = static_cast<int>(syscall(SYS_gettid));
        wait();
    });
    while (id == 0) {
    }
    awaitSleepOf(id);
    compute();
    end();
    thread.join();
}

}  // namespace

int main() {
    std::atomic<int> word{0};
    waitForMain([&] { word.wait(0); },
                [&] {
                    word = 1;
                    word.notify_one();
                });
    std::barrier both(2);
    waitForMain([&] { both.arrive_and_wait(); }, [&] { both.arrive_and_wait(); });
    std::latch one(1);
    waitForMain([&] { one.wait(); }, [&] { one.count_down(); });
    std::counting_semaphore tokens(0);
    waitForMain([&] { tokens.acquire(); }, [&] { tokens.release(); });

    std::once_flag done;
    std::atomic<int> id{0};
    std::thread later;
    std::call_once(done, [&] {
        later = std::thread([&] {
            id = static_cast<int>(syscall(SYS_gettid));
            std::call_once(done, [] {});
        });
        while (id == 0) {
        }
        awaitSleepOf(id);
        compute();
    });
    later.join();
}
