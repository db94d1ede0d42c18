// SPDX-License-Identifier: BSD-3-Clause
// The server of holos serve, asked by friends and attacked by strangers, through sockets.
#include "report/serve/server.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <atomic>
#include <fstream>
#include <thread>

#include "base/error.h"
#include "tests/support/temporary_directory.h"
#include "tests/unit/serve/http_client.h"

namespace holos::testing {
namespace {

using namespace serve;
using namespace std::chrono_literals;
using ::testing::HasSubstr;

constexpr const char* kToken = "0123456789abcdef";

ServerLimits quick() {
    ServerLimits limits;
    limits.request = 60s;
    return limits;
}

/// Serves while a test asks.
class Served {
  public:
    explicit Served(const ServerLimits& limits = quick(), const Listening& where = {})
        : server_(where, kToken, content(), limits), thread_([this] { end_ = server_.run(); }) {}
    ~Served() {
        if (thread_.joinable()) stop();
    }
    Served(const Served&) = delete;
    Served& operator=(const Served&) = delete;

    std::string ask(const std::string& request) const {
        const Connection connection(server_.port());
        connection.send(request);
        return connection.answer();
    }
    std::uint16_t port() const { return server_.port(); }
    int asked() const { return asked_; }
    void tell(const std::string& text) { server_.tell(text); }
    bool isListenedTo() const { return server_.isListenedTo(); }
    Server::End stop() {
        server_.stop();
        return wait();
    }
    Server::End wait() {
        thread_.join();
        return end_;
    }

  private:
    Content content() {
        return {.page =
                    [](const std::string& path) {
                        return path == "/" ? std::optional(Answer{.type = "text/html", .body = "<p>page"})
                                           : std::nullopt;
                    },
                .answer =
                    [this](const Query& query) {
                        ++asked_;
                        if (query.path == "/long") return Answer{.body = std::string(64U << 20U, 'x')};
                        if (query.path == "/broken") throw Error("broken");
                        std::string text = query.path;
                        for (const auto& [name, value] : query.parameters) text += ' ' + name + '=' + value;
                        return Answer{.body = text};
                    },
                .stream = "/stream"};
    }

