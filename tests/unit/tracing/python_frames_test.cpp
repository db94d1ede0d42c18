// SPDX-License-Identifier: BSD-3-Clause
// Python functions that run, in the memory of interpreters made up.
#include "tracing/recorder/stacks/python/functions.h"

#include <gmock/gmock.h>

#include <random>

#include "tests/unit/tracing/python_memory.h"

namespace holos::tracing::stacks::python {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// What the loop and what lies around it has on the native stack.
class PythonFrames : public ::testing::TestWithParam<unsigned> {
  protected:
    using Codes = std::vector<std::uint64_t>;

    code::Stack stack() { return {address(0), address(0) + sizeof stack_}; }
    std::uint64_t address(std::size_t word) { return reinterpret_cast<std::uint64_t>(stack_.data() + word); }

    /// A call of the loop that has its own at this word of the stack, and runs functions (innermost first).
    void enter(std::size_t word, const Codes& codes) {
        const Layout& layout = memory.interpreter.layout;
        std::uint64_t outer = innermost_;
        if (!layout.frame.hasEntryFlag) {
            memory.setFrame(address(word), 0, 0, innermost_);
            outer = address(word);
        }
        for (std::size_t i = codes.size(); i-- > 0;)
            outer = memory.frame(codes[i], 1, outer, i + 1 == codes.size());
        innermost_ = outer;
        if (!layout.control.exists) return memory.set(memory.thread + layout.thread.frames, innermost_);
        const std::uint64_t outerControl = control_;
        begin(word, innermost_);
        memory.set(control_ + layout.control.previous, outerControl);
    }
    /// A call of the loop that has only begun: `left` is what lies where it will say what it runs.
    void begin(std::size_t word, std::uint64_t left) {
        const Layout& layout = memory.interpreter.layout;
        constexpr std::size_t kControl = 16;
        control_ = address(word + kControl);
        memory.set(control_ + layout.control.frame, left);
        memory.set(control_ + layout.control.previous, left);
        memory.set(memory.thread + layout.thread.frames, control_);
    }
    Codes take(FrameParts& parts) {
        Codes codes;
        for (const auto& one : parts.take()) codes.push_back(one.code);
        return codes;
    }
    void SetUp() override {
        const Layout& layout = memory.interpreter.layout;
        if (layout.control.exists) memory.set(memory.thread + layout.thread.frames, control_);
    }

    PythonMemory memory{layoutOf(GetParam())};
    Memory trusting{Memory::Trust::All};
    Memory asking{Memory::Trust::None};

