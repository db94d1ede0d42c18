/* SPDX-License-Identifier: BSD-3-Clause */
/* Nine explicit tasks; what they count shows that each ran once, with its own data. */
static int sum;

static void add(int value) {
#pragma omp atomic
    sum += value;
}

int main(void) {
    int i;
    int copied = 1;
#pragma omp parallel num_threads(2)
#pragma omp single nowait
    {
#pragma omp task firstprivate(copied)
        add(copied);
#pragma omp task
        {
#pragma omp task
            add(10);
#pragma omp taskwait
        }
#pragma omp taskwait
#pragma omp taskgroup
        {
#pragma omp task
            add(100);
        }
#pragma omp task if (0)
        add(1000);
#pragma omp taskloop num_tasks(3)
        for (i = 1; i <= 6; ++i) add(10000 * i);
#pragma omp task
        add(1000000);
    }
    return sum != 1211111;
}
