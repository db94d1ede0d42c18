// SPDX-License-Identifier: BSD-3-Clause
// All threads want to enter a critical section at once and stay there for the delay: the second waits once as
// long, the third twice as long, and so on.
//
//   first   critical ├── delay ──┤
//   second  critical ▒▒▒▒▒▒▒▒▒▒▒▒├── delay ──┤
#include "delay.h"

int main(int argc, char** argv) {
    const double milliseconds = delayFromArguments(
        argc, argv,
        "Critical section: with n threads, n (n - 1) / 2 times the delay is waited at its entry.");
#pragma omp parallel
    {
#pragma omp barrier
#pragma omp critical
        delay(milliseconds);
    }
    return 0;
}
