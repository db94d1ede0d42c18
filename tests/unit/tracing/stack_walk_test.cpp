// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/stacks/walk/stack_walk.h"

#include <execinfo.h>
#include <gmock/gmock.h>
#include <link.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include "tests/unit/tracing/own_stack.h"
#include "tracing/code/loaded/file_table.h"
#include "tracing/recorder/stacks/program_part.h"

namespace holos::tracing::stacks {
namespace {

using ::testing::ElementsAre;
using Bytes = std::vector<unsigned char>;

code::ByteReader readerOf(const Bytes& bytes) {
    return {bytes.data(), bytes.data() + bytes.size()};
}

#if defined(__x86_64__) || defined(__aarch64__)

/// Where the C library cannot tell of files, as before glibc 2.35, the walk needs the table.
[[maybe_unused]] const bool kTableIsTaken = (code::takeFileTable(), true);

constexpr std::size_t kMost = 64;

struct Walk {
    Frame frames[kMost];
    std::size_t count = 0;
    WalkEnd end = WalkEnd::Unknown;
};

Walk walkOf(const ucontext_t& context, const code::Stack& stack) {
    Walk walk;
    const auto [count, end] = walkStack(code::Registers::of(context), stack, walk.frames, kMost);
    walk.count = count;
    walk.end = end;
    return walk;
}

/// What the C library's `backtrace` sees of the calling function's callers, the innermost first.
std::vector<std::uint64_t> callers() {
    void* addresses[kMost];
    const int count = ::backtrace(addresses, kMost);
    std::vector<std::uint64_t> found;
    for (int i = 2; i < count; ++i) found.push_back(reinterpret_cast<std::uint64_t>(addresses[i]) - 1);
    return found;
}

struct Both {
    Walk walk;
    std::vector<std::uint64_t> expected;
};

[[gnu::noinline]] void nested(int depth, Both& both) {
    volatile char room[100];
    room[0] = static_cast<char>(depth);
    if (depth > 0) {
        nested(depth - 1, both);
    } else {
        ucontext_t context;
        ::getcontext(&context);
        both.walk = walkOf(context, ownStack());
        both.expected = callers();
    }
    room[1] = room[0];
}

TEST(StackWalk, nestedCalls_areThoseOfBacktrace) {
    Both both;
    nested(10, both);
    ASSERT_GT(both.expected.size(), 10);
    ASSERT_EQ(both.walk.count, both.expected.size() + 1);
    EXPECT_EQ(both.walk.end, WalkEnd::Outermost);
    for (std::size_t i = 0; i < both.expected.size(); ++i)
        EXPECT_EQ(both.walk.frames[i + 1].address, both.expected[i]) << i;
}

TEST(FileTable, ofWhatIsLoaded_hasWhatTheCLibrarySays) {
    const auto here = reinterpret_cast<std::uint64_t>(&ownStack);
    const auto library = reinterpret_cast<std::uint64_t>(&::getpid);
    code::clearFileTable();
    code::LoadedFile found;
    EXPECT_FALSE(code::findInFileTable(here, found)) << "not taken yet";
    EXPECT_TRUE(code::isFileTableOld());
    code::takeFileTable();
    EXPECT_FALSE(code::isFileTableOld());
    for (const std::uint64_t address : {here, library}) {
        code::LoadedFile expected;
        ASSERT_TRUE(code::findLoadedFile(address, expected));
        ASSERT_TRUE(code::findInFileTable(address, found));
        EXPECT_EQ(found.begin, expected.begin);
        EXPECT_EQ(found.table, expected.table);
        EXPECT_STREQ(found.path, expected.path);
        EXPECT_LT(address, found.end);
    }
    EXPECT_FALSE(code::findInFileTable(1, found));
    EXPECT_TRUE(code::isFileTableOld()) << "a file may have come";
}

TEST(FileTable, whileFilesGoAway_isNotTaken) {
    const auto here = reinterpret_cast<std::uint64_t>(&ownStack);
    code::LoadedFile found;
    {
        const code::FilesGoAway outer;
        { const code::FilesGoAway inner; }
        code::takeFileTable();
        EXPECT_FALSE(code::findInFileTable(here, found));
    }
    EXPECT_TRUE(code::findInFileTable(here, found));
}

/// Whether the thread waits, as the kernel says.
bool isBlocked(int thread) {
    std::ifstream file("/proc/self/task/" + std::to_string(thread) + "/stat");
    const std::string all{std::istreambuf_iterator<char>(file), {}};
    const std::size_t name = all.rfind(')');
    return name != std::string::npos && all.compare(name, 3, ") S") == 0;
}

/// With the dynamic linker's lock, for which the other thread waits while it takes the table.
int clearWhileAnotherTakes(dl_phdr_info*, std::size_t, void* other) {
    std::atomic<int> begun{0};
    *static_cast<std::thread*>(other) = std::thread([&begun] {
        begun = static_cast<int>(::gettid());
        code::takeFileTable();
    });
    while (begun == 0 || !isBlocked(begun)) std::this_thread::yield();
    code::clearFileTable();
    return 1;
}

TEST(FileTable, clearedByWhoHoldsTheLinkersLock_doesNotWaitForWhoTakesIt) {
    std::thread other;
    ::dl_iterate_phdr(&clearWhileAnotherTakes, &other);
    other.join();
    const auto here = reinterpret_cast<std::uint64_t>(&ownStack);
    code::LoadedFile found;
    EXPECT_TRUE(code::findInFileTable(here, found));
}

TEST(StackWalk, frames_endFurtherUpTheStackOneAfterTheOther) {
    Both both;
    nested(3, both);
    for (std::size_t i = 1; i + 1 < both.walk.count; ++i)
        EXPECT_GT(both.walk.frames[i].end, both.walk.frames[i - 1].end);
}

Walk interrupted;

void onSignal(int, siginfo_t*, void* context) {
    interrupted = walkOf(*static_cast<ucontext_t*>(context), ownStack());
}

TEST(StackWalk, fromASignal_findsTheCallersOfWhatItInterrupted) {
    struct sigaction action {};
    struct sigaction before {};
    action.sa_sigaction = &onSignal;
    action.sa_flags = SA_SIGINFO;
    ASSERT_EQ(::sigaction(SIGURG, &action, &before), 0);
    ::raise(SIGURG);
    ::sigaction(SIGURG, &before, nullptr);
    const auto expected = callers();
    ASSERT_GT(interrupted.count, expected.size());
    const std::size_t deeper = interrupted.count - expected.size();
    for (std::size_t i = 0; i < expected.size(); ++i)
        EXPECT_EQ(interrupted.frames[deeper + i].address, expected[i]) << i;
}

TEST(StackWalk, registersOfNothing_areOneFrame) {
    code::Registers registers;
    registers.values[code::Registers::kProgramCounter] = 0x1234;
    Frame frames[kMost];
    EXPECT_EQ(walkStack(registers, ownStack(), frames, kMost).count, 1);
    EXPECT_EQ(frames[0].address, 0x1234);
}

TEST(StackWalk, stackThatIsNotTheThreads_isNotRead) {
    ucontext_t context;
    ::getcontext(&context);
    EXPECT_EQ(walkOf(context, {0x1000, 0x2000}).count, 1);
}

#endif

/// A function of gcc: `push rbp; mov rbp, rsp; …`, its frame 8 bytes above the stack pointer at its start.
class FrameRulesTest : public ::testing::Test {
  protected:
    code::FrameRules at(std::uint64_t offset) {
        code::UnwindEntry entry;
        entry.functionBegin = kBegin;
        entry.dataAlignment = -8;
        entry.returnRegister = code::Registers::kProgramCounter;
        entry.common = readerOf(common_);
        entry.own = readerOf(own_);
        code::FrameRules rules;
        good_ = code::findFrameRules(entry, kBegin + offset, rules);
        return rules;
    }

