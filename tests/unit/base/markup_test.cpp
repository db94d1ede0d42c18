// SPDX-License-Identifier: BSD-3-Clause
#include "base/markup.h"

#include <gtest/gtest.h>

namespace holos {
namespace {

TEST(Markup, marksOfHtml_areReplaced) {
    EXPECT_EQ(escaped("<b a=\"1\" c='2'>&"), "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;");
}

TEST(Markup, whatXmlDoesNotTake_isReplaced) {
    EXPECT_EQ(escaped("a\x01\x1b[31m\xff"), "a  [31m\xEF\xBF\xBD");
}

TEST(Markup, marksOfMarkdown_areText) {
    EXPECT_EQ(escapedMarkdown("[x](javascript:y)|<b>\n# `a`"), "\\[x\\](javascript:y)\\|\\<b\\> \\# \\`a\\`");
}

}  // namespace
}  // namespace holos
