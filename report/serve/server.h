// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "report/serve/addresses.h"

namespace holos::serve {

struct Answer {
    unsigned status = 200;
    std::string type = "application/json";
    std::string body;
};

/// What there is to see. Both functions are called from several threads at once.
struct Content {
    /// Pages that say nothing of what is served: everybody may read them. Nothing: there is none of this
    /// path.
    std::function<std::optional<Answer>(const std::string& path)> page;
    /// All else, for those who have the token. What it throws becomes an answer with status 500.
    std::function<Answer(const Query& query)> answer;
    /// Who asks for this, with the token, hears what is told from then on (server-sent events). Empty:
    /// nobody.
    std::string stream = {};
};

/// Where a server listens: a port of this machine alone (0: any that is free), or a socket in a folder, which
/// only its owner may open.
struct Listening {
    std::uint16_t port = 0;
    std::filesystem::path socket;  ///< empty: the port
};

struct ServerLimits {
    using Time = std::chrono::nanoseconds;
    std::size_t connections = 64;
    std::uint32_t headerBytes = 16U << 10;
    Time request = std::chrono::seconds(10);  ///< in which a request has to be complete
    Time between = std::chrono::seconds(60);  ///< after which a connection without requests is closed
    Time answer = std::chrono::seconds(60);   ///< in which the other side has to take an answer
    Time idle = std::chrono::minutes(30);     ///< after which the server ends when nobody with the token asks
    unsigned threads = 2;                     ///< that make answers
};

/// Letters and digits that nobody can guess.
std::string newToken();

/// Answers HTTP requests that read (`GET`, `HEAD`) and have no body. A request names this machine as its host
/// and comes from a page of this server or from no page; all but `Content::page` needs the token, as
/// `Authorization: Bearer TOKEN`. Nobody has to be waited for: what takes too long to ask or to read is cut
/// off, and answers are made in threads of their own.
///
/// Thread safety: `stop`, `tell` and `isListenedTo` are safe, all else one thread.
class Server {
  public:
    /// Listens from now on. Throws `holos::Error` where that is impossible. A file in the place of the socket
    /// is never replaced.
    Server(const Listening& where, std::string token, Content content, const ServerLimits& limits = {});
    /// Removes the socket.
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    std::uint16_t port() const;

    enum class End : std::uint8_t { Stopped, Interrupted, Idle };
    /// Serves until `stop`, an interrupt or termination signal, or too long a time without requests.
    End run();
    void stop();

    /// Tells all who listen: a text without line breaks. Who has not heard the one before hears this one
    /// alone.
    void tell(const std::string& text);
    bool isListenedTo() const;

  private:
    class Implementation;
    std::shared_ptr<Implementation> implementation_;
};

/// A file of the client, which is part of the program: `/` and `/main.js` and the like.
std::optional<Answer> clientPage(const std::string& path);

}  // namespace holos::serve
