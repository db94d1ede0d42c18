// SPDX-License-Identifier: BSD-3-Clause
#include "operations.h"

#include "holos/holos.h"

static double done = 0.0;

void countOperations(double more) {
    done += more;
    HOLOS_METRIC_REAL("floating_point", "flop", HOLOS_TOTAL, done);
}

double operationsDone(void) {
    return done;
}
