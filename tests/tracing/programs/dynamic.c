/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes that meet while they run, in the way that the first argument names: `port` and `join`, where two
 * processes of one world act as if they were of two, and `spawn` and `spawn_multiple`, where one process
 * starts another. Where MPI cannot do that, the call fails and the program ends. */
#include <arpa/inet.h>
#include <mpi.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

static const MPI_Comm world = MPI_COMM_WORLD, self = MPI_COMM_SELF;
static int a[4], rank;

/* Three integers to the other side and back. */
static void talk(MPI_Comm other, int isFirst) {
    int n;
    if (other == MPI_COMM_NULL) return;
    MPI_Comm_remote_size(other, &n);
    if (isFirst) MPI_Send(a, 3, MPI_INT, 0, 1, other);
    MPI_Recv(a, 3, MPI_INT, 0, 1, other, MPI_STATUS_IGNORE);
    if (!isFirst) MPI_Send(a, 3, MPI_INT, 0, 1, other);
    MPI_Comm_disconnect(&other);
    puts("met");
}

static void byPort(void) {
    char port[MPI_MAX_PORT_NAME] = "";
    int isOpen;
    MPI_Comm other = MPI_COMM_NULL;
    if (rank == 0) {
        isOpen = MPI_Open_port(MPI_INFO_NULL, port) == MPI_SUCCESS;
        MPI_Send(port, isOpen ? MPI_MAX_PORT_NAME : 0, MPI_CHAR, 1, 0, world);
        if (isOpen) MPI_Comm_accept(port, MPI_INFO_NULL, 0, self, &other);
    } else {
        MPI_Recv(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, 0, world, MPI_STATUS_IGNORE);
        isOpen = port[0] != '\0';
        if (isOpen) MPI_Comm_connect(port, MPI_INFO_NULL, 0, self, &other);
    }
    talk(other, rank == 0);
    if (rank == 0 && isOpen) MPI_Close_port(port);
}

static void bySocket(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof address;
    int end = socket(AF_INET, SOCK_STREAM, 0);
    MPI_Comm other = MPI_COMM_NULL;
    if (rank == 0) {
        bind(end, (struct sockaddr*)&address, size);
        listen(end, 1);
        getsockname(end, (struct sockaddr*)&address, &size);
        MPI_Send(&address, sizeof address, MPI_BYTE, 1, 0, world);
        end = accept(end, NULL, NULL);
    } else {
        MPI_Recv(&address, sizeof address, MPI_BYTE, 0, 0, world, MPI_STATUS_IGNORE);
        connect(end, (struct sockaddr*)&address, size);
    }
    MPI_Comm_join(end, &other);
    talk(other, rank == 0);
}

/* Services need a server of names, which is not everywhere. */
static void service(void) {
    char port[MPI_MAX_PORT_NAME] = "port";
    MPI_Publish_name("holos", MPI_INFO_NULL, port);
    MPI_Lookup_name("holos", MPI_INFO_NULL, port);
    MPI_Unpublish_name("holos", MPI_INFO_NULL, port);
}

static void spawn(char* program, int isMultiple) {
    char *arguments[] = {"child", NULL}, **ofAll[] = {arguments};
    const MPI_Info none = MPI_INFO_NULL;
    const int one = 1;
    MPI_Comm child = MPI_COMM_NULL;
    if (isMultiple)
        MPI_Comm_spawn_multiple(1, &program, ofAll, &one, &none, 0, self, &child, MPI_ERRCODES_IGNORE);
    else
        MPI_Comm_spawn(program, arguments, 1, none, 0, self, &child, MPI_ERRCODES_IGNORE);
    talk(child, 1);
}

int main(int argc, char** argv) {
    const char* way = argc > 1 ? argv[1] : "";
    MPI_Comm parent;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(world, &rank);
    MPI_Comm_set_errhandler(self, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
    MPI_Comm_get_parent(&parent);
    if (parent != MPI_COMM_NULL) talk(parent, 0);
    if (strcmp(way, "port") == 0) byPort();
    if (strcmp(way, "join") == 0) bySocket();
    if (strcmp(way, "service") == 0) service();
    if (strcmp(way, "spawn") == 0) spawn(argv[0], 0);
    if (strcmp(way, "spawn_multiple") == 0) spawn(argv[0], 1);
    MPI_Finalize();
    return 0;
}
