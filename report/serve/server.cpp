// SPDX-License-Identifier: BSD-3-Clause
#include "report/serve/server.h"

#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

// The only source that includes Boost.Beast and Boost.Asio.

#define BOOST_ASIO_DISABLE_CO_AWAIT
#define BOOST_BEAST_USE_STD_STRING_VIEW
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "base/number.h"

namespace holos::serve {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using Code = boost::system::error_code;
using Clock = std::chrono::steady_clock;
using Stream = beast::basic_stream<asio::generic::stream_protocol>;

constexpr std::size_t kTokenBytes = 24;
constexpr unsigned kHttp10 = 10;
constexpr unsigned kHttp11 = 11;
constexpr std::size_t kBufferSpare = 1024;
/// What is still read of a client that was told that it is wrong, so that it can read what it was told.
constexpr std::size_t kDrained = 1U << 20;
constexpr auto kDrainTime = std::chrono::seconds(2);
constexpr auto kBetweenBeats = std::chrono::seconds(15);
constexpr auto kAfterFailedAccept = std::chrono::milliseconds(100);
/// How often is looked whether anybody has asked: so many times in the time without requests.
constexpr int kLooksWhileIdle = 4;

Answer refusal(http::status status, const std::string& why) {
    return {static_cast<unsigned>(status), "application/json", jsonText(nlohmann::json{{"error", why}})};
}

std::string_view field(const http::fields& fields, http::field name) {
    const auto found = fields.find(name);
    return found == fields.end() ? std::string_view() : std::string_view(found->value());
}

/// All of the token is compared, however much of it is right.
bool isToken(std::string_view given, const std::string& token) {
    if (given.size() != token.size()) return false;
    unsigned different = 0;
    for (std::size_t at = 0; at < token.size(); ++at)
        different |= static_cast<unsigned char>(given[at] ^ token[at]);
    return different == 0;
}

/// What says why a request could not be read; nothing where nobody is there to be told.
std::optional<Answer> refusalOf(const Code& error) {
    if (error == http::error::header_limit || error == http::error::buffer_overflow)
        return refusal(http::status::request_header_fields_too_large, "the request is too long");
    if (error == http::error::unexpected_body || error == http::error::body_limit)
        return refusal(http::status::payload_too_large, "requests have no body here");
    if (error.category() == http::make_error_code(http::error::bad_method).category() &&
        error != http::error::end_of_stream && error != http::error::partial_message)
        return refusal(http::status::bad_request, "this is no HTTP request");
    return std::nullopt;
}

class Connection;

/// What all connections have in common.
struct House {
    std::string token;
    Content content;
    ServerLimits limits;
    std::size_t connections = 0;
    std::size_t inWork = 0;  ///< answers that are being made
    Clock::time_point lastAsked = Clock::now();
    std::vector<std::weak_ptr<Connection>> listeners;
    std::atomic<std::size_t> listening = 0;  ///< how many of them there are
    asio::io_context context{1};
    asio::thread_pool makers;

    House(std::string secret, Content shown, const ServerLimits& limited)
        : token(std::move(secret)), content(std::move(shown)), limits(limited), makers(limited.threads) {}
};

/// One connection: reads a request, answers it, and so on.
class Connection : public std::enable_shared_from_this<Connection> {
  public:
    Connection(House& house, asio::generic::stream_protocol::socket socket)
        : house_(house), stream_(std::move(socket)), buffer_(house.limits.headerBytes + kBufferSpare) {
        ++house_.connections;
    }
    ~Connection() {
        --house_.connections;
        if (isListening_) --house_.listening;
    }
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    void read(ServerLimits::Time within) {
        parser_.emplace();
        parser_->header_limit(house_.limits.headerBytes);
        stream_.expires_after(within);
        http::async_read(
            stream_, buffer_, *parser_,
            [self = shared_from_this()](const Code& error, std::size_t) { self->onRead(error); });
    }
    void refuseAll() {
        isLast_ = true;
        write(refusal(http::status::service_unavailable, "too many connections"), true);
    }
    /// To one who listens. What is still being said is not broken off; of what waits behind it only the
    /// newest is kept.
    void say(std::string text) {
        if (isSaying_) {
            next_ = std::move(text);
            return;
        }
        isSaying_ = true;
        said_ = std::move(text);
        stream_.expires_after(house_.limits.answer);
        asio::async_write(stream_, asio::buffer(said_),
                          [self = shared_from_this()](const Code& error, std::size_t) {
                              self->isSaying_ = false;
                              if (error) return self->stream_.close();
                              if (auto next = std::exchange(self->next_, std::nullopt))
                                  self->say(std::move(*next));
                          });
    }
    /// A listener who has gone is noticed when something is said.
    void sayNothing() {
        if (!isSaying_) say(":\n\n");
    }

