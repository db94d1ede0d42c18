// SPDX-License-Identifier: BSD-3-Clause
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <ucontext.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <new>
#include <string>

#include "base/error.h"
#include "cli/command.h"
#include "cli/terminal/terminal.h"

namespace holos::cli {

namespace {

constexpr std::size_t kEnough = std::size_t{1} << 20;
constexpr std::size_t kRoom = std::size_t{8} << 20;
constexpr std::size_t kGuard = std::size_t{64} << 10;  // a multiple of every size of pages

/// A context's function takes no pointers.
struct {
    int (*command)(int, char**);
    int argc;
    char** argv;
    int result;
} call;

void runCall() {
    call.result = call.command(call.argc, call.argv);
}

bool isNarrow() {
    rlimit limit{};
    return ::getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < kEnough;
}

void giveThreadsRoom() {
    pthread_attr_t attributes;
    if (::pthread_attr_init(&attributes) != 0) return;
    if (::pthread_attr_setstacksize(&attributes, kRoom) == 0) ::pthread_setattr_default_np(&attributes);
    ::pthread_attr_destroy(&attributes);
}

/// Its lowest part cannot be written. Null where there is no memory.
void* makeStack() {
    void* const stack = ::mmap(nullptr, kRoom, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (stack == MAP_FAILED) return nullptr;
    ::mprotect(stack, kGuard, PROT_NONE);
    return stack;
}

/// Runs a command on a stack with room for what libraries take of it (libdw some hundred kilobytes), also
/// where `ulimit -s` leaves less; the threads that it makes have such stacks, too. What programs inherit
/// stays as it is. `command` throws nothing.
int onRoomyStack(int (*command)(int, char**), int argc, char** argv) {
    if (!isNarrow()) return command(argc, argv);
    giveThreadsRoom();
    ucontext_t here;
    ucontext_t there;
    void* const stack = makeStack();
    if (stack == nullptr || ::getcontext(&there) != 0) return command(argc, argv);
    call = {command, argc, argv, 0};
    there.uc_stack.ss_sp = stack;
    there.uc_stack.ss_size = kRoom;
    there.uc_link = &here;
    ::makecontext(&there, &runCall, 0);
    ::swapcontext(&here, &there);
    return call.result;
}

Program holos() {
    return {.name = "holos",
            .summary = "Holos finds out where a parallel program loses time, and why.",
            .version = HOLOS_VERSION,
            .groups = {{"Measure", {addRecord, addAnalyze, addCampaign, addCc, addCounters, addSpec}},
                       {"Look",
                        {addShow, addView, addServe, addWatch, addReport, addPredict, addScaling, addPlot,
                         addInfo, addScore, addExport, addQuery, addIterations, addCheck}},
                       {"Combine several", {addMerge, addMean, addDiff, addSum, addMin, addMax, addStddev}},
                       {"Transform one",
                        {addCut, addFlatten, addCollapse, addScale, addDerive, addRemap, addConvert}},
                       {"Shell", {addCompletion}}},
            .footer = "'holos COMMAND --help' describes a command; so does 'holos help COMMAND'."};
}

/// What was printed may still wait to be written; a disk that is full says so only now.
void requireWritten() {
    errno = 0;
    const bool isWritten = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
    if (!isWritten)
        throw Error("standard output cannot be written" +
                    (errno != 0 ? std::string(": ") + std::strerror(errno) : ""));
}

int runHolos(int argc, char** argv) {
    constexpr int kFailure = 1;
    try {
        const int status = runCommandLine(holos(), argc, argv);
        requireWritten();
        return status;
    } catch (const Error& error) {
        complain(error.what());
    } catch (const std::filesystem::filesystem_error& error) {
        const std::string file = error.path1().string();
        complain((file.empty() ? "" : file + ": ") + error.code().message());
    } catch (const std::bad_alloc&) {
        complain("out of memory");
    } catch (const std::exception& error) {
        complain(error.what());
    }
    return kFailure;
}

}  // namespace
}  // namespace holos::cli

int main(int argc, char** argv) {
    return holos::cli::onRoomyStack(&holos::cli::runHolos, argc, argv);
}
