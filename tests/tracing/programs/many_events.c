/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs more parallel regions, of several functions, than fit: the buffers are full again and again. */
static int sum;

static __attribute__((noinline)) void add(int value) {
#pragma omp critical(add)
    sum += value;
}

static __attribute__((noinline)) void loops(void) {
    int i;
#pragma omp parallel num_threads(2)
    {
#pragma omp for
        for (i = 0; i < 2; ++i) add(1);
#pragma omp for
        for (i = 0; i < 2; ++i) add(1);
    }
}

static __attribute__((noinline)) void alone(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
    add(1);
}

static __attribute__((noinline)) void step(void) {
    loops();
    alone();
    alone();
}

int main(void) {
    int i;
    for (i = 0; i < 4000; ++i) step();
    return sum != 4000 * 6;
}
