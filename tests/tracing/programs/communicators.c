/* SPDX-License-Identifier: BSD-3-Clause */
/* Three processes make communicators in each of MPI's ways, and broadcast one integer from the first process
 * of each: how much it sends says how many others there are. */
#include <mpi.h>

static const MPI_Comm world = MPI_COMM_WORLD;
static int a[1];

static void use(MPI_Comm comm) {
    if (comm == MPI_COMM_NULL) return;
    MPI_Bcast(a, 1, MPI_INT, 0, comm);
    MPI_Comm_free(&comm);
}

static void ofGroups(int rank) {
    const int ends[2] = {0, 2};
    MPI_Group all, pair;
    MPI_Comm made;
    MPI_Comm_group(world, &all);
    MPI_Group_incl(all, 2, ends, &pair);
    MPI_Comm_create(world, pair, &made);
    use(made);
    if (rank != 1) {
        MPI_Comm_create_group(world, pair, 5, &made); /* without rank 1 */
        use(made);
    }
    MPI_Group_free(&pair);
    MPI_Group_free(&all);
}

static void copies(void) {
    MPI_Info info;
    MPI_Request request;
    MPI_Comm made;
    MPI_Info_create(&info);
    MPI_Comm_dup_with_info(world, info, &made);
    use(made);
    MPI_Comm_idup(world, &made, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    use(made);
#if MPI_VERSION >= 4
    MPI_Comm_idup_with_info(world, info, &made, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    use(made);
#endif
    MPI_Info_free(&info);
}

static void parts(int rank) {
    MPI_Comm made;
    MPI_Comm_split(world, rank == 0 ? MPI_UNDEFINED : 7, -rank, &made);
    use(made);
    MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, -rank, MPI_INFO_NULL,
                        &made); /* of one node, backwards */
    use(made);
}

/* Each to the one behind it. */
static void graph(int rank) {
    const int one = 1, next = (rank + 1) % 3;
    MPI_Comm made;
    MPI_Dist_graph_create(world, 1, &rank, &one, &next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made);
    use(made);
}

/* Rank 0 on one side, the two others on the other one. */
static void sides(int rank) {
    MPI_Comm side, between;
    MPI_Group others;
    int n;
    MPI_Comm_split(world, rank > 0, rank, &side);
    MPI_Intercomm_create(side, 0, world, rank > 0 ? 0 : 1, 6, &between);
    MPI_Comm_remote_size(between, &n);
    MPI_Comm_remote_group(between, &others);
    MPI_Comm_free(&between);
#if MPI_VERSION >= 4
    {
        MPI_Group own;
        MPI_Comm_group(side, &own);
        MPI_Intercomm_create_from_groups(own, 0, others, 0, "sides", MPI_INFO_NULL, MPI_ERRORS_RETURN,
                                         &between);
        MPI_Comm_free(&between);
        MPI_Group_free(&own);
    }
#endif
    MPI_Group_free(&others);
    MPI_Comm_free(&side);
}

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(world, &rank);
    ofGroups(rank);
    copies();
    parts(rank);
    graph(rank);
    sides(rank);
    MPI_Finalize();
    return 0;
}