  private:
    void onRead(const Code& error) {
        if (error) {
            const auto why = refusalOf(error);
            if (!why) return;
            isLast_ = true;
            return write(*why, true);
        }
        const auto& request = parser_->get();
        isLast_ = !request.keep_alive();
        const bool hasBody = request.method() != http::verb::head;
        if (const auto why = wrongIn(request)) return write(*why, hasBody);
        auto query = queryOf({request.target().data(), request.target().size()});
        if (!query) return write(refusal(http::status::bad_request, "no such address can be"), hasBody);
        if (auto page = house_.content.page(query->path)) return write(std::move(*page), hasBody);
        if (const auto why = strangerIn(request)) return write(*why, hasBody);
        if (hasBody && query->path == house_.content.stream) return listen();
        house_.lastAsked = Clock::now();
        make(std::move(*query), hasBody);
    }

    /// Others must be able to ask, however many listen.
    void listen() {
        if (house_.listening >= house_.limits.connections / 2) {
            isLast_ = true;
            return write(refusal(http::status::service_unavailable, "too many listeners"), true);
        }
        isListening_ = true;
        ++house_.listening;
        std::erase_if(house_.listeners, [](const auto& each) { return each.expired(); });
        house_.listeners.push_back(weak_from_this());
        stream_.expires_never();
        waitForEnd();
        say("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\n"
            "X-Content-Type-Options: nosniff\r\nCross-Origin-Resource-Policy: same-origin\r\n"
            "Connection: close\r\n\r\n");
    }
    /// What one who listens still says is of no interest.
    void waitForEnd() {
        stream_.async_read_some(asio::buffer(drained_),
                                [self = shared_from_this()](const Code& error, std::size_t) {
                                    if (error) return self->stream_.close();
                                    self->waitForEnd();
                                });
    }

    using Fields = http::request<http::empty_body>;

    static std::optional<Answer> wrongIn(const Fields& request) {
        if (request.version() != kHttp10 && request.version() != kHttp11)
            return refusal(http::status::bad_request, "this is no HTTP request");
        if (request.method() != http::verb::get && request.method() != http::verb::head)
            return refusal(http::status::method_not_allowed, "only GET: nothing can be changed here");
        const auto host = field(request, http::field::host);
        if (request.count(http::field::host) != 1 || !isThisMachine(host))
            return refusal(http::status::misdirected_request, "the host has to be localhost or 127.0.0.1");
        const auto origin = field(request, http::field::origin);
        if (request.count(http::field::origin) > 0 && origin != "http://" + std::string(host))
            return refusal(http::status::forbidden, "asked by a page from elsewhere");
        return std::nullopt;
    }
    std::optional<Answer> strangerIn(const Fields& request) const {
        const auto site = request.find("Sec-Fetch-Site");
        if (site != request.end() && site->value() != "same-origin" && site->value() != "none")
            return refusal(http::status::forbidden, "asked by a page from elsewhere");
        constexpr std::string_view kBearer = "Bearer ";
        std::string_view given = field(request, http::field::authorization);
        if (!given.starts_with(kBearer) || !isToken(given.substr(kBearer.size()), house_.token))
            return refusal(http::status::unauthorized, "the token is missing or not that of this server");
        return std::nullopt;
    }

    void make(Query query, bool hasBody) {
        stream_.expires_never();
        ++house_.inWork;
        asio::post(house_.makers, [self = shared_from_this(), query = std::move(query), hasBody]() mutable {
            Answer answer;
            try {
                answer = self->house_.content.answer(query);
            } catch (const std::exception& error) {
                answer = refusal(http::status::internal_server_error, error.what());
            }
            asio::io_context& context = self->house_.context;
            asio::post(context, [self = std::move(self), answer = std::move(answer), hasBody]() mutable {
                --self->house_.inWork;
                self->house_.lastAsked = Clock::now();
                self->write(std::move(answer), hasBody);
            });
        });
    }

