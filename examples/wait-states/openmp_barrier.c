// SPDX-License-Identifier: BSD-3-Clause
// Thread 0 comes late to an OpenMP barrier; every other thread of the team waits there.
//
//   thread 0  ├──── delay ────┤ barrier
//   others    barrier ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒┤
#include <omp.h>

#include "delay.h"

int main(int argc, char** argv) {
    const double milliseconds = delayFromArguments(
        argc, argv,
        "OpenMP barrier: every thread but 0 waits at the explicit barrier for as long as the delay.");
#pragma omp parallel
    {
        if (omp_get_thread_num() == 0) delay(milliseconds);
#pragma omp barrier
    }
    return 0;
}
