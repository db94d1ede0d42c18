/* SPDX-License-Identifier: BSD-3-Clause */
/* A program with one fault, by name, in the function of that name: processes FAULT [STEPS]. For 4 processes.
 */
#include <mpi.h>
#include <stdio.h>

#include "planted.h"

static int rank, size;

static void sum(void) {
    double mine = rank, all;
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

PART one_rank(int step) {
    (void)step;
    compute(rank == 2 ? 45 : 15);
    sum();
}

PART half(int step) {
    (void)step;
    compute(rank >= 2 ? 36 : 14);
    sum();
}

PART slope(int step) {
    (void)step;
    compute(10 + 12 * rank);
    sum();
}

PART periodic(int step) {
    compute(rank == 1 && step % 4 == 0 ? 110 : 12);
    sum();
}

PART growing(int step) {
    compute(10 + (rank == 3 ? 3 * step : 0));
    sum();
}

PART moving(int step) {
    compute(step % size == rank ? 60 : 12);
    sum();
}

PART alone(int step) {
    (void)step;
    double value = 1;
    if (rank == 0) compute(30);
    MPI_Bcast(&value, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    compute(15);
    sum();
}

PART sleeper(int step) {
    (void)step;
    if (rank == 1) nap(40);
    compute(12);
    sum();
}

PART pipeline(int step) {
    (void)step;
    int value = 0;
    compute(4);
    if (rank > 0) MPI_Recv(&value, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    compute(16);
    if (rank + 1 < size) MPI_Send(&value, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
}

PART late_sender(int step) {
    (void)step;
    int value = 0;
    compute(rank % 2 == 0 ? 45 : 12);
    if (rank % 2 == 0)
        MPI_Send(&value, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(&value, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

PART late_receiver(int step) {
    (void)step;
    int value = 0;
    compute(rank % 2 == 0 ? 12 : 45);
    if (rank % 2 == 0)
        MPI_Ssend(&value, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(&value, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

PART wrong_order(int step) {
    (void)step;
    int value = 0;
    for (int i = 0; i < 3; ++i)
        if (rank % 2 == 0) {
            compute(14);
            MPI_Send(&value, 1, MPI_INT, rank + 1, i, MPI_COMM_WORLD);
        } else {
            MPI_Recv(&value, 1, MPI_INT, rank - 1, 2 - i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            compute(14);
        }
    MPI_Barrier(MPI_COMM_WORLD);
}

PART probing(int step) {
    (void)step;
    int value = 0;
    compute(rank == 3 ? 50 : 15);
    if (rank == 0)
        for (int i = 1; i < size; ++i) {
            MPI_Status status;
            MPI_Probe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
            MPI_Recv(&value, 1, MPI_INT, status.MPI_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    else
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
}

PART new_groups(int step) {
    (void)step;
    MPI_Comm part;
    compute(rank == 1 ? 45 : 15);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &part);
    MPI_Comm_free(&part);
}

PART later(int step) {
    (void)step;
    MPI_Request request;
    double mine = rank, all;
    compute(rank == 2 ? 45 : 15);
    MPI_Iallreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

PART balanced(int step) {
    (void)step;
    compute(20);
    sum();
}

static const struct {
    const char* name;
    void (*run)(int step);
} kFaults[] = {{"one_rank", one_rank},
               {"half", half},
               {"slope", slope},
               {"periodic", periodic},
               {"growing", growing},
               {"moving", moving},
               {"alone", alone},
               {"sleeper", sleeper},
               {"pipeline", pipeline},
               {"late_sender", late_sender},
               {"late_receiver", late_receiver},
               {"wrong_order", wrong_order},
               {"probing", probing},
               {"new_groups", new_groups},
               {"later", later},
               {"balanced", balanced}};

int main(int count, char** arguments) {
    const int steps = count > 2 ? atoi(arguments[2]) : 30;
    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Barrier(MPI_COMM_WORLD);
    for (size_t i = 0; i < sizeof kFaults / sizeof *kFaults; ++i)
        if (count > 1 && strcmp(kFaults[i].name, arguments[1]) == 0)
            for (int step = 0; step < steps; ++step) kFaults[i].run(step);
    MPI_Finalize();
}