    std::atomic<int> asked_ = 0;
    Server::End end_ = Server::End::Stopped;
    Server server_;
    std::thread thread_;
};

TEST(Server, requestWithToken_isAnswered) {
    const Served served;
    const std::string answer = served.ask(get("/api/rows?tree=calls&text=a%20b+c", kToken));
    EXPECT_EQ(statusOf(answer), 200);
    EXPECT_EQ(bodyOf(answer), "/api/rows text=a b c tree=calls");
    EXPECT_THAT(answer, HasSubstr("Content-Security-Policy: default-src 'none'"));
    EXPECT_THAT(answer, HasSubstr("Cache-Control: no-store"));
}

TEST(Server, severalRequestsOnOneConnection_areAnsweredInOrder) {
    const Served served;
    const Connection connection(served.port());
    connection.send(get("/one", kToken) + get("/two", kToken));
    EXPECT_EQ(bodyOf(connection.answer()), "/one");
    EXPECT_EQ(bodyOf(connection.answer()), "/two");
}

TEST(Server, tokenMissingOrWrong_isRefused) {
    const Served served;
    for (const char* token : {"", "0123456789abcdeg", "0123456789abcde", "0123456789abcdef0"})
        EXPECT_EQ(statusOf(served.ask(get("/api/rows", token))), 401) << token;
    EXPECT_EQ(statusOf(served.ask(get("/api/rows?token=0123456789abcdef", ""))), 401);
    EXPECT_EQ(served.asked(), 0);
}

TEST(Server, pageWithoutSecrets_needsNoToken) {
    const Served served;
    EXPECT_EQ(bodyOf(served.ask(get("/", ""))), "<p>page");
}

TEST(Server, foreignHost_isRefused) {
    const Served served;
    const auto asHost = [&](const std::string& host) {
        return statusOf(served.ask("GET / HTTP/1.1\r\nHost: " + host + "\r\n\r\n"));
    };
    for (const char* host : {"localhost", "localhost:8765", "127.0.0.1:1", "[::1]:8"})
        EXPECT_EQ(asHost(host), 200) << host;
    for (const char* host : {"evil.example", "localhost.evil.example", "127.0.0.1.evil.example:80",
                             "localhost:", "10.0.0.1", "localhost:8a", ""})
        EXPECT_EQ(asHost(host), 421) << host;
    EXPECT_EQ(statusOf(served.ask("GET / HTTP/1.1\r\n\r\n")), 421);
    EXPECT_EQ(statusOf(served.ask("GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil\r\n\r\n")), 421);
}

TEST(Server, foreignOrigin_isRefused) {
    const Served served;
    const auto from = [&](const std::string& line) {
        return statusOf(served.ask(get("/a", kToken, line + "\r\n")));
    };
    EXPECT_EQ(from("Origin: http://127.0.0.1:1"), 200);
    EXPECT_EQ(from("Sec-Fetch-Site: same-origin"), 200);
    for (const char* line : {"Origin: http://evil.example", "Origin: null", "Origin: http://127.0.0.1:2",
                             "Origin: https://127.0.0.1:1", "Origin:", "Sec-Fetch-Site: cross-site"})
        EXPECT_EQ(from(line), 403) << line;
}

TEST(Server, methodsThatChangeSomething_areRefused) {
    const Served served;
    for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH"}) {
        const std::string answer =
            served.ask(std::string(method) + " /a HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " +
                       kToken + "\r\n\r\n");
        EXPECT_EQ(statusOf(answer), 405) << method;
    }
    EXPECT_EQ(served.asked(), 0);
}

TEST(Server, head_hasNoBody) {
    const Served served;
    const Connection connection(served.port());
    connection.send("HEAD / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    const std::string answer = connection.rest();
    EXPECT_EQ(statusOf(answer), 200);
    EXPECT_THAT(answer, HasSubstr("Content-Length: 7"));
    EXPECT_EQ(bodyOf(answer), "");
}

TEST(Server, requestsThatAreNone_areRefusedAndDisconnected) {
    const Served served;
    for (const char* request :
         {"\r\n\r\nnonsense\r\n\r\n", "GET /\r\n\r\n", "GET / HTTP/9.9\r\n\r\n",
          "\x16\x03\x01\x02\x01\x01\x01\xFC\r\n\r\n", "GET / HTTP/1.1\r\nNo colon\r\n\r\n",
          "GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n"}) {
        const Connection connection(served.port());
        connection.send(request);
        EXPECT_EQ(statusOf(connection.rest()), 400) << request;
    }
    for (const char* target : {"*", "http://localhost/", "/a%2", "/a%zz", "/a%00b", "/a?b=1&b=2", "nothing"})
        EXPECT_EQ(statusOf(served.ask(get(target, kToken))), 400) << target;
    EXPECT_EQ(bodyOf(served.ask(get("/still-there", kToken))), "/still-there");
}

TEST(Server, headOfManyBytes_isRefused) {
    const Served served;
    const Connection one(served.port());
    one.send("GET / HTTP/1.1\r\nHost: localhost\r\nX: " + std::string(100'000, 'x') + "\r\n\r\n");
    EXPECT_EQ(statusOf(one.rest()), 431);
    const Connection other(served.port());
    other.send("GET /" + std::string(100'000, 'x') + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    EXPECT_EQ(statusOf(other.rest()), 431);
}

TEST(Server, body_isRefusedBeforeItIsRead) {
    const Served served;
    for (const char* line : {"Content-Length: 999999999999", "Transfer-Encoding: chunked"}) {
        const Connection connection(served.port());
        connection.send("POST /a HTTP/1.1\r\nHost: localhost\r\n" + std::string(line) + "\r\n\r\n1\r\nx\r\n");
        EXPECT_EQ(statusOf(connection.rest()), 413) << line;
    }
}

TEST(Server, clientThatSendsByteAfterByte_isDisconnected) {
    ServerLimits limits;
    limits.request = 50ms;
    const Served served(limits);
    const Connection slow(served.port());
    slow.send("GET / HT");
    EXPECT_EQ(slow.rest(), "");
}

/// Whether the server answers before long: who has gone makes room as soon as it is noticed.
bool answersSoon(const Served& served) {
    for (int tries = 0; tries < 6000; ++tries) {
        if (statusOf(served.ask(get("/soon", kToken))) == 200) return true;
        std::this_thread::sleep_for(10ms);
    }
    return false;
}

TEST(Server, clientThatReadsNothing_holdsUpNobody) {
    const Served served;
    const Connection slow(served.port());
    slow.send(get("/long", kToken));
    EXPECT_EQ(bodyOf(served.ask(get("/other", kToken))), "/other");
}

TEST(Server, clientThatReadsNothing_losesItsPlace) {
    ServerLimits limits = quick();
    limits.answer = 1s;
    limits.connections = 1;
    const Served served(limits);
    const Connection slow(served.port());
    slow.send(get("/long", kToken));
    EXPECT_TRUE(answersSoon(served));
}

TEST(Server, moreClientsThanAllowed_areTurnedAway) {
    ServerLimits limits = quick();
    limits.connections = 2;
    const Served served(limits);
    {
        const Connection one(served.port()), two(served.port());
        one.send(get("/one", kToken));
        two.send(get("/two", kToken));
        EXPECT_EQ(bodyOf(one.answer()), "/one");
        EXPECT_EQ(bodyOf(two.answer()), "/two");
        const Connection three(served.port());
        EXPECT_EQ(statusOf(three.rest()), 503);
    }
    EXPECT_TRUE(answersSoon(served));
}

TEST(Server, manyClientsAtOnce_areAllAnswered) {
    const Served served;
    std::atomic<int> right = 0;
    std::vector<std::thread> clients;
    for (int client = 0; client < 16; ++client)
        clients.emplace_back([&] {
            const Connection connection(served.port());
            for (int at = 0; at < 50; ++at) {
                const std::string path = '/' + std::to_string(at);
                connection.send(get(path, kToken));
                if (bodyOf(connection.answer()) == path) ++right;
            }
        });
    for (std::thread& client : clients) client.join();
    EXPECT_EQ(right, 16 * 50);
}

TEST(Server, listeners_hearWhatIsTold) {
    Served served;
    const Connection one(served.port()), other(served.port());
    for (const Connection* each : {&one, &other}) {
        each->send(get("/stream", kToken));
        EXPECT_THAT(each->until("\r\n\r\n"), HasSubstr("Content-Type: text/event-stream"));
    }
    served.tell("news");
    EXPECT_EQ(one.until("\n\n"), "data: news\n\n");
    EXPECT_EQ(other.until("\n\n"), "data: news\n\n");
}

TEST(Server, listenersWithoutToken_hearNothing) {
    const Served served;
    const Connection stranger(served.port());
    stranger.send(get("/stream", "wrong"));
    EXPECT_EQ(statusOf(stranger.answer()), 401);
    EXPECT_FALSE(served.isListenedTo());
}

TEST(Server, listenersInGreatNumber_leaveRoomForThoseWhoAsk) {
    ServerLimits limits = quick();
    limits.connections = 8;
    const Served served(limits);
    std::vector<std::unique_ptr<Connection>> listeners;
    for (int at = 0; at < 4; ++at) {
        listeners.push_back(std::make_unique<Connection>(served.port()));
        listeners.back()->send(get("/stream", kToken));
        EXPECT_THAT(listeners.back()->until("\r\n\r\n"), HasSubstr("200 OK"));
    }
    const Connection fifth(served.port());
    fifth.send(get("/stream", kToken));
    EXPECT_EQ(statusOf(fifth.answer()), 503);
    EXPECT_EQ(statusOf(served.ask(get("/api", kToken))), 200);
}

TEST(Server, listenerWhoHasGone_isForgotten) {
    const Served served;
    {
        const Connection one(served.port());
        one.send(get("/stream", kToken));
        one.until("\r\n\r\n");
        EXPECT_TRUE(served.isListenedTo());
    }
    while (served.isListenedTo()) std::this_thread::yield();
}

TEST(Server, listenerWhoReadsNothing_isNotWaitedFor) {
    Served served;
    const Connection slow(served.port()), quickOne(served.port());
    for (const Connection* each : {&slow, &quickOne}) {
        each->send(get("/stream", kToken));
        each->until("\r\n\r\n");
    }
    const std::string news(1U << 20U, 'x');
    for (int at = 0; at < 16; ++at) served.tell(news);
    served.tell("last");
    EXPECT_THAT(quickOne.until("last\n\n").size(), ::testing::Lt(18U << 20U));
}

TEST(Server, failureOfAnAnswer_isTold) {
    const Served served;
    const std::string answer = served.ask(get("/broken", kToken));
    EXPECT_EQ(statusOf(answer), 500);
    EXPECT_EQ(bodyOf(answer), R"({"error":"broken"})");
}

TEST(Server, withoutRequests_endsWhenIdle) {
    ServerLimits limits;
    limits.idle = 20ms;
    Served served(limits);
    EXPECT_EQ(served.wait(), Server::End::Idle);
}

TEST(Server, portThatIsTaken_isAnError) {
    const Served served;
    EXPECT_THROW(Served(quick(), {.port = served.port(), .socket = {}}), Error);
}

TEST(Server, socket_isOfItsOwnerAloneAndRemovedAtTheEnd) {
    const TemporaryDirectory folder;
    const std::string file = (folder.path() / "socket").string();
    {
        Served served(quick(), {.socket = file});
        struct stat found {};
        ASSERT_EQ(::lstat(file.c_str(), &found), 0);
        EXPECT_TRUE(S_ISSOCK(found.st_mode));
        EXPECT_EQ(found.st_mode & 0777U, 0600U);
        const Connection connection(file);
        connection.send(get("/a", kToken));
        EXPECT_EQ(bodyOf(connection.answer()), "/a");
        EXPECT_EQ(served.stop(), Server::End::Stopped);
    }
    EXPECT_FALSE(std::filesystem::exists(file));
}

TEST(Server, fileInThePlaceOfTheSocket_isNotReplaced) {
    const TemporaryDirectory folder;
    const std::string file = (folder.path() / "file").string();
    std::ofstream(file) << "mine";
    EXPECT_THROW(Served(quick(), {.socket = file}), Error);
    EXPECT_TRUE(std::filesystem::is_regular_file(file));
}

TEST(Server, tokens_areLongAndDiffer) {
    EXPECT_EQ(newToken().size(), 48U);
    EXPECT_NE(newToken(), newToken());
}

}  // namespace
}  // namespace holos::testing
