// SPDX-License-Identifier: BSD-3-Clause
// Code objects and texts in the memory of interpreters made up.
#include "tracing/recorder/stacks/python/functions.h"

#include <gmock/gmock.h>

#include <map>

#include "tests/unit/tracing/python_memory.h"
#include "tracing/recordings/format/path_numbers.h"

namespace holos::tracing::stacks::python {
namespace {

struct Written {
    std::uint32_t firstLine = 0;
    std::string file;
    std::string name;
    friend bool operator==(const Written&, const Written&) = default;
};
/// In place of the recorder's.
std::map<std::uint32_t, Written> written;

}  // namespace

void writePythonFunction(std::uint32_t number, std::uint32_t firstLine, const char* file,
                         const char* name) noexcept {
    written[number] = {firstLine, file, name};
}

void reportUnknownInterpreter(std::uint64_t) noexcept {}

namespace {

std::string textOf(const Interpreter& interpreter, std::uint64_t object) {
    Memory memory(Memory::Trust::None);
    Text text;
    if (!readText(interpreter, object, memory, text)) return "none";
    std::string room(utf8Room(text), '\0');
    room.resize(toUtf8(text, room.data()));
    return room;
}

TEST(PythonTexts, ofAllWidths_areUtf8) {
    PythonMemory memory(layoutOf(11));
    const auto& layout = memory.interpreter.layout.text;
    const auto object = [&](unsigned behind, unsigned width, const auto& characters) {
        return memory.characters(width << behind | 1U << (behind + 3), std::size(characters),
                                 layout.longHeader, std::data(characters), std::size(characters) * width);
    };
    using namespace std::string_literals;
    EXPECT_EQ(textOf(memory.interpreter, memory.text("solve")), "solve");
    EXPECT_EQ(textOf(memory.interpreter, memory.text("")), "");
    for (const unsigned behind : {2, 8, 16}) {
        EXPECT_EQ(textOf(memory.interpreter, object(behind, 1, "l\xE4uft"s)), "l\u00E4uft");
        EXPECT_EQ(textOf(memory.interpreter, object(behind, 2, u"\u8D70\u308B"s)), "\u8D70\u308B");
        EXPECT_EQ(textOf(memory.interpreter, object(behind, 4, U"a\U0001F600"s)), "a\U0001F600");
    }
    EXPECT_EQ(textOf(memory.interpreter, object(2, 2, u"a\xDC80"s)), "a\uFFFD") << "half a character";
    EXPECT_EQ(textOf(memory.interpreter, memory.text(std::string(10000, 'x'))).size(), kMostTextBytes);
}

TEST(PythonTexts, otherObjects_areNone) {
    PythonMemory memory(layoutOf(12));
    const auto object = memory.text("solve");
    memory.set(object + memory.interpreter.layout.text.state, std::uint32_t{0});
    EXPECT_EQ(textOf(memory.interpreter, object), "none") << "not in one piece";
    EXPECT_EQ(textOf(memory.interpreter, memory.bytes({1, 2, 3})), "none");
    EXPECT_EQ(textOf(memory.interpreter, 0), "none");
    EXPECT_EQ(textOf(memory.interpreter, 0xFFFFFFFFFFFFFFF8U), "none");
    const auto endless = memory.text("solve");
    memory.set(endless + memory.interpreter.layout.text.length, ~std::uint64_t{0});
    const auto text = textOf(memory.interpreter, endless);
    EXPECT_TRUE(text == "none" || text.size() <= 4 * kMostTextBytes);
}

/// `file:name line`, or nothing.
std::string describe(std::uint64_t call) {
    if (!isPython(call)) return {};
    const auto [number, line] = pythonCall(call);
    const Written& function = written.at(number);
    return function.file + ':' + function.name + ' ' + std::to_string(line);
}

class PythonFunctions : public ::testing::TestWithParam<unsigned> {
  protected:
    std::string at(std::uint64_t code, unsigned instruction, Memory::Trust trust = Memory::Trust::All) {
        Memory reading(trust);
        functions.begin();
        return describe(
            functions.callOf({code, memory.instruction(code, instruction)}, memory.interpreter, reading));
    }

    PythonMemory memory{layoutOf(GetParam())};
    RunningFunctions functions;
};

TEST_P(PythonFunctions, ofCodeObjects_haveNamesAndLines) {
    const auto code = memory.code("/home/me/solver.py", "Solver.step", 10);
    EXPECT_EQ(at(code, 0), "/home/me/solver.py:Solver.step 10");
    EXPECT_EQ(at(code, 2), "/home/me/solver.py:Solver.step 12");
    EXPECT_EQ(at(code, 2, Memory::Trust::None), "/home/me/solver.py:Solver.step 12");
    EXPECT_EQ(at(code, 3), "/home/me/solver.py:Solver.step 0") << "behind the table";
    EXPECT_EQ(at(code, ~0U / 2), "/home/me/solver.py:Solver.step 0");
}

TEST_P(PythonFunctions, beforeTheirFirstInstruction_haveTheirFirstLine) {
    const auto code = memory.code("a.py", "f", 7);
    Memory reading(Memory::Trust::All);
    EXPECT_EQ(
        describe(functions.callOf({code, memory.instruction(code, 0) - 2}, memory.interpreter, reading)),
        "a.py:f 7");
}

TEST_P(PythonFunctions, anotherCodeObjectInThePlaceOfOne_isAnother) {
    const auto code = memory.code("a.py", "f", 1);
    EXPECT_EQ(at(code, 1), "a.py:f 2");
    memory.define(code, "a.py", "g", 1);
    EXPECT_EQ(at(code, 1), "a.py:g 2");
    memory.define(code, "b.py", "g", 1);
    EXPECT_EQ(at(code, 1), "b.py:g 2");
    memory.define(code, "b.py", "g", 5);
    EXPECT_EQ(at(code, 1), "b.py:g 6");
    // Even where its names lie where those of the other lay.
    std::uint64_t name = 0;
    std::memcpy(&name, reinterpret_cast<void*>(code + memory.interpreter.layout.code.name), sizeof name);
    memory.set(name + memory.interpreter.layout.text.shortHeader, 'h');
    EXPECT_EQ(at(code, 1), "b.py:h 6");
}

TEST_P(PythonFunctions, equalOnesOfTwoCodeObjects_areOne) {
    const auto before = at(memory.code("a.py", "twice", 1), 1);
    const std::size_t known = written.size();
    EXPECT_EQ(at(memory.code("a.py", "twice", 1), 1), before);
    EXPECT_EQ(written.size(), known);
}

TEST_P(PythonFunctions, codeOfTheInterpreterAndOtherObjects_areNotSeen) {
    EXPECT_EQ(at(memory.code("<frozen importlib._bootstrap>", "_find_and_load", 1), 0), "");
    EXPECT_EQ(at(memory.text("solve"), 0), "");
    EXPECT_EQ(at(0, 0), "");
    EXPECT_EQ(at(0xFFFFFFFFFFFFFF00U, 0, Memory::Trust::None), "");
}

INSTANTIATE_TEST_SUITE_P(Versions, PythonFunctions, ::testing::Values(11, 12, 13, 14),
                         [](const auto& minor) { return "v3_" + std::to_string(minor.param); });

}  // namespace
}  // namespace holos::tracing::stacks::python
