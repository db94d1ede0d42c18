// SPDX-License-Identifier: BSD-3-Clause
// Where interpreters keep what, and how it is read.
#include "tracing/recorder/stacks/python/interpreter.h"

#include <gmock/gmock.h>
#include <sys/mman.h>

#include "tests/unit/tracing/python_memory.h"
#include "tracing/recorder/stacks/python/functions.h"

namespace holos::tracing::stacks::python {
namespace {

using ::testing::ElementsAre;

TEST(PythonLayout, ofVersionsThatAreKnown_isTheirs) {
    const std::array<std::uint64_t, kLookedAtWords> nothing{};
    EXPECT_EQ(python::layoutOf(versionOf(11), nothing)->frame.code, 32);
    EXPECT_EQ(python::layoutOf(versionOf(12), nothing)->thread.threadId, 136);
    EXPECT_FALSE(python::layoutOf(versionOf(10), nothing));
    EXPECT_FALSE(python::layoutOf(0x02071200, nothing));
    EXPECT_FALSE(python::layoutOf(0, nothing));
}

TEST(PythonLayout, ofLaterVersions_isThePublishedOne) {
    for (const unsigned minor : {13, 14, 15}) {
        const auto layout = python::layoutOf(versionOf(minor), table(minor));
        ASSERT_TRUE(layout) << minor;
        EXPECT_EQ(layout->thread.frames, 72);
        EXPECT_EQ(layout->thread.threadId, 152);
        EXPECT_EQ(layout->frame.instruction, 56);
        EXPECT_EQ(layout->code.instructions, 200);
        EXPECT_EQ(layout->object.type, 8);
        EXPECT_EQ(layout->bytes.data, 32);
        EXPECT_EQ(layout->text.shortHeader, 40);
        EXPECT_EQ(layout->text.longHeader, 56);
        EXPECT_FALSE(layout->control.exists);
    }
}

TEST(PythonLayout, publishedOneThatCannotBe_isNone) {
    auto damaged = table(13);
    damaged[0] = 0;
    EXPECT_FALSE(python::layoutOf(versionOf(13), damaged)) << "no table";
    EXPECT_FALSE(python::layoutOf(versionOf(14), table(13))) << "of another version";
    damaged = table(13);
    damaged[35] = 5000;
    EXPECT_FALSE(python::layoutOf(versionOf(13), damaged)) << "a place behind the end";
    for (std::size_t i = 0; i < 3; ++i) {
        damaged = table(13);
        damaged[67 + i] = ~std::uint64_t{0};
        EXPECT_FALSE(python::layoutOf(versionOf(13), damaged)) << "not a size or place";
    }
}

TEST(PythonLines, ofAllFormsOfEntries_areThoseOfTheTable) {
    constexpr auto entry = [](unsigned form, unsigned length) {
        return static_cast<std::uint8_t>(0x80U | form << 3U | (length - 1));
    };
    const std::vector<std::uint8_t> bytes{
        entry(13, 1), 4,                   // two lines further
        entry(0, 2),  0x11,                // the same line
        entry(11, 1), 1,    2,             // the next one
        entry(14, 1), 0x43, 2,   0, 1, 1,  // far back: (3 + 2 * 64) / 2 and its sign
        entry(15, 3),                      // none
        entry(13, 8), 0x40, 0x02};         // 64 lines further
    const auto at = [&](std::uint64_t instruction) {
        return lineAt({bytes.data(), bytes.data() + bytes.size()}, 100, 2 * instruction);
    };
    EXPECT_THAT((std::array{at(0), at(1), at(2), at(3), at(4), at(5), at(7), at(8), at(15), at(16)}),
                ElementsAre(102, 102, 102, 103, 38, 0, 0, 102, 102, 0));
    for (std::size_t cut = 0; cut < bytes.size(); ++cut)
        EXPECT_LE(lineAt({bytes.data(), bytes.data() + cut}, 100, 2 * 8), 103);
}

TEST(PythonMemoryAccess, whatCannotBeRead_isNotRead) {
    constexpr std::size_t kPage = 4096;
    void* const pages =
        ::mmap(nullptr, 2 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(pages, MAP_FAILED);
    ::mprotect(static_cast<char*>(pages) + kPage, kPage, PROT_NONE);
    const auto begin = reinterpret_cast<std::uint64_t>(pages);
    Memory memory(Memory::Trust::None);
    std::uint64_t value = 1;
    EXPECT_TRUE(memory.read(begin, value));
    EXPECT_TRUE(memory.read(begin + kPage - 8, value));
    EXPECT_FALSE(memory.read(begin + kPage - 4, value)) << "partly";
    EXPECT_FALSE(memory.read(begin + kPage, value));
    EXPECT_FALSE(memory.read(0, value));
    EXPECT_FALSE(memory.read(~std::uint64_t{0} - 3, value));
    EXPECT_FALSE(memory.isReadable(begin, std::uint64_t{1} << 40U));
    ::munmap(pages, 2 * kPage);
}

}  // namespace
}  // namespace holos::tracing::stacks::python
