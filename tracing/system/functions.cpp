// SPDX-License-Identifier: BSD-3-Clause
// The functions that are known to put threads to sleep. Forms that check the size of a buffer
// (_FORTIFY_SOURCE), and those for large files, go by the name of the function that the program calls.
#include "tracing/system/first_files.h"
#include "tracing/system/sleeper.h"

#define HOLOS_SLEEPERS(ONE)                                     \
    /* data of files, pipes and sockets */                      \
    ONE(read, read)                                             \
    ONE(__read_chk, read)                                       \
    ONE(pread, pread)                                           \
    ONE(pread64, pread)                                         \
    ONE(__pread_chk, pread)                                     \
    ONE(__pread64_chk, pread)                                   \
    ONE(readv, readv)                                           \
    ONE(preadv, preadv)                                         \
    ONE(preadv64, preadv)                                       \
    ONE(preadv2, preadv2)                                       \
    ONE(preadv64v2, preadv2)                                    \
    ONE(write, write)                                           \
    ONE(pwrite, pwrite)                                         \
    ONE(pwrite64, pwrite)                                       \
    ONE(writev, writev)                                         \
    ONE(pwritev, pwritev)                                       \
    ONE(pwritev64, pwritev)                                     \
    ONE(pwritev2, pwritev2)                                     \
    ONE(pwritev64v2, pwritev2)                                  \
    ONE(sendfile, sendfile)                                     \
    ONE(sendfile64, sendfile)                                   \
    ONE(splice, splice)                                         \
    ONE(fsync, fsync)                                           \
    ONE(fdatasync, fdatasync)                                   \
    /* connections */                                           \
    ONE(recv, recv)                                             \
    ONE(__recv_chk, recv)                                       \
    ONE(recvfrom, recvfrom)                                     \
    ONE(__recvfrom_chk, recvfrom)                               \
    ONE(recvmsg, recvmsg)                                       \
    ONE(recvmmsg, recvmmsg)                                     \
    ONE(send, send)                                             \
    ONE(sendto, sendto)                                         \
    ONE(sendmsg, sendmsg)                                       \
    ONE(sendmmsg, sendmmsg)                                     \
    ONE(accept, accept)                                         \
    ONE(accept4, accept4)                                       \
    ONE(connect, connect)                                       \
    /* one of several descriptors */                            \
    ONE(poll, poll)                                             \
    ONE(__poll_chk, poll)                                       \
    ONE(ppoll, ppoll)                                           \
    ONE(__ppoll_chk, ppoll)                                     \
    ONE(select, select)                                         \
    ONE(pselect, pselect)                                       \
    ONE(epoll_wait, epoll_wait)                                 \
    ONE(epoll_pwait, epoll_pwait)                               \
    ONE(epoll_pwait2, epoll_pwait2)                             \
    /* time */                                                  \
    ONE(sleep, sleep)                                           \
    ONE(usleep, usleep)                                         \
    ONE(nanosleep, nanosleep)                                   \
    ONE(clock_nanosleep, clock_nanosleep)                       \
    ONE(thrd_sleep, thrd_sleep)                                 \
    /* other processes */                                       \
    ONE(system, system)                                         \
    ONE(msgrcv, msgrcv)                                         \
    ONE(msgsnd, msgsnd)                                         \
    ONE(mq_receive, mq_receive)                                 \
    ONE(mq_timedreceive, mq_timedreceive)                       \
    ONE(mq_send, mq_send)                                       \
    ONE(mq_timedsend, mq_timedsend)                             \
    ONE(semop, semop)                                           \
    ONE(semtimedop, semtimedop)                                 \
    ONE(flock, flock)                                           \
    ONE(lockf, lockf)                                           \
    ONE(lockf64, lockf)                                         \
    ONE(fcntl, fcntl)                                           \
    ONE(fcntl64, fcntl)                                         \
    /* other threads */                                         \
    ONE(sem_wait, sem_wait)                                     \
    ONE(sem_timedwait, sem_timedwait)                           \
    ONE(sem_clockwait, sem_clockwait)                           \
    ONE(pthread_barrier_wait, pthread_barrier_wait)             \
    ONE(pthread_rwlock_rdlock, pthread_rwlock_rdlock)           \
    ONE(pthread_rwlock_timedrdlock, pthread_rwlock_timedrdlock) \
    ONE(pthread_rwlock_clockrdlock, pthread_rwlock_clockrdlock) \
    ONE(pthread_rwlock_wrlock, pthread_rwlock_wrlock)           \
    ONE(pthread_rwlock_timedwrlock, pthread_rwlock_timedwrlock) \
    ONE(pthread_rwlock_clockwrlock, pthread_rwlock_clockwrlock) \
    /* signals */                                               \
    ONE(pause, pause)                                           \
    ONE(sigsuspend, sigsuspend)                                 \
    ONE(sigwait, sigwait)                                       \
    ONE(sigwaitinfo, sigwaitinfo)                               \
    ONE(sigtimedwait, sigtimedwait)

using holos::tracing::system::Sleeper;
using holos::tracing::system::Word;

// The compiler's name of each function differs from the linker's: headers declare the latter with other
// types.
#define HOLOS_DEFINE(symbol, shown)                                                  \
    static constinit Sleeper sleeper_##symbol(#symbol, #shown);                      \
    extern "C" __attribute__((visibility("default")))                                \
    Word call_##symbol(Word, Word, Word, Word, Word, Word) __asm__(#symbol);         \
    Word call_##symbol(Word a, Word b, Word c, Word d, Word e, Word f) {             \
        return sleeper_##symbol.call(__builtin_return_address(0), a, b, c, d, e, f); \
    }
HOLOS_SLEEPERS(HOLOS_DEFINE)

/// Before the recorder begins.
__attribute__((constructor(101))) static void findSleepers() {
#define HOLOS_FIND(symbol, shown) sleeper_##symbol.find();
    HOLOS_SLEEPERS(HOLOS_FIND)
    holos::tracing::system::noteFirstFiles();
}
