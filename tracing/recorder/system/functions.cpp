// SPDX-License-Identifier: BSD-3-Clause
// The functions that are known to put threads to sleep. Forms that check the size of a buffer
// (_FORTIFY_SOURCE), and those for large files, go by the name of the function that the program calls.
#include "tracing/recorder/system/sleeper.h"

#define HOLOS_SLEEPERS(ONE)                      \
    /* data of files, pipes and sockets */       \
    ONE(read, read, Data)                        \
    ONE(__read_chk, read, Data)                  \
    ONE(pread, pread, Data)                      \
    ONE(pread64, pread, Data)                    \
    ONE(__pread_chk, pread, Data)                \
    ONE(__pread64_chk, pread, Data)              \
    ONE(readv, readv, Data)                      \
    ONE(preadv, preadv, Data)                    \
    ONE(preadv64, preadv, Data)                  \
    ONE(preadv2, preadv2, Data)                  \
    ONE(preadv64v2, preadv2, Data)               \
    ONE(write, write, Data)                      \
    ONE(pwrite, pwrite, Data)                    \
    ONE(pwrite64, pwrite, Data)                  \
    ONE(writev, writev, Data)                    \
    ONE(pwritev, pwritev, Data)                  \
    ONE(pwritev64, pwritev, Data)                \
    ONE(pwritev2, pwritev2, Data)                \
    ONE(pwritev64v2, pwritev2, Data)             \
    ONE(sendfile, sendfile, Data)                \
    ONE(sendfile64, sendfile, Data)              \
    ONE(splice, splice, Data)                    \
    ONE(fsync, fsync, Data)                      \
    ONE(fdatasync, fdatasync, Data)              \
    /* connections */                            \
    ONE(recv, recv, Data)                        \
    ONE(__recv_chk, recv, Data)                  \
    ONE(recvfrom, recvfrom, Data)                \
    ONE(__recvfrom_chk, recvfrom, Data)          \
    ONE(recvmsg, recvmsg, Data)                  \
    ONE(recvmmsg, recvmmsg, Data)                \
    ONE(send, send, Data)                        \
    ONE(sendto, sendto, Data)                    \
    ONE(sendmsg, sendmsg, Data)                  \
    ONE(sendmmsg, sendmmsg, Data)                \
    ONE(accept, accept, Sleep)                   \
    ONE(accept4, accept4, Sleep)                 \
    ONE(connect, connect, Sleep)                 \
    /* one of several descriptors */             \
    ONE(poll, poll, Sleep)                       \
    ONE(__poll_chk, poll, Sleep)                 \
    ONE(ppoll, ppoll, Sleep)                     \
    ONE(__ppoll_chk, ppoll, Sleep)               \
    ONE(select, select, Sleep)                   \
    ONE(pselect, pselect, Sleep)                 \
    ONE(epoll_wait, epoll_wait, Sleep)           \
    ONE(epoll_pwait, epoll_pwait, Sleep)         \
    ONE(epoll_pwait2, epoll_pwait2, Sleep)       \
    /* time */                                   \
    ONE(sleep, sleep, Sleep)                     \
    ONE(usleep, usleep, Sleep)                   \
    ONE(nanosleep, nanosleep, Sleep)             \
    ONE(clock_nanosleep, clock_nanosleep, Sleep) \
    ONE(thrd_sleep, thrd_sleep, Sleep)           \
    /* other processes */                        \
    ONE(msgrcv, msgrcv, Data)                    \
    ONE(msgsnd, msgsnd, Data)                    \
    ONE(mq_receive, mq_receive, Data)            \
    ONE(mq_timedreceive, mq_timedreceive, Data)  \
    ONE(mq_send, mq_send, Data)                  \
    ONE(mq_timedsend, mq_timedsend, Data)        \
    ONE(semop, semop, Sleep)                     \
    ONE(semtimedop, semtimedop, Sleep)           \
    ONE(flock, flock, Sleep)                     \
    ONE(lockf, lockf, Sleep)                     \
    ONE(lockf64, lockf, Sleep)                   \
    ONE(fcntl, fcntl, Data)                      \
    ONE(fcntl64, fcntl, Data)                    \
    /* signals */                                \
    ONE(pause, pause, Sleep)                     \
    ONE(sigsuspend, sigsuspend, Sleep)           \
    ONE(sigwait, sigwait, Sleep)                 \
    ONE(sigwaitinfo, sigwaitinfo, Sleep)         \
    ONE(sigtimedwait, sigtimedwait, Sleep)

using holos::tracing::system::Purpose;
using holos::tracing::system::Sleeper;
using holos::tracing::system::Word;

// The compiler's name of each function differs from the linker's: headers declare the latter with other
// types.
#define HOLOS_DEFINE(symbol, shown, purpose)                                         \
    static constinit Sleeper sleeper_##symbol(#symbol, #shown, Purpose::purpose);    \
    extern "C" __attribute__((visibility("default")))                                \
    Word call_##symbol(Word, Word, Word, Word, Word, Word) __asm__(#symbol);         \
    Word call_##symbol(Word a, Word b, Word c, Word d, Word e, Word f) {             \
        return sleeper_##symbol.call(__builtin_return_address(0), a, b, c, d, e, f); \
    }
HOLOS_SLEEPERS(HOLOS_DEFINE)

/// Before the recorder begins.
__attribute__((constructor(101))) static void findSleepers() {
#define HOLOS_FIND(symbol, shown, purpose) sleeper_##symbol.find();
    HOLOS_SLEEPERS(HOLOS_FIND)
    holos::tracing::system::noteFirstFiles();
}
