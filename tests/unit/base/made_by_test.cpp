// SPDX-License-Identifier: BSD-3-Clause
#include "base/made_by.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/error.h"
#include "tests/support/temporary_directory.h"

namespace holos {
namespace {

class MadeByTest : public ::testing::Test {
  protected:
    std::filesystem::path write(const std::string& text, const char* name = "a.cubex") const {
        std::ofstream(directory_.path() / name) << text;
        return directory_.path() / name;
    }
    static std::string provenance(const std::string& members) {
        return "anchor.xml <cube><attr key=\"other\" value=\"1\"/><attr key=\"holos::provenance\" value=\"{" +
               members;
    }

    testing::TemporaryDirectory directory_;
};

TEST_F(MadeByTest, provenance_saysOperationAndRun) {
    const auto made = madeBy(write(provenance(
        "&quot;operation&quot;:&quot;analyze&quot;,&quot;run&quot;:&quot;1f&quot;,&quot;version&quot;")));
    ASSERT_TRUE(made);
    EXPECT_EQ(made->operation, "analyze");
    EXPECT_EQ(made->run, "1f");
}

TEST_F(MadeByTest, withoutARun_saysTheOperation) {
    const auto made =
        madeBy(write(provenance("&quot;operation&quot;:&quot;merge&quot;,&quot;version&quot;:")));
    ASSERT_TRUE(made);
    EXPECT_EQ(made->operation, "merge");
    EXPECT_EQ(made->run, "");
}

TEST_F(MadeByTest, otherFilesAndLinks_sayNothing) {
    EXPECT_FALSE(madeBy(write("text")));
    EXPECT_FALSE(madeBy(write(provenance("&quot;operation"))));
    EXPECT_FALSE(madeBy(directory_.path()));
    EXPECT_FALSE(madeBy(directory_.path() / "missing"));
    const auto file = write(provenance("&quot;operation&quot;:&quot;merge&quot;"), "b.cubex");
    std::filesystem::create_symlink(file, directory_.path() / "link");
    EXPECT_FALSE(madeBy(directory_.path() / "link"));
}

TEST_F(MadeByTest, fileWithoutTheMark_isNotOwn) {
    EXPECT_THROW(requireOwn(write("a table of times"), 0x31323334U), Error);
    requireOwn(write(std::string("4321\0\0\0\0and more", 16)), 0x31323334U);
    requireOwn(directory_.path() / "missing", 0x31323334U);
}

}  // namespace
}  // namespace holos
