/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 comes late to one call, in which rank 1 waits for it: a call for each argument. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LATE = 100000, LARGE = 4000000, TAG = 7 };  // microseconds, bytes
static int rank, value;
static const char* way;

static int is(const char* name) {
    return strcmp(way, name) == 0;
}

static void beLate(void) {
    if (rank == 0) usleep(LATE);
}

/* Rank 1 wants a message that rank 0 sends late. */
static void receive(void) {
    MPI_Message message;
    MPI_Request request;
    MPI_Status status;
    beLate();
    if (rank == 0) MPI_Send(&value, 1, MPI_INT, 1, TAG, MPI_COMM_WORLD);
    if (rank == 0) return;
    if (is("irecv")) {
        MPI_Irecv(&value, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, &status);
        return;
    }
    if (is("mprobe")) {
        MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status);
        MPI_Mrecv(&value, 1, MPI_INT, &message, &status);
        return;
    }
    if (is("probe")) MPI_Probe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &status);
    MPI_Recv(&value, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD, &status);
}

/* Rank 1 sends what rank 0 receives late. */
static void send(void) {
    beLate();
    if (rank == 0)
        MPI_Recv(&value, 1, MPI_INT, 1, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
        MPI_Ssend(&value, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD);
}

/* Rank 1 cannot have its buffer back before rank 0 receives. */
static void detach(void) {
    static char large[LARGE];
    int bytes = LARGE + MPI_BSEND_OVERHEAD;
    char* buffer = malloc((size_t)bytes);
    beLate();
    if (rank == 0) {
        MPI_Recv(large, LARGE, MPI_CHAR, 1, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Buffer_attach(buffer, bytes);
        MPI_Bsend(large, LARGE, MPI_CHAR, 0, TAG, MPI_COMM_WORLD);
        MPI_Buffer_detach(&buffer, &bytes);
    }
    free(buffer);
}

/* Makes a communicator, which rank 0 comes late for. */
static void make(MPI_Comm* made) {
    int two = 2, no = 0, other = 1 - rank;
    MPI_Group group;
    beLate();
    if (is("split")) MPI_Comm_split(MPI_COMM_WORLD, 0, rank, made);
    if (is("split_type"))
        MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, made);
    if (is("dup")) MPI_Comm_dup(MPI_COMM_WORLD, made);
    if (is("cart")) MPI_Cart_create(MPI_COMM_WORLD, 1, &two, &no, 0, made);
    if (is("graph"))
        MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &other, &two, 1, &other, &two, MPI_INFO_NULL, 0,
                                       made);
    if (is("intercomm")) MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, other, TAG, made);
    if (is("create")) {
        MPI_Comm_group(MPI_COMM_WORLD, &group);
        MPI_Comm_create(MPI_COMM_WORLD, group, made);
        MPI_Group_free(&group);
    }
}

/* Makes one group of two, which rank 0 comes late for. */
static void merge(MPI_Comm* made) {
    MPI_Comm between;
    MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 1 - rank, TAG, &between);
    beLate();
    MPI_Intercomm_merge(between, rank, made);
    MPI_Comm_free(&between);
}

/* Leaves a communicator, which rank 0 comes late for. */
static void leave(void) {
    MPI_Comm copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Barrier(copy);
    beLate();
    MPI_Comm_disconnect(&copy);
}

static void window(void) {
    MPI_Win win;
    if (!is("window_free")) beLate();
    MPI_Win_create(&value, sizeof value, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (is("window_free")) beLate();
    MPI_Win_free(&win);
}

static void file(const char* path) {
    MPI_File open;
    if (!is("file_close")) beLate();
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &open);
    if (is("file_close")) beLate();
    MPI_File_close(&open);
}

int main(int argc, char** argv) {
    MPI_Comm made = MPI_COMM_NULL;
    way = argc > 1 ? argv[1] : "recv";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (is("recv") || is("irecv") || is("probe") || is("mprobe"))
        receive();
    else if (is("ssend"))
        send();
    else if (is("detach"))
        detach();
    else if (is("disconnect"))
        leave();
    else if (is("merge"))
        merge(&made);
    else if (strncmp(way, "window", 6) == 0)
        window();
    else if (strncmp(way, "file", 4) == 0)
        file(argv[2]);
    else
        make(&made);
    if (made != MPI_COMM_NULL) MPI_Comm_free(&made);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