    void write(Answer answer, bool hasBody) {
        const std::size_t size = answer.body.size();
        response_.emplace();
        response_->result(answer.status);
        response_->set(http::field::content_type, answer.type);
        response_->set(http::field::cache_control, "no-store");
        response_->set("X-Content-Type-Options", "nosniff");
        response_->set("Referrer-Policy", "no-referrer");
        response_->set("Cross-Origin-Resource-Policy", "same-origin");
        response_->set("Cross-Origin-Opener-Policy", "same-origin");
        response_->set("Content-Security-Policy",
                       "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src "
                       "data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
        if (answer.status == static_cast<unsigned>(http::status::method_not_allowed))
            response_->set(http::field::allow, "GET, HEAD");
        if (hasBody) response_->body() = std::move(answer.body);
        response_->keep_alive(!isLast_);
        response_->content_length(size);
        stream_.expires_after(house_.limits.answer);
        http::async_write(stream_, *response_, [self = shared_from_this()](const Code& error, std::size_t) {
            self->onWritten(error);
        });
    }
    void onWritten(const Code& error) {
        if (error) return;
        if (!isLast_) return read(house_.limits.between);
        Code ignored;
        stream_.socket().shutdown(asio::socket_base::shutdown_send, ignored);
        stream_.expires_after(kDrainTime);
        drain(kDrained);
    }
    /// A connection that is closed with something unread is reset, and the answer may be lost.
    void drain(std::size_t most) {
        stream_.async_read_some(asio::buffer(drained_),
                                [self = shared_from_this(), most](const Code& error, std::size_t read) {
                                    if (!error && read < most) self->drain(most - read);
                                });
    }

    House& house_;
    Stream stream_;
    beast::flat_buffer buffer_;
    std::optional<http::request_parser<http::empty_body>> parser_;
    std::optional<http::response<http::string_body>> response_;
    std::array<char, 4096> drained_{};
    bool isLast_ = false;
    bool isListening_ = false;
    bool isSaying_ = false;
    std::string said_;
    std::optional<std::string> next_;
};

/// Takes connections, of which there are two kinds.
template <class Protocol>
class Door {
  public:
    Door(House& house, const typename Protocol::endpoint& where)
        : house_(house), acceptor_(house.context), pause_(house.context) {
        acceptor_.open(where.protocol());
        acceptor_.bind(where);
        acceptor_.listen();
    }
    void open() {
        acceptor_.async_accept([this](const Code& error, typename Protocol::socket socket) {
            if (error == asio::error::operation_aborted) return;
            if (error) return openLater();
            const auto connection = std::make_shared<Connection>(
                house_, asio::generic::stream_protocol::socket(std::move(socket)));
            if (house_.connections > house_.limits.connections)
                connection->refuseAll();
            else
                connection->read(house_.limits.request);
            // Of those who are refused there are not more than of those who are served.
            if (house_.connections > 2 * house_.limits.connections) return openLater();
            open();
        });
    }
    typename Protocol::endpoint where() const { return acceptor_.local_endpoint(); }

  private:
    void openLater() {
        pause_.expires_after(kAfterFailedAccept);
        pause_.async_wait([this](const Code& error) {
            if (!error) open();
        });
    }

    House& house_;
    typename Protocol::acceptor acceptor_;
    asio::steady_timer pause_;
};

/// A socket in a folder that nobody else may open, from its first moment; removed if it is still the same.
class SocketFile {
  public:
    SocketFile(House& house, const std::filesystem::path& file) : file_(file) {
        const ::mode_t before = ::umask(S_IRWXG | S_IRWXO | S_IXUSR);
        try {
            door_.emplace(house, asio::local::stream_protocol::endpoint(file.string()));
        } catch (...) {
            ::umask(before);
            throw;
        }
        ::umask(before);
        ::lstat(file_.c_str(), &made_);
    }
    ~SocketFile() {
        struct stat now {};
        if (::lstat(file_.c_str(), &now) == 0 && now.st_ino == made_.st_ino && now.st_dev == made_.st_dev)
            ::unlink(file_.c_str());
    }
    SocketFile(const SocketFile&) = delete;
    SocketFile& operator=(const SocketFile&) = delete;

