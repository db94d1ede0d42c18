// SPDX-License-Identifier: BSD-3-Clause
#include "base/secrets.h"

#include <gmock/gmock.h>

namespace holos {
namespace {

using ::testing::ElementsAre;
using Words = std::vector<std::string>;

std::string masked(const std::string& word) {
    return withoutSecrets({word}).front();
}

TEST(Secrets, ofOptionsAndVariables_areMasked) {
    EXPECT_THAT(withoutSecrets({"./app", "--password=hunter2", "--api-key", "abc", "--size", "7"}),
                ElementsAre("./app", "--password=***", "--api-key", "***", "--size", "7"));
    EXPECT_THAT(withoutSecrets({"env", "DB_PASSWORD=a b;c", "PGPASSWORD=x", "-token", "-1x"}),
                ElementsAre("env", "DB_PASSWORD=***", "PGPASSWORD=***", "-token", "***"));
    EXPECT_EQ(masked("--auth.accessKey=x"), "--auth.accessKey=***");
    EXPECT_EQ(masked("dbPassword:x"), "dbPassword:***");
}

TEST(Secrets, withinScriptsAndJson_areMasked) {
    EXPECT_EQ(masked("export TOKEN=abc; ./app --secret 'x y' -n 3"),
              "export TOKEN=***; ./app --secret '***' -n 3");
    EXPECT_EQ(masked(R"({"user": "me", "password": "x, y", "n": 3})"),
              R"({"user": "me", "password": "***", "n": 3})");
    EXPECT_EQ(masked("Authorization: Bearer abc"), "Authorization: ***");
    EXPECT_EQ(masked("curl -H 'X-Api-Key: abc' http://h"), "curl -H 'X-Api-Key: ***' http://h");
}

TEST(Secrets, ofAddresses_areMasked) {
    EXPECT_EQ(masked("postgres://me:s3cret@host:5432/db"), "postgres://me:***@host:5432/db");
    EXPECT_EQ(masked("https://host/path?token=abc&n=3"), "https://host/path?token=***&n=3");
    EXPECT_EQ(masked("http://host:80/a@b"), "http://host:80/a@b");
}

TEST(Secrets, tokensOfServices_areMaskedWhereverTheyStand) {
    EXPECT_EQ(masked("ghp_0123456789abcdefghij"), "***");
    EXPECT_EQ(masked("https://glpat-0123456789abcdefghij@host/x"), "https://***@host/x");
}

TEST(Secrets, ordinaryWords_areAsTheyWere) {
    const Words words{"./solver",
                      "--max-tokens=512",
                      "--password-file=/etc/pw",
                      "--sort-key=time",
                      "bypass=1",
                      "-p",
                      "8080",
                      "keys",
                      "--pass-count",
                      "3",
                      "C:\\token",
                      "host:/path",
                      "--compass=2",
                      "a=b"};
    EXPECT_EQ(withoutSecrets(words), words);
}

}  // namespace
}  // namespace holos
