/* SPDX-License-Identifier: BSD-3-Clause */
/* Explicit tasks that functions create, also those that tasks call, themselves again and again. */
static int sum;

static __attribute__((noinline)) void work(int value) {
#pragma omp critical(add)
    sum += value;
}

static __attribute__((noinline)) void refine(int value) {
#pragma omp task
    work(value);
}

static __attribute__((noinline)) void produce(void) {
    int i;
    for (i = 1; i <= 5; ++i) {
#pragma omp task
        refine(i);
    }
#pragma omp taskwait
}

static __attribute__((noinline)) void halve(int value) {
    if (value == 1) {
        work(1);
        return;
    }
#pragma omp task
    halve(value / 2);
#pragma omp task
    halve(value - value / 2);
#pragma omp taskwait
}

static __attribute__((noinline)) void loop(void) {
    int i;
#pragma omp taskloop
    for (i = 0; i < 4; ++i) work(i);
}

int main(void) {
#pragma omp parallel num_threads(3)
#pragma omp single
    {
        produce();
        halve(16);
        loop();
#pragma omp task if (0)
        work(1);
#pragma omp task untied
        {
            work(2);
#pragma omp taskyield
            work(3);
        }
    }
    return sum != 15 + 16 + 6 + 6;
}
