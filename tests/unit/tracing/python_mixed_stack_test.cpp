// SPDX-License-Identifier: BSD-3-Clause
// Native functions and those of Python on one stack, in the memory of interpreters made up.
#include "tracing/recorder/stacks/python/mixed_stack.h"

#include <gmock/gmock.h>
#include <pthread.h>

#include <memory>

#include "tests/unit/tracing/python_memory.h"
#include "tracing/recordings/format/path_numbers.h"

namespace holos::tracing::stacks::python {
namespace {

using ::testing::ElementsAre;
using ::testing::Truly;

std::uint64_t threadThere = 0;

void* ownThread() {
    return reinterpret_cast<void*>(threadThere);
}

const auto isCallOfPython = Truly(&isPython);

/// An extension's function at 0x10, which a function of Python calls, and code at 0x20, which called Python:
///
///     main (0x20) ◀── loop ◀── extension (0x10)
///                       │
///                     g, f
class MixedStackTest : public ::testing::Test {
  protected:
    MixedStackTest() {
        const auto& layout = memory.interpreter.layout;
        const auto f = memory.code("a.py", "f", 1);
        const auto g = memory.code("a.py", "g", 1);
        const std::uint64_t loop = address(50);
        memory.setFrame(loop, 0, 0, 0);
        memory.set(memory.thread + layout.thread.frames, memory.frame(g, 1, memory.frame(f, 2, loop)));
        memory.set(memory.thread + layout.thread.threadId, static_cast<std::uint64_t>(::pthread_self()));
        memory.interpreter.ownThread = &ownThread;
        threadThere = memory.thread;
    }
    std::uint64_t address(std::size_t word) { return reinterpret_cast<std::uint64_t>(stack_.data() + word); }

    void walk(Memory::Trust trust = Memory::Trust::All) {
        mixed->begin(&memory.interpreter, {address(0), address(100)}, trust);
        mixed->add({0x10, address(10), address(20), CodeOwner::Program});
        mixed->add({0x11, address(20), address(40), CodeOwner::Interpreter});
        mixed->add({0x12, address(40), address(60), CodeOwner::InterpreterLoop});
        mixed->add({0x13, address(60), address(70), CodeOwner::Interpreter});
        mixed->add({0x20, address(70), address(90), CodeOwner::Program});
    }

    PythonMemory memory{layoutOf(13)};
    std::unique_ptr<MixedStack> mixed = std::make_unique<MixedStack>();

