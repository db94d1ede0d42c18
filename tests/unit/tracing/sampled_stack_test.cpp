// SPDX-License-Identifier: BSD-3-Clause
// What a sample says of a stack, and of what it leaves out.
#include "tracing/recorder/stacks/program_part.h"

#include <gtest/gtest.h>
#include <ucontext.h>

#include "tests/unit/tracing/own_stack.h"

namespace holos::tracing::stacks {
namespace {

#if defined(__x86_64__) || defined(__aarch64__)

struct Sampled {
    std::size_t functions = 0;
    PathNumber root = kNoPath;
};

/// Below so many calls, where `outermost` is the stack pointer of a function that the recorder was told of.
[[gnu::noinline]] Sampled sampledBelow(unsigned calls, StackBound outermost = {}) {
    volatile char room[16];
    room[0] = 0;
    Sampled sampled;
    if (calls > 0) {
        sampled = sampledBelow(calls - 1, outermost);
    } else {
        ucontext_t context;
        ::getcontext(&context);
        python::MixedStack* mixed = nullptr;
        SampledStack stack;
        const SampledPart part =
            stack.programFunctions(code::Registers::of(context), ownStack(), outermost, mixed);
        sampled = {part.functions.size(), part.root};
    }
    room[1] = room[0];
    return sampled;
}

TEST(SampledStack, fewFunctions_areAll) {
    const Sampled sampled = sampledBelow(5);
    EXPECT_GT(sampled.functions, 6);
    EXPECT_EQ(sampled.root, kNoPath);
}

TEST(SampledStack, moreFunctionsThanAreKept_areTheInnermostAndSaid) {
    const Sampled sampled = sampledBelow(2 * kMostSampledFrames);
    EXPECT_EQ(sampled.functions, kMostSampledFrames);
    EXPECT_EQ(sampled.root, kMoreCallers);
}

TEST(SampledStack, functionsWithinARegion_areAllThatAreWanted) {
    const auto here = reinterpret_cast<std::uint64_t>(__builtin_frame_address(0));
    const Sampled sampled = sampledBelow(5, StackBound(here));
    EXPECT_EQ(sampled.functions, 7) << "with this one";
    EXPECT_EQ(sampled.root, kNoPath);
}

TEST(SampledStack, registersThatLeadNowhere_haveUnknownCallers) {
    code::Registers registers;
    const code::Stack stack = ownStack();
    registers.values[code::Registers::kProgramCounter] = 0x1234;
    registers.values[code::Registers::kStackPointer] = stack.high - 0x1000;
    python::MixedStack* mixed = nullptr;
    SampledStack sampled;
    const SampledPart part = sampled.programFunctions(registers, stack, {}, mixed);
    EXPECT_EQ(part.functions.size(), 1);
    EXPECT_EQ(part.root, kUnknownCallers);
}

#endif

}  // namespace
}  // namespace holos::tracing::stacks
