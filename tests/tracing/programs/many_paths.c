/* SPDX-License-Identifier: BSD-3-Clause */
/* Enters a region from one place, then another one from one of a hundred places in turn: more call paths
 * follow the first one than a profile keeps apart. */
#include <holos/holos.h>

static void enterLast(void) {
    HOLOS_REGION_BEGIN(last, "last");
    HOLOS_REGION_END(last);
}

#define PLACE(number)   \
    case number:        \
        enterLast();    \
        place = number; \
        break;
#define PLACES(tens) \
    PLACE(tens##0)   \
    PLACE(tens##1)   \
    PLACE(tens##2)   \
    PLACE(tens##3) PLACE(tens##4) PLACE(tens##5) PLACE(tens##6) PLACE(tens##7) PLACE(tens##8) PLACE(tens##9)

static volatile int place;

static __attribute__((noinline)) void enterFrom(int number) {
    switch (number) {
        PLACES(1) PLACES(2) PLACES(3) PLACES(4) PLACES(5) PLACES(6) PLACES(7) PLACES(8) PLACES(9) PLACES(10)
    }
}

static __attribute__((noinline)) void run(void) {
    int i;
    for (i = 0; i < 1000; ++i) {
        HOLOS_REGION_BEGIN(first, "first");
        HOLOS_REGION_END(first);
        enterFrom(10 + i % 100);
    }
}

int main(void) {
    run();
    return 0;
}
