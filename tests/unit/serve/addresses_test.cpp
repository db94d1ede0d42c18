// SPDX-License-Identifier: BSD-3-Clause
#include "report/serve/addresses.h"

#include <gtest/gtest.h>

#include <string>

namespace holos::serve {
namespace {

TEST(Addresses, query_hasPathAndParametersWithoutEscapes) {
    const auto query = queryOf("/api/ro%77s?tree=calls&name=a%2Cb+c&empty=&&flag");
    ASSERT_TRUE(query);
    EXPECT_EQ(query->path, "/api/rows");
    EXPECT_EQ(query->parameters, (std::map<std::string, std::string>{
                                     {"tree", "calls"}, {"name", "a,b c"}, {"empty", ""}, {"flag", ""}}));
}

TEST(Addresses, query_isNoneForWhatIsNoAddress) {
    for (const char* target :
         {"", "api", "http://localhost/", "/%", "/%2", "/%zz", "/%00", "/a?b=%f", "/a?b=1&b=2"})
        EXPECT_FALSE(queryOf(target)) << target;
}

TEST(Addresses, escapes_areThereAndBack) {
    const std::string all = "/a,b;c=d?e&f%g+h#i \"\\\xC3\xA9~(x)";
    EXPECT_EQ(linkEscaped("a/b, c%"), "a%2Fb%2C c%25");
    EXPECT_EQ(linkUnescaped(linkEscaped(all)), all);
    EXPECT_EQ(linkUnescaped("a+b"), "a+b");
    EXPECT_EQ(linkUnescaped("a+b", true), "a b");
    EXPECT_EQ(linkUnescaped("%4"), std::nullopt);
}

TEST(Addresses, host_isThisMachineWithAnyPort) {
    for (const char* host : {"localhost", "localhost:80", "127.0.0.1:43211", "[::1]:1"})
        EXPECT_TRUE(isThisMachine(host)) << host;
    for (const char* host :
         {"", "localhost.evil.org", "localhost:", "localhost:80x", "127.0.0.11", "evil.org"})
        EXPECT_FALSE(isThisMachine(host)) << host;
}

}  // namespace
}  // namespace holos::serve
