// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "base/descriptor.h"
#include "base/error.h"

namespace holos::testing {

/// A connection to a server, over which a test sends any bytes.
class Connection {
  public:
    explicit Connection(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        connect(address);
    }
    explicit Connection(const std::string& file) : socket_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        std::strncpy(address.sun_path, file.c_str(), sizeof(address.sun_path) - 1);
        connect(address);
    }

    /// What the server does not take is not sent.
    void send(std::string_view text) const {
        while (!text.empty()) {
            const auto sent = ::send(socket_.number(), text.data(), text.size(), MSG_NOSIGNAL);
            if (sent <= 0) return;
            text.remove_prefix(static_cast<std::size_t>(sent));
        }
    }
    /// All that comes until the server closes the connection, or nothing comes for a minute.
    std::string rest() const {
        std::string all;
        while (more(all)) {
        }
        return all;
    }
    /// All up to this text, or until the server closes the connection.
    std::string until(std::string_view text) const {
        std::size_t at = std::string::npos;
        for (std::size_t seen = 0; (at = further_.find(text, seen)) == std::string::npos;) {
            seen = further_.size() - std::min(further_.size(), text.size());
            if (!more(further_)) break;
        }
        std::string all = further_.substr(0, at == std::string::npos ? at : at + text.size());
        further_.erase(0, all.size());
        return all;
    }
    /// One answer, of whose head the length of its body is known.
    std::string answer() const {
        std::string& all = further_;
        while (all.find("\r\n\r\n") == std::string::npos)
            if (!more(all)) return std::exchange(all, {});
        const std::size_t head = all.find("\r\n\r\n") + 4;
        constexpr std::string_view kLength = "Content-Length: ";
        std::size_t length = 0;
        if (const std::size_t at = all.find(kLength); at < head)
            std::from_chars(all.data() + at + kLength.size(), all.data() + head, length);
        while (all.size() < head + length)
            if (!more(all)) break;
        std::string one = all.substr(0, head + length);
        all.erase(0, one.size());
        return one;
    }

  private:
    template <class Address>
    void connect(const Address& address) {
        if (::connect(socket_.number(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0)
            throw Error("nobody listens");
    }
    bool more(std::string& all) const {
        constexpr int kMinute = 60'000;
        pollfd ready{.fd = socket_.number(), .events = POLLIN, .revents = 0};
        if (::poll(&ready, 1, kMinute) <= 0) return false;
        char bytes[4096];
        const auto read = ::recv(socket_.number(), bytes, sizeof(bytes), 0);
        if (read > 0) all.append(bytes, static_cast<std::size_t>(read));
        return read > 0;
    }

    Descriptor socket_;
    mutable std::string further_;  ///< what came behind the last answer
};

inline std::string bodyOf(const std::string& answer) {
    const std::size_t head = answer.find("\r\n\r\n");
    return head == std::string::npos ? std::string() : answer.substr(head + 4);
}
/// 0: this is no answer.
inline int statusOf(const std::string& answer) {
    return answer.starts_with("HTTP/1.1 ") ? std::atoi(answer.c_str() + 9) : 0;
}

/// A request as a web browser sends it, with further lines of its head.
inline std::string get(const std::string& target, const std::string& token, const std::string& lines = {}) {
    return "GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1:1\r\n" +
           (token.empty() ? "" : "Authorization: Bearer " + token + "\r\n") + lines + "\r\n";
}

}  // namespace holos::testing
