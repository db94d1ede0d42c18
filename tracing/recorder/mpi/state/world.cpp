// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/mpi/state/world.h"

#include <arpa/inet.h>
#include <mpi.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "tracing/recorder/core/clock_comparison.h"
#include "tracing/recorder/core/events.h"
#include "tracing/recorder/core/floating_point.h"
#include "tracing/recorder/mpi/state/clock_tree.h"
#include "tracing/recorder/mpi/state/communicators.h"
#include "tracing/recorder/mpi/state/traffic.h"

namespace holos::tracing::mpi {
namespace {

/// A communicator of our own, so that no message of the program can be taken for ours.
MPI_Comm clockComm = MPI_COMM_NULL;

void measure() {
    measureClockOffset(clockComm);
}

}  // namespace

void worldBegins() noexcept {
    defineWorld(agreeOnWorldId());
    meetParents();
    if (PMPI_Comm_dup(MPI_COMM_WORLD, &clockComm) != MPI_SUCCESS) return;
    measure();
    offerClockComparison(&measure);
    clockPointsBegin();
}

void worldEnds() noexcept {
    if (clockComm == MPI_COMM_NULL) return;
    clockPointsEnd();
    offerClockComparison(nullptr);
    measure();
    PMPI_Comm_free(&clockComm);
}

namespace {

/// PMIx (Open MPI 4, 5 and others), Open MPI before it, Slurm.
constexpr const char* kJobVariables[][2] = {
    {"PMIX_NAMESPACE", nullptr}, {"OMPI_MCA_ess_base_jobid", nullptr}, {"SLURM_JOB_ID", "SLURM_STEP_ID"}};

/// Spreads a number over all bits (SplitMix64's last step).
std::uint64_t mix(std::uint64_t number) {
    number = (number ^ (number >> 30U)) * 0xBF58476D1CE4E5B9U;
    number = (number ^ (number >> 27U)) * 0x94D049BB133111EBU;
    return number ^ (number >> 31U);
}

std::uint64_t numberOf(std::string_view text, std::uint64_t number) {
    for (const char letter : text) number = mix(number ^ static_cast<unsigned char>(letter));
    return number;
}

/// No other process has it: it is of this machine, this process and this moment. Never 0.
std::uint64_t newId() {
    const auto process = static_cast<std::uint64_t>(::getpid());
    const std::uint64_t moment = mix(clockTicks()) + static_cast<std::uint64_t>(clockNow());
    return mix(mix(machineNumber()) ^ mix(moment + (process << 40U))) | 1U;
}

}  // namespace

std::uint64_t agreeOnWorldId() noexcept {
    std::uint64_t id = traffic::rankIn(MPI_COMM_WORLD) == 0 ? newId() : 0;
    return PMPI_Bcast(&id, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD) == MPI_SUCCESS ? id : worldIdOfLauncher();
}

std::uint64_t worldIdOfLauncher() noexcept {
    for (const auto& [first, second] : kJobVariables) {
        const char* const job = std::getenv(first);
        if (job == nullptr || *job == '\0') continue;
        const char* const step = second != nullptr ? std::getenv(second) : nullptr;
        return numberOf(step != nullptr ? step : "", numberOf(job, 1)) | 1U;
    }
    return 0;
}

namespace {

constexpr std::int64_t kNanoseconds = 500'000'000;  ///< for all processes together

class Talk : public ClockTalk {
  public:
    explicit Talk(MPI_Comm comm) : comm_(comm) {}

    std::int64_t now() noexcept override { return clockNow(); }
    std::uint64_t ticks() noexcept override { return clockTicks(); }
    void send(int process, const ClockMessage& message) noexcept override {
        PMPI_Send(&message, sizeof message, MPI_BYTE, process, 0, comm_);
    }
    ClockMessage receive(int process) noexcept override {
        ClockMessage message;
        PMPI_Recv(&message, sizeof message, MPI_BYTE, process, 0, comm_, MPI_STATUS_IGNORE);
        return message;
    }

  private:
    MPI_Comm comm_;
};

}  // namespace

void measureClockOffset(MPI_Comm comm) noexcept {
    const core::KeepFloatingPoint keep;
    Talk talk(comm);
    const ClockDifference own =
        compareInTree(talk, traffic::rankIn(comm), traffic::processesIn(comm), machineNumber(), kNanoseconds);
    clockOffset(own.ticks, own.nanoseconds, own.deviation);
}

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
std::string addressText(const sockaddr_storage& address) {
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
    const std::string mine = addressText(own);
    const std::string theirs = addressText(other);
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