    void open() { door_->open(); }

  private:
    std::filesystem::path file_;
    struct stat made_ {};
    std::optional<Door<asio::local::stream_protocol>> door_;
};

}  // namespace

std::string newToken() {
    std::array<unsigned char, kTokenBytes> bytes{};
    std::size_t have = 0;
    while (have < bytes.size()) {
        const auto got = ::getrandom(bytes.data() + have, bytes.size() - have, 0);
        if (got < 0 && errno != EINTR) throw Error("this machine gives no random numbers");
        if (got > 0) have += static_cast<std::size_t>(got);
    }
    return inHexadecimal(bytes.data(), bytes.size());
}

class Server::Implementation {
  public:
    Implementation(const Listening& where, std::string token, Content content, const ServerLimits& limits)
        : house_(std::move(token), std::move(content), limits),
          signals_(house_.context),
          look_(house_.context),
          beat_(house_.context) {
        try {
            if (where.socket.empty())
                port_.emplace(house_, asio::ip::tcp::endpoint(asio::ip::address_v4::loopback(), where.port));
            else
                socket_.emplace(house_, where.socket);
        } catch (const boost::system::system_error& error) {
            throw Error("cannot listen there: " + error.code().message(),
                        Place{.file = where.socket.empty() ? "port " + std::to_string(where.port)
                                                           : where.socket.string()});
        }
    }
    ~Implementation() {
        house_.context.stop();
        house_.makers.stop();
        house_.makers.join();
    }
    Implementation(const Implementation&) = delete;
    Implementation& operator=(const Implementation&) = delete;

    std::uint16_t port() const { return port_ ? port_->where().port() : 0; }
    End run() {
        signals_.add(SIGINT);
        signals_.add(SIGTERM);
        signals_.async_wait([this](const Code& error, int) {
            if (!error) end(End::Interrupted);
        });
        if (port_) port_->open();
        if (socket_) socket_->open();
        lookWhetherIdle();
        beat();
        house_.context.run();
        signals_.clear();  // from now on a second interrupt ends the process
        return end_;
    }
    void stop() {
        asio::post(house_.context, [this] { end(End::Stopped); });
    }
    void tell(const std::string& text) {
        asio::post(house_.context, [this, text] {
            for (const auto& each : house_.listeners)
                if (const auto listener = each.lock()) listener->say("data: " + text + "\n\n");
        });
    }
    bool isListenedTo() const { return house_.listening > 0; }

  private:
    void end(End why) {
        end_ = why;
        house_.context.stop();
    }
    void beat() {
        beat_.expires_after(kBetweenBeats);
        beat_.async_wait([this](const Code& error) {
            if (error) return;
            for (const auto& each : house_.listeners)
                if (const auto listener = each.lock()) listener->sayNothing();
            beat();
        });
    }
    void lookWhetherIdle() {
        look_.expires_after(house_.limits.idle / kLooksWhileIdle);
        look_.async_wait([this](const Code& error) {
            if (error) return;
            if (house_.inWork == 0 && Clock::now() - house_.lastAsked >= house_.limits.idle)
                return end(End::Idle);
            lookWhetherIdle();
        });
    }

    House house_;
    asio::signal_set signals_;
    asio::steady_timer look_;
    asio::steady_timer beat_;
    std::optional<Door<asio::ip::tcp>> port_;
    std::optional<SocketFile> socket_;
    End end_ = End::Stopped;
};

Server::Server(const Listening& where, std::string token, Content content, const ServerLimits& limits)
    : implementation_(std::make_shared<Implementation>(where, std::move(token), std::move(content), limits)) {
}

Server::~Server() = default;

std::uint16_t Server::port() const {
    return implementation_->port();
}

Server::End Server::run() {
    return implementation_->run();
}

void Server::stop() {
    implementation_->stop();
}

void Server::tell(const std::string& text) {
    implementation_->tell(text);
}

bool Server::isListenedTo() const {
    return implementation_->isListenedTo();
}

}  // namespace holos::serve
