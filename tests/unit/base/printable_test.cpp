// SPDX-License-Identifier: BSD-3-Clause
#include "base/printable.h"

#include <gtest/gtest.h>

namespace holos {
namespace {

TEST(Printable, controls_areBlanks) {
    EXPECT_EQ(printable("a\x1b[2Jb\x7f\n\t\r"), "a [2Jb    ");
    EXPECT_EQ(printable("\xC2\x9B"
                        "2J\xC2\x80\xC2\x9F"),
              " 2J  ");  // C1: CSI as one character
}

TEST(Printable, marksOfWritingDirection_areBlanks) {
    EXPECT_EQ(printable("exe\xE2\x80\xAEgpj"), "exe gpj");                             // U+202E
    EXPECT_EQ(printable("\xE2\x80\xAA\xE2\x80\x8E\xE2\x81\xA6\xE2\x81\xA9"), "    ");  // 202A 200E 2066 2069
    EXPECT_EQ(printable("\xD8\x9C\xE2\x80\xA8"), "  ");                                // 061C 2028
}

TEST(Printable, textOfAnyLanguage_stays) {
    for (const char* text : {"Größe", "時間", "α→β", "𝛼", "é\xC2\xA0x", "\xE2\x80\x93"})
        EXPECT_EQ(printable(text), text);
}

TEST(Printable, bytesThatAreNoUtf8_areReplaced) {
    const std::string none = "\xEF\xBF\xBD";
    EXPECT_EQ(printable("\x9b"
                        "2J"),
              none + "2J");
    EXPECT_EQ(printable("a\xC3"), "a" + none);
    EXPECT_EQ(printable("\xE2\x80"), none + none);
    EXPECT_EQ(printable("\xC0\x8A"), none + none) << "a longer form of a line feed";
    EXPECT_EQ(printable("\xED\xA0\x80"), none + none + none) << "half of a surrogate pair";
    EXPECT_EQ(printable("\xF4\x90\x80\x80"), none + none + none + none) << "beyond U+10FFFF";
}

TEST(Printable, lines_keepTheirEndsAndTabs) {
    EXPECT_EQ(printableLines("a\tb\nc\rd\x1b[31m"), "a\tb\nc d [31m");
}

TEST(Printable, coloursStay_otherSequencesDoNot) {
    EXPECT_EQ(printableColours("\x1b[1mname\x1b[0m\n"), "\x1b[1mname\x1b[0m\n");
    EXPECT_EQ(printableColours("\x1b[2J\x1b]0;title\x07\x1b[1"), " [2J ]0;title  [1");
}

}  // namespace
}  // namespace holos
