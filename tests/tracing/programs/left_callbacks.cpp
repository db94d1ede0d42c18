// SPDX-License-Identifier: BSD-3-Clause
// Calls of MPI that are left by an exception (argument `throw`) or a jump (`jump`) out of a function of the
// program that MPI calls: a user operation, an error handler, the functions of attributes and of a
// generalized request. Each of these calls MPI itself before, in a region that it does not end. Two
// processes.
#include <holos/holos.h>
#include <mpi.h>

#include <csetjmp>
#include <cstring>

#define APART __attribute__((noinline, noclone))

namespace {

bool throws;
std::jmp_buf back;
volatile int steps;  // behind each call, so that none is the last of its function

MPI_Op operation;
MPI_Comm communicator;
int key;

APART void leave() {
    HOLOS_REGION_BEGIN(region, "callback");
    int version = 0;
    int subversion = 0;
    MPI_Get_version(&version, &subversion);
    if (throws) throw 1;
    std::longjmp(back, 1);
}

void operate(void*, void*, int*, MPI_Datatype*) {
    leave();
}
int copyAttribute(MPI_Comm, int, void*, void*, void*, int*) {
    leave();
    return MPI_SUCCESS;
}
int deleteAttribute(MPI_Comm, int, void*, void*) {
    leave();
    return MPI_SUCCESS;
}
void handle(MPI_Comm*, int*, ...) {
    leave();
}
int query(void*, MPI_Status*) {
    leave();
    return MPI_SUCCESS;
}
int release(void*) {
    return MPI_SUCCESS;
}
int cancel(void*, int) {
    return MPI_SUCCESS;
}

APART void reduceHere() {
    int in = 1;
    int out = 2;
    MPI_Reduce_local(&in, &out, 1, MPI_INT, operation);
    ++steps;
}
APART void reduce() {
    int in = 1;
    int out = 2;
    MPI_Allreduce(&in, &out, 1, MPI_INT, operation, MPI_COMM_WORLD);
    ++steps;
}
APART void fail() {
    int value = 0;
    MPI_Send(&value, 1, MPI_INT, 99, 1, communicator);  // there is no such process
    ++steps;
}
APART void callHandler() {
    MPI_Comm_call_errhandler(communicator, MPI_ERR_OTHER);
    ++steps;
}
APART void wait() {
    MPI_Request request;
    MPI_Grequest_start(query, release, cancel, nullptr, &request);
    MPI_Grequest_complete(request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    ++steps;
}
APART void duplicate() {
    MPI_Comm other;
    MPI_Comm_dup(communicator, &other);
    ++steps;
}
APART void removeAttribute() {
    MPI_Comm_delete_attr(communicator, key);
    ++steps;
}

APART void callAndCatch(void (*function)()) {
    try {
        function();
    } catch (int) {
        ++steps;
    }
}

APART void callAndComeBack(void (*function)()) {
    if (setjmp(back) == 0) function();
    ++steps;
}

APART void goOn() {
    MPI_Barrier(MPI_COMM_WORLD);
    ++steps;
}

}  // namespace

int main(int argc, char** argv) {
    throws = argc > 1 && std::strcmp(argv[1], "throw") == 0;
    MPI_Init(&argc, &argv);
    MPI_Op_create(operate, 1, &operation);
    MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
    MPI_Errhandler handler;
    MPI_Comm_create_errhandler(handle, &handler);
    MPI_Comm_set_errhandler(communicator, handler);
    MPI_Comm_create_keyval(copyAttribute, deleteAttribute, &key, nullptr);
    MPI_Comm_set_attr(communicator, key, nullptr);
    void (*const functions[])() = {reduceHere, reduce, fail, callHandler, wait, duplicate, removeAttribute};
    for (void (*const function)() : functions) {
        throws ? callAndCatch(function) : callAndComeBack(function);
        goOn();
    }
    MPI_Finalize();
    return steps == 0;
}