  private:
    std::array<std::uint64_t, 1024> stack_{};
    std::uint64_t innermost_ = 0;
    std::uint64_t control_ = memory.allocate(64);  ///< the thread's own
};

TEST_P(PythonFrames, ofEachCallOfTheLoop_areThatPartOfTheStack) {
    const auto f = memory.code("a.py", "f", 1);
    const auto g = memory.code("a.py", "g", 1);
    const auto h = memory.code("a.py", "h", 1);
    enter(800, {g, f});
    enter(400, {h});
    for (Memory* const reading : {&trusting, &asking}) {
        FrameParts parts;
        parts.begin(memory.interpreter, memory.thread, stack(), *reading);
        EXPECT_FALSE(parts.isWithin(address(100), address(300)));
        EXPECT_FALSE(parts.isWithin(address(700), address(900))) << "the inner one comes first";
        ASSERT_TRUE(parts.isWithin(address(300), address(500)));
        EXPECT_THAT(take(parts), ElementsAre(h));
        EXPECT_FALSE(parts.isWithin(address(300), address(500)));
        ASSERT_TRUE(parts.isWithin(address(700), address(900)));
        EXPECT_THAT(take(parts), ElementsAre(g, f));
        EXPECT_FALSE(parts.isWithin(address(0), address(1023)));
    }
}

/// A call of the loop has told the thread's state of its control block, but nothing is in that yet.
TEST_P(PythonFrames, whileACallOfTheLoopBegins_areThoseOfTheCallsAroundIt) {
    if (!memory.interpreter.layout.control.exists) return;  // there is no such moment
    const auto f = memory.code("a.py", "f", 1);
    const auto g = memory.code("a.py", "g", 1);
    enter(800, {g, f});
    enter(600, {f});
    for (const std::uint64_t left : {std::uint64_t{0}, address(90), f}) {
        begin(400, left);
        FrameParts parts;
        parts.begin(memory.interpreter, memory.thread, stack(), asking);
        if (parts.isWithinLoop(address(380), address(450))) {
            EXPECT_THAT(take(parts), IsEmpty());
        }
        EXPECT_FALSE(parts.isWithin(address(450), address(580))) << "of another function";
        ASSERT_TRUE(parts.isWithinLoop(address(580), address(650)));
        EXPECT_THAT(take(parts), ElementsAre(f));
        ASSERT_TRUE(parts.isWithinLoop(address(780), address(850)));
        EXPECT_THAT(take(parts), ElementsAre(g, f));
        EXPECT_FALSE(parts.isWithinLoop(address(900), address(950)));
    }
}

TEST_P(PythonFrames, outsideOfTheLoop_areNone) {
    FrameParts parts;
    parts.begin(memory.interpreter, memory.thread, stack(), trusting);
    EXPECT_FALSE(parts.isWithin(address(0), address(1023)));
}

TEST_P(PythonFrames, whileTheInterpreterEnds_areThoseOfTheThreadThatEndsIt) {
    enter(400, {memory.code("a.py", "f", 1)});
    const std::uint64_t ending = memory.interpreter.runtime + memory.interpreter.layout.runtime.finalizing;
    FrameParts parts;
    memory.set(ending, memory.thread + 8);
    parts.begin(memory.interpreter, memory.thread, stack(), trusting);
    EXPECT_FALSE(parts.isWithin(address(0), address(1023)));
    memory.set(ending, memory.thread);
    parts.begin(memory.interpreter, memory.thread, stack(), trusting);
    EXPECT_TRUE(parts.isWithin(address(0), address(1023)));
}

TEST_P(PythonFrames, moreThanAreKept_areTheInnermost) {
    Codes codes;
    for (unsigned i = 0; i < FrameParts::kMost + 10; ++i) codes.push_back(0x1000 + 8 * i);
    enter(400, codes);
    FrameParts parts;
    parts.begin(memory.interpreter, memory.thread, stack(), trusting);
    EXPECT_FALSE(parts.isWithin(address(100), address(300)));
    EXPECT_FALSE(parts.isCut()) << "not taken yet";
    ASSERT_TRUE(parts.isWithin(address(300), address(500)));
    codes.resize(FrameParts::kMost);
    EXPECT_EQ(take(parts), codes);
    EXPECT_TRUE(parts.isCut());
}

TEST_P(PythonFrames, inCircles_areNone) {
    const auto f = memory.code("a.py", "f", 1);
    enter(400, {f, f});
    const Layout& layout = memory.interpreter.layout;
    std::uint64_t first = 0;
    std::memcpy(&first, reinterpret_cast<void*>(memory.thread + layout.thread.frames), sizeof first);
    if (layout.control.exists)
        std::memcpy(&first, reinterpret_cast<void*>(first + layout.control.frame), sizeof first);
    memory.setFrame(first, f, 1, first);
    FrameParts parts;
    parts.begin(memory.interpreter, memory.thread, stack(), asking);
    if (parts.isWithin(address(0), address(1023))) {
        EXPECT_THAT(parts.take(), IsEmpty());
    }
}

/// Whatever words lie there: nothing that cannot be read is read, and the walk ends.
TEST_P(PythonFrames, ofMemoryThatIsAnythingAtAll_endSomewhere) {
    std::mt19937_64 random(GetParam());
    const auto f = memory.code("a.py", "f", 1);
    RunningFunctions functions;
    for (int n = 0; n < 300; ++n) {
        enter(900, {f, f});
        enter(400, {f});
        const auto word = [&]() -> std::uint64_t {
            switch (random() % 4) {
                case 0:
                    return random();
                case 1:
                    return address(random() % 1024);
                case 2:
                    return f + 8 * (random() % 32);
                default:
                    return memory.thread + 8 * (random() % 64);
            }
        };
        for (int i = 0; i < 4; ++i) memory.set(address(390 + random() % 40), word());
        if (n % 3 == 0) memory.set(memory.thread + memory.interpreter.layout.thread.frames, word());
        FrameParts parts;
        parts.begin(memory.interpreter, memory.thread, stack(), asking);
        for (int taken = 0; taken < 5 && parts.isWithin(address(0), address(1023)); ++taken)
            for (const auto& code : parts.take()) functions.callOf(code, memory.interpreter, asking);
    }
}

INSTANTIATE_TEST_SUITE_P(Versions, PythonFrames, ::testing::Values(11, 12, 13, 14),
                         [](const auto& minor) { return "v3_" + std::to_string(minor.param); });

}  // namespace
}  // namespace holos::tracing::stacks::python