  private:
    std::array<std::uint64_t, 100> stack_{};
};

TEST_F(MixedStackTest, functionsOfPython_standInPlaceOfTheInterpreters) {
    for (const auto trust : {Memory::Trust::All, Memory::Trust::None}) {
        walk(trust);
        EXPECT_THAT(mixed->calls(), ElementsAre(0x10, isCallOfPython, isCallOfPython, 0x20));
        EXPECT_EQ(pythonCall(mixed->calls()[1]).line, 2);
        EXPECT_EQ(pythonCall(mixed->calls()[2]).line, 3);
    }
}

TEST_F(MixedStackTest, loopThatIsNotKnownToRunFunctions_staysAsItIs) {
    memory.set(memory.thread + memory.interpreter.layout.thread.frames, std::uint64_t{0});
    walk();
    EXPECT_THAT(mixed->calls(), ElementsAre(0x10, 0x12, 0x20));
    mixed->begin(nullptr, {address(0), address(100)}, Memory::Trust::All);
    mixed->add({0x12, address(40), address(60), CodeOwner::InterpreterLoop});
    EXPECT_THAT(mixed->calls(), ElementsAre(0x12)) << "no interpreter is there";
}

TEST_F(MixedStackTest, loopThatIsBeginningWhenInterrupted_isNotSeen) {
    mixed->begin(&memory.interpreter, {address(0), address(100)}, Memory::Trust::None);
    mixed->add({0x12, address(30), address(40), CodeOwner::InterpreterLoop});
    mixed->add({0x12, address(40), address(60), CodeOwner::InterpreterLoop});
    EXPECT_THAT(mixed->calls(), ElementsAre(isCallOfPython, isCallOfPython));
}

TEST_F(MixedStackTest, stateOfAnotherThread_isNotRead) {
    memory.set(memory.thread + memory.interpreter.layout.thread.threadId, std::uint64_t{42});
    walk();
    EXPECT_THAT(mixed->calls(), ElementsAre(0x10, 0x12, 0x20));
    threadThere = 0;
    walk();
    EXPECT_THAT(mixed->calls(), ElementsAre(0x10, 0x12, 0x20)) << "a thread that Python does not know";
}

/// The thread has a state of its own there, whose function h called from g by a loop of its own.
TEST_F(MixedStackTest, functionsOfASubinterpreter_standInPlaceOfItsLoop) {
    const auto& layout = memory.interpreter.layout;
    const std::uint64_t loop = address(15);
    const std::uint64_t state = memory.allocate(512);
    memory.setFrame(loop, 0, 0, 0);
    memory.set(state + layout.thread.frames, memory.frame(memory.code("a.py", "h", 1), 2, loop));
    memory.set(state + layout.thread.threadId, static_cast<std::uint64_t>(::pthread_self()));
    const std::uint64_t stranger = memory.allocate(512);
    memory.set(stranger + layout.thread.threadId, std::uint64_t{42});
    memory.set(stranger + layout.thread.next, state);
    const std::uint64_t main = memory.allocate(64);
    const std::uint64_t other = memory.allocate(64);
    memory.set(memory.interpreter.runtime + layout.runtime.interpreters, other);
    memory.set(other + layout.interpreter.next, main);
    memory.set(other + layout.interpreter.threads, stranger);
    memory.set(main + layout.interpreter.threads, memory.thread);
    for (const auto trust : {Memory::Trust::All, Memory::Trust::None}) {
        mixed->begin(&memory.interpreter, {address(0), address(100)}, trust);
        mixed->add({0x10, address(5), address(10), CodeOwner::Program});
        mixed->add({0x12, address(10), address(20), CodeOwner::InterpreterLoop});
        mixed->add({0x11, address(20), address(40), CodeOwner::Interpreter});
        mixed->add({0x12, address(40), address(60), CodeOwner::InterpreterLoop});
        mixed->add({0x20, address(70), address(90), CodeOwner::Program});
        EXPECT_THAT(mixed->calls(), ElementsAre(0x10, isCallOfPython, isCallOfPython, isCallOfPython, 0x20));
        EXPECT_EQ(pythonCall(mixed->calls()[1]).line, 3);
        EXPECT_EQ(pythonCall(mixed->calls()[2]).line, 2);
    }
    memory.set(state + layout.thread.threadId, std::uint64_t{42});
    walk();
    mixed->begin(&memory.interpreter, {address(0), address(100)}, Memory::Trust::All);
    mixed->add({0x12, address(10), address(20), CodeOwner::InterpreterLoop});
    EXPECT_THAT(mixed->calls(), ElementsAre(0x12)) << "a state of another thread";
}

TEST_F(MixedStackTest, path_isThatOfTheCallsOfNow) {
    walk();
    const PathNumber path = mixed->path(kNoPath);
    walk();
    EXPECT_EQ(mixed->path(kNoPath), path);
    EXPECT_NE(mixed->path(kUnknownCallers), path);
    const auto& layout = memory.interpreter.layout;
    std::uint64_t innermost = 0;
    std::memcpy(&innermost, reinterpret_cast<void*>(memory.thread + layout.thread.frames), sizeof innermost);
    const auto h = memory.code("a.py", "h", 1);
    memory.set(memory.thread + layout.thread.frames, memory.frame(h, 0, innermost));
    walk();
    EXPECT_EQ(mixed->calls().size(), 5);
    EXPECT_NE(mixed->path(kNoPath), path) << "the native functions are what they were";
    memory.set(memory.thread + layout.thread.frames, innermost);
    walk();
    EXPECT_EQ(mixed->path(kNoPath), path);
}

}  // namespace
}  // namespace holos::tracing::stacks::python
