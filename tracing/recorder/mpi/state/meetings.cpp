// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/mpi/state/meetings.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "tracing/recorder/mpi/state/communicators.h"
#include "tracing/recorder/mpi/state/traffic.h"

namespace holos::tracing::mpi {
namespace {

/// As Open MPI names a process: `JOB.RANK`. Empty where the launcher does not say.
std::string nameOfProcess(std::uint32_t worldRank) {
    const char* const job = std::getenv("PMIX_NAMESPACE");
    return job != nullptr ? std::string(job) + '.' + std::to_string(worldRank) : std::string();
}

/// Open MPI's children know a port of the process that started them, which begins with its name.
std::string nameOfParent() {
    const char* const port = std::getenv("OMPI_PARENT_PORT");
    return port != nullptr ? std::string(port, std::strcspn(port, ";:")) : std::string();
}

/// `ADDRESS PORT`; empty for other sockets than those of the internet.
std::string textOf(const sockaddr_storage& address) {
    char text[INET6_ADDRSTRLEN] = {};
    in_port_t port = 0;
    if (address.ss_family == AF_INET) {
        const auto& four = reinterpret_cast<const sockaddr_in&>(address);
        ::inet_ntop(AF_INET, &four.sin_addr, text, sizeof text);
        port = four.sin_port;
    } else if (address.ss_family == AF_INET6) {
        const auto& six = reinterpret_cast<const sockaddr_in6&>(address);
        ::inet_ntop(AF_INET6, &six.sin6_addr, text, sizeof text);
        port = six.sin6_port;
    } else {
        return {};
    }
    return std::string(text) + ' ' + std::to_string(ntohs(port));
}

}  // namespace

void meetParents() noexcept {
    MPI_Comm parent = MPI_COMM_NULL;
    if (PMPI_Comm_get_parent(&parent) != MPI_SUCCESS || parent == MPI_COMM_NULL) return;
    defineMeetingOf(MPI_COMM_WORLD, parent, MeetingSide::Child, nameOfParent().c_str());
}

void meetChildren(MPI_Comm local, int root, MPI_Comm made) noexcept {
    const std::string name = nameOfProcess(worldRankIn(local, root));
    defineMeetingOf(local, made, MeetingSide::Parent, name.c_str());
}

void meetAtPort(MPI_Comm local, int root, const char* port, bool accepts, MPI_Comm made) noexcept {
    const bool isRoot = traffic::rankIn(local) == root;
    defineMeetingOf(local, made, accepts ? MeetingSide::Acceptor : MeetingSide::Connector,
                    isRoot ? port : "");
}

SocketEnds endsOf(int descriptor) noexcept {
    SocketEnds ends{};
    sockaddr_storage own{};
    sockaddr_storage other{};
    socklen_t ownSize = sizeof own;
    socklen_t otherSize = sizeof other;
    if (::getsockname(descriptor, reinterpret_cast<sockaddr*>(&own), &ownSize) != 0 ||
        ::getpeername(descriptor, reinterpret_cast<sockaddr*>(&other), &otherSize) != 0)
        return ends;
    const std::string mine = textOf(own);
    const std::string theirs = textOf(other);
    if (mine.empty() || theirs.empty()) return ends;
    ends.isLower = mine < theirs;
    std::snprintf(ends.key, sizeof ends.key, "%s %s", (ends.isLower ? mine : theirs).c_str(),
                  (ends.isLower ? theirs : mine).c_str());
    return ends;
}

void meetBySocket(const SocketEnds& ends, MPI_Comm made) noexcept {
    if (ends.key[0] == '\0') return;
    defineMeetingOf(MPI_COMM_SELF, made, ends.isLower ? MeetingSide::LowerSocket : MeetingSide::HigherSocket,
                    ends.key);
}

}  // namespace holos::tracing::mpi