    static constexpr std::uint64_t kBegin = 0x4000;
    Bytes common_{0x0C, 7, 8, 0x90, 1};    // frame: register 7 + 8; register 16 at frame - 8
    Bytes own_{0x41, 0x0E, 16,   0x86, 2,  // one byte further: frame is 16 above; register 6 at frame - 16
               0x43, 0x0D, 6,              // three bytes further: counted from register 6
               0x50, 0x0A, 0x0C, 7,    8,  // 16 bytes further: remembered, and the frame taken down
               0x41, 0x0B};                // behind the return: as before
    bool good_ = false;
};

TEST_F(FrameRulesTest, begin_hasTheCommonRules) {
    const code::FrameRules rules = at(0);
    EXPECT_TRUE(good_);
    EXPECT_EQ(rules.frameRegister, 7);
    EXPECT_EQ(rules.frameOffset, 8);
    EXPECT_EQ(rules.registers[16].number, -8);
    EXPECT_EQ(rules.registers[6].kind, code::Rule::Kind::Same);
}

TEST_F(FrameRulesTest, behindThePush_frameIsFurtherAway) {
    const code::FrameRules rules = at(1);
    EXPECT_EQ(rules.frameRegister, 7);
    EXPECT_EQ(rules.frameOffset, 16);
    EXPECT_EQ(rules.registers[6].kind, code::Rule::Kind::AtOffset);
    EXPECT_EQ(rules.registers[6].number, -16);
}

TEST_F(FrameRulesTest, body_countsFromTheFramePointer) {
    EXPECT_EQ(at(4).frameRegister, 6);
    EXPECT_EQ(at(4).frameOffset, 16);
    EXPECT_EQ(at(19).frameRegister, 6);
}

TEST_F(FrameRulesTest, rememberedState_isRestored) {
    EXPECT_EQ(at(20).frameOffset, 8);
    EXPECT_EQ(at(21).frameRegister, 6);
    EXPECT_EQ(at(21).frameOffset, 16);
}

TEST_F(FrameRulesTest, unknownInstruction_isNoRule) {
    own_ = {0x3F, 0};
    at(0);
    EXPECT_FALSE(good_);
}

TEST_F(FrameRulesTest, instructionsCutOff_areNoRule) {
    own_ = {0x0C, 7};
    at(0);
    EXPECT_FALSE(good_);
}

#if defined(__x86_64__)

/// Lazily bound calls: 8 above the stack pointer, and 8 more from the 11th of 16 bytes on.
TEST(UnwindExpressions, lazilyBoundCall_dependsOnTheInstruction) {
    const Bytes code{0x77, 8, 0x80, 0, 0x3F, 0x1A, 0x3B, 0x2A, 0x33, 0x24, 0x22};
    code::Registers registers;
    registers.values[code::Registers::kStackPointer] = 1000;
    std::uint64_t value = 0;
    registers.values[code::Registers::kProgramCounter] = 0x40A;
    EXPECT_TRUE(code::evaluate(readerOf(code), registers, {}, nullptr, value));
    EXPECT_EQ(value, 1008);
    registers.values[code::Registers::kProgramCounter] = 0x40B;
    EXPECT_TRUE(code::evaluate(readerOf(code), registers, {}, nullptr, value));
    EXPECT_EQ(value, 1016);
}

#endif

TEST(UnwindExpressions, memoryOutsideOfTheStack_cannotBeRead) {
    std::uint64_t memory = 42;
    const auto place = reinterpret_cast<std::uint64_t>(&memory);
    const Bytes code{0x06};
    std::uint64_t value = 0;
    EXPECT_TRUE(code::evaluate(readerOf(code), {}, {place, place + sizeof memory}, &place, value));
    EXPECT_EQ(value, 42);
    EXPECT_FALSE(code::evaluate(readerOf(code), {}, {place + 1, place + sizeof memory}, &place, value));
}

TEST(UnwindExpressions, emptyStack_hasNoValue) {
    std::uint64_t value = 0;
    EXPECT_FALSE(code::evaluate(readerOf({0x22}), {}, {}, nullptr, value));
    EXPECT_FALSE(code::evaluate(readerOf({}), {}, {}, nullptr, value));
}

class ProgramPartTest : public ::testing::Test {
  protected:
    /// `p`: of the program, `s`: of the system, `r`: of a runtime; each frame ends 100 further up than the
    /// one before. The result are their places.
    std::vector<std::uint64_t> part(const std::string& owners, StackBound region = {},
                                    WalkEnd end = WalkEnd::Outermost) {
        std::vector<Frame> frames;
        std::vector<CodeOwner> kinds;
        for (const char owner : owners) {
            frames.push_back({frames.size(), 100 * (frames.size() + 1)});
            kinds.push_back(owner == 'p'   ? CodeOwner::Program
                            : owner == 's' ? CodeOwner::System
                                           : CodeOwner::Runtime);
        }
        const auto [functions, isLast] = programPart(frames, end, kinds.data(), region);
        std::vector<std::uint64_t> found;
        for (const Frame& frame : functions) found.push_back(frame.address);
        isLast_ = isLast;
        return found;
    }
    bool isLast_ = false;
};

TEST_F(ProgramPartTest, functionsOfMain_withoutTheCodeThatCallsIt) {
    EXPECT_THAT(part("pppssp"), ElementsAre(0, 1, 2));
}

TEST_F(ProgramPartTest, walkThatEndsEarly_leavesOutNoCodeAsThatOfTheStart) {
    EXPECT_THAT(part("pppsp", {}, WalkEnd::MoreCallers), ElementsAre(0, 1, 2, 3, 4));
    EXPECT_TRUE(isLast_);
    EXPECT_THAT(part("pprsp", {}, WalkEnd::Unknown), ElementsAre(0, 1));
    EXPECT_FALSE(isLast_) << "the runtime called it";
    EXPECT_THAT(part("ppp", StackBound(150), WalkEnd::Unknown), ElementsAre(0, 1));
    EXPECT_FALSE(isLast_) << "the region began there";
    EXPECT_TRUE(part("ss", {}, WalkEnd::Unknown).empty());
}

TEST_F(ProgramPartTest, callOfMpi_isSeenFromTheProgram) {
    EXPECT_THAT(part("srrrppssp"), ElementsAre(4, 5));
}

TEST_F(ProgramPartTest, shareOfAParallelRegion_endsAtTheRuntime) {
    EXPECT_THAT(part("sppprrpssp"), ElementsAre(0, 1, 2, 3));
}

TEST_F(ProgramPartTest, callbackOfTheSystem_staysInBetween) {
    EXPECT_THAT(part("pspssp"), ElementsAre(0, 1, 2));
}

TEST_F(ProgramPartTest, threadOfARuntimeAlone_hasNone) {
    EXPECT_TRUE(part("srrss").empty());
    EXPECT_TRUE(part("rsssp").empty());  // what the C library does behind the end of main
}

TEST_F(ProgramPartTest, functionThatIsRecorded_isTheLast) {
    EXPECT_THAT(part("ppppssp", StackBound(150)), ElementsAre(0, 1));  // the second ends at 200
    EXPECT_THAT(part("srrpppssp", StackBound(150)), ElementsAre(3));
}

TEST(CodeOwners, files_areKnownByTheirNames) {
    const auto owner = [](const char* path) { return ownerOf({.path = path}, 0); };
    EXPECT_EQ(owner(""), CodeOwner::Program);
    EXPECT_EQ(owner("/opt/solver/lib/libsolver.so"), CodeOwner::Program);
    EXPECT_EQ(owner("/lib/x86_64-linux-gnu/libm.so.6"), CodeOwner::Program);
    EXPECT_EQ(owner("/lib/x86_64-linux-gnu/libc.so.6"), CodeOwner::System);
    EXPECT_EQ(owner("/usr/lib/libinfinipath.so.4"), CodeOwner::Runtime);
    EXPECT_EQ(owner("/usr/lib/libgomp.so.1"), CodeOwner::Runtime);
    EXPECT_EQ(owner("/usr/lib/hwloc/hwloc_gl.so"), CodeOwner::Runtime);
    EXPECT_EQ(owner("/usr/lib/libmpi.so.40"), CodeOwner::Runtime);
    EXPECT_EQ(owner("/usr/lib/ucx/libucs_fuse.so.0"), CodeOwner::Runtime);
}

}  // namespace
}  // namespace holos::tracing::stacks
