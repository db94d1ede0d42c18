// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/interpose/system_call_filter.h"

#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>

#include <cstddef>
#include <vector>

namespace holos::tracing::interpose {
namespace {

constexpr unsigned short kLoad = BPF_LD | BPF_W | BPF_ABS;
constexpr unsigned short kIfEqual = BPF_JMP | BPF_JEQ | BPF_K;
constexpr unsigned short kReturn = BPF_RET | BPF_K;
constexpr unsigned kAtNumber = offsetof(seccomp_data, nr);
constexpr unsigned kAtArchitecture = offsetof(seccomp_data, arch);
constexpr unsigned kAtFirstParameter = offsetof(seccomp_data, args);

using Filter = std::vector<sock_filter>;

bool passes(Filter filter, long number) {
    const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
    return lets(program, number);
}

sock_filter load(unsigned offset) {
    return {kLoad, 0, 0, offset};
}
sock_filter skipUnless(long number, unsigned char instructions) {
    return {kIfEqual, 0, instructions, static_cast<unsigned>(number)};
}
sock_filter give(unsigned action) {
    return {kReturn, 0, 0, action};
}

TEST(SystemCallFilter, ofAllowedCalls_letsTheseAndNoOthers) {
    const Filter filter{load(kAtNumber),          skipUnless(SYS_read, 1), give(SECCOMP_RET_ALLOW),
                        skipUnless(SYS_write, 1), give(SECCOMP_RET_LOG),   give(SECCOMP_RET_KILL_PROCESS)};
    EXPECT_TRUE(passes(filter, SYS_read));
    EXPECT_TRUE(passes(filter, SYS_write));
    EXPECT_FALSE(passes(filter, SYS_mmap));
}

TEST(SystemCallFilter, ofOneForbiddenCall_letsAllOthers) {
    const Filter filter{load(kAtNumber), skipUnless(SYS_openat, 1), give(SECCOMP_RET_KILL_PROCESS),
                        give(SECCOMP_RET_ALLOW)};
    EXPECT_FALSE(passes(filter, SYS_openat));
    EXPECT_TRUE(passes(filter, SYS_mmap));
}

TEST(SystemCallFilter, thatGivesAnError_doesNotLetTheCall) {
    EXPECT_FALSE(passes({give(SECCOMP_RET_ERRNO | 1)}, SYS_read));
    EXPECT_FALSE(passes({give(SECCOMP_RET_TRAP)}, SYS_read));
}

TEST(SystemCallFilter, thatLooksAtParameters_letsOnlyWhatAlwaysPasses) {
    const auto ifParameterIsTwo = [](unsigned then, unsigned otherwise) {
        return Filter{load(kAtFirstParameter), skipUnless(2, 1), give(then), give(otherwise)};
    };
    EXPECT_FALSE(passes(ifParameterIsTwo(SECCOMP_RET_ALLOW, SECCOMP_RET_KILL_THREAD), SYS_read));
    EXPECT_FALSE(passes(ifParameterIsTwo(SECCOMP_RET_KILL_THREAD, SECCOMP_RET_ALLOW), SYS_read));
    EXPECT_TRUE(passes(ifParameterIsTwo(SECCOMP_RET_ALLOW, SECCOMP_RET_LOG), SYS_read));
}

TEST(SystemCallFilter, thatReckonsWithMemory_isFollowed) {
    const Filter filter{load(kAtNumber),
                        {BPF_ST, 0, 0, 3},
                        {BPF_LD | BPF_IMM, 0, 0, 7},
                        {BPF_MISC | BPF_TAX, 0, 0, 0},
                        {BPF_LD | BPF_MEM, 0, 0, 3},
                        {BPF_ALU | BPF_ADD | BPF_X, 0, 0, 0},
                        skipUnless(SYS_read + 7, 1),
                        give(SECCOMP_RET_ALLOW),
                        give(SECCOMP_RET_KILL_PROCESS)};
    EXPECT_TRUE(passes(filter, SYS_read));
    EXPECT_FALSE(passes(filter, SYS_write));
}

TEST(SystemCallFilter, ofAnotherArchitecture_letsNothing) {
    const Filter filter{load(kAtArchitecture), skipUnless(0, 1), give(SECCOMP_RET_ALLOW),
                        give(SECCOMP_RET_KILL_PROCESS)};
    EXPECT_FALSE(passes(filter, SYS_read));
}

TEST(SystemCallFilter, withoutAnEnd_letsNothing) {
    EXPECT_FALSE(passes({load(kAtNumber)}, SYS_read));
    EXPECT_FALSE(passes({{BPF_JMP | BPF_JA, 0, 0, 100}}, SYS_read));
    EXPECT_FALSE(passes({}, SYS_read));
}

}  // namespace
}  // namespace holos::tracing::interpose
