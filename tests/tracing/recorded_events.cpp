// SPDX-License-Identifier: BSD-3-Clause
#include "tests/tracing/recorded_events.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <regex>
#include <set>
#include <sstream>

#include "tests/support/command.h"

namespace holos::testing {
namespace {

/// What follows `label` in an event's attributes, up to a comma or a blank.
std::string valueOf(const std::string& attributes, const std::string& label) {
    const auto at = attributes.find(label + ": ");
    if (at == std::string::npos) return {};
    const auto begin = at + label.size() + 2;
    return attributes.substr(begin, attributes.find_first_of(", ", begin) - begin);
}

std::string regionOf(const std::string& attributes) {
    const auto begin = attributes.find('"') + 1;
    return attributes.substr(begin, attributes.find('"', begin) - begin);
}

std::string message(const std::string& kind, const std::string& attributes) {
    const bool isSend = attributes.find("Receiver") != std::string::npos;
    return kind +
           (isSend ? " to " + valueOf(attributes, "Receiver") : " from " + valueOf(attributes, "Sender")) +
           " tag " + valueOf(attributes, "Tag") + " bytes " + valueOf(attributes, "Length");
}

/// A location's request numbers, in the order they appear.
class Requests {
  public:
    std::string numberOf(const std::string& request) {
        return std::to_string(numbers_.try_emplace(request, numbers_.size() + 1).first->second);
    }

  private:
    std::map<std::string, std::size_t> numbers_;
};

/// What a program says of itself: `METRIC queue -3`, `PARAMETER_INT64 number 7`.
std::string ofProgram(const std::string& kind, const std::string& attributes) {
    static const std::regex kValue(R"x([^"]*"([^"]*)".*[ :]([-0-9.e+]+)\)?)x");
    std::smatch parts;
    if (!std::regex_match(attributes, parts, kValue)) return kind + ' ' + attributes;
    return kind + ' ' + parts.str(1) + ' ' + parts.str(2);
}

/// One-sided communication.
std::string ofWindow(const std::string& kind, const std::string& attributes) {
    std::string text = kind;
    if (const auto target = valueOf(attributes, "Remote"); !target.empty()) text += " to " + target;
    for (const char* plain : {"Operation", "Type"})
        if (const auto value = valueOf(attributes, plain); !value.empty()) text += ' ' + value;
    if (attributes.find("MEMORY}") != std::string::npos)
        text += " process and memory";
    else if (attributes.find("{PROCESS}") != std::string::npos)
        text += " process";
    const bool isOperation = kind == "RMA_ATOMIC" || attributes.find("Matching") != std::string::npos;
    if (!isOperation) return text;
    for (const char* number : {"Bytes", "Sent", "Received"})
        if (const auto value = valueOf(attributes, number); !value.empty())
            text +=
                ' ' + std::string(1, static_cast<char>(std::tolower(*number))) + (number + 1) + ' ' + value;
    return text + " operation " + valueOf(attributes, "Matching");
}

/// The value of a set of flags, `{A, B}`: `A|B`.
std::string flagsOf(const std::string& attributes, const std::string& label) {
    const auto at = attributes.find(label + ": {");
    if (at == std::string::npos) return valueOf(attributes, label);
    const auto begin = at + label.size() + 3;
    static const std::regex kSeparator(", ");
    return std::regex_replace(attributes.substr(begin, attributes.find('}', begin) - begin), kSeparator, "|");
}

/// Files: `IO_OPERATION_BEGIN READ COLLECTIVE 12 operation 1`.
std::string ofFile(const std::string& kind, const std::string& attributes, Requests& operations) {
    std::string text = kind;
    for (const char* label :
         {", Access Mode", ", Creation Flags", ", Mode", ", Operation Flags", ", Offset Request", ", Whence",
          ", Offset Result", ", Bytes Request", ", Bytes Result"})
        if (const auto value = flagsOf(attributes, label); !value.empty()) text += ' ' + value;
    const std::string operation = valueOf(attributes, "Matching Id");
    return operation.empty() ? text : text + " operation " + operations.numberOf(operation);
}

std::string describe(const std::string& kind, const std::string& attributes, Requests& requests) {
    if (kind.starts_with("IO_")) return ofFile(kind, attributes, requests);
    const std::string request = valueOf(attributes, "Request");
    const std::string ofRequest = request.empty() ? "" : " request " + requests.numberOf(request);
    if (kind == "ENTER" || kind == "LEAVE") return kind + ' ' + regionOf(attributes);
    if (attributes.find("Length: ") != std::string::npos) return message(kind, attributes) + ofRequest;
    if (kind == "METRIC" || kind.starts_with("PARAMETER")) return ofProgram(kind, attributes);
    if (kind == "MEASUREMENT_ON_OFF") return kind + ' ' + valueOf(attributes, "Mode");
    if (kind.starts_with("RMA_")) return ofWindow(kind, attributes);
    if (kind == "MPI_COLLECTIVE_END" || kind == "NON_BLOCKING_COLLECTIVE_COMPLETE")
        return kind + ' ' + valueOf(attributes, "Operation") + " root " + valueOf(attributes, "Root") +
               " sent " + valueOf(attributes, "Sent") + " received " + valueOf(attributes, "Received") +
               ofRequest;
    if (kind.starts_with("THREAD_TASK_"))
        return kind + " #" + valueOf(attributes, "Creating Thread") + '.' +
               valueOf(attributes, "Generation Number");
    if (kind == "THREAD_WAIT") return kind + ' ' + valueOf(attributes, "Sequence Count");
    if (kind.ends_with("_LOCK"))
        return kind + ' ' + valueOf(attributes, "Lock") + " order " +
               valueOf(attributes, "Acquisition Order");
    return kind + ofRequest;
}

const std::set<std::string>& sleepers() {
    static const std::set<std::string> kNames{"accept",
                                              "accept4",
                                              "clock_nanosleep",
                                              "connect",
                                              "epoll_pwait",
                                              "epoll_wait",
                                              "fcntl",
                                              "fdatasync",
                                              "flock",
                                              "fsync",
                                              "lockf",
                                              "mq_receive",
                                              "mq_send",
                                              "mq_timedreceive",
                                              "mq_timedsend",
                                              "msgrcv",
                                              "msgsnd",
                                              "nanosleep",
                                              "pause",
                                              "poll",
                                              "ppoll",
                                              "pread",
                                              "preadv",
                                              "preadv2",
                                              "pselect",
                                              "pthread_barrier_wait",
                                              "pthread_rwlock_clockrdlock",
                                              "pthread_rwlock_clockwrlock",
                                              "pthread_rwlock_rdlock",
                                              "pthread_rwlock_timedrdlock",
                                              "pthread_rwlock_timedwrlock",
                                              "pthread_rwlock_unlock",
                                              "pthread_rwlock_wrlock",
                                              "pwrite",
                                              "pwritev",
                                              "pwritev2",
                                              "read",
                                              "readv",
                                              "recv",
                                              "recvfrom",
                                              "recvmmsg",
                                              "recvmsg",
                                              "sched_yield",
                                              "select",
                                              "sem_clockwait",
                                              "sem_post",
                                              "sem_timedwait",
                                              "sem_wait",
                                              "semop",
                                              "semtimedop",
                                              "send",
                                              "sendfile",
                                              "sendmmsg",
                                              "sendmsg",
                                              "sendto",
                                              "sigsuspend",
                                              "sigtimedwait",
                                              "sigwait",
                                              "sigwaitinfo",
                                              "sleep",
                                              "splice",
                                              "system",
                                              "thrd_sleep",
                                              "thrd_yield",
                                              "usleep",
                                              "wait",
                                              "wait3",
                                              "wait4",
                                              "waitid",
                                              "waitpid",
                                              "write",
                                              "writev"};
    return kNames;
}

}  // namespace

std::map<std::uint64_t, std::vector<std::string>> recordedEvents(const std::filesystem::path& archive,
                                                                 bool withSleep) {
    const CommandResult printed = runCommand({"otf2-print", (archive / "traces.otf2").string()});
    EXPECT_EQ(printed.exitCode, 0) << printed.output;
    static const std::regex kEvent(R"(([A-Z_][A-Z_0-9]*) +([0-9]+) +[0-9]+ *(.*))");
    std::map<std::uint64_t, std::vector<std::string>> events;
    std::map<std::uint64_t, Requests> requests;
    std::istringstream lines(printed.output);
    std::string* last = nullptr;
    for (std::string line; std::getline(lines, line);) {
        std::smatch parts;
        if (last != nullptr && line.find("(\"CollectiveIoHandle\"") != std::string::npos)
            *last += " of a file";
        if (!std::regex_match(line, parts, kEvent)) continue;
        if (parts.str(1).starts_with("PROGRAM") || parts.str(1) == "BUFFER_FLUSH") continue;
        const bool isCall = parts.str(1) == "ENTER" || parts.str(1) == "LEAVE";
        if (isCall && !withSleep && sleepers().contains(regionOf(parts.str(3)))) continue;
        const bool isOfSleep =
            parts.str(1).ends_with("_LOCK") && parts.str(3).find("NONE") != std::string::npos;
        if (isOfSleep && !withSleep) continue;
        const std::uint64_t location = std::stoull(parts.str(2));
        last = &events[location].emplace_back(describe(parts.str(1), parts.str(3), requests[location]));
    }
    return events;
}

std::filesystem::path record(const std::filesystem::path& directory, const std::string& program,
                             const std::vector<std::string>& launched,
                             const std::vector<std::string>& options,
                             const std::vector<std::string>& arguments) {
    const std::filesystem::path archive = directory / std::filesystem::path(program).filename();
    using Words = std::vector<std::string>;
    const Words command =
        Words{HOLOS_PROGRAM, "record", "-o", archive.string()} + options + Words{"--", program} + arguments;
    const CommandResult result = runCommand(launched + command);
    EXPECT_EQ(result.exitCode, 0) << result.output;
    return archive;
}

std::string libraryOf(const std::string& program, const std::string& name) {
    std::istringstream lines(runCommand({"ldd", program}).output);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string needed;
        std::string arrow;
        std::string file;
        if (words >> needed >> arrow >> file && needed.starts_with(name + ".so")) return file;
    }
    ADD_FAILURE() << program << " is not linked with " << name;
    return {};
}

std::vector<std::string> with(const std::vector<std::string>& events, const std::vector<std::string>& words) {
    std::vector<std::string> chosen;
    std::copy_if(events.begin(), events.end(), std::back_inserter(chosen), [&](const std::string& event) {
        return std::any_of(words.begin(), words.end(),
                           [&](const std::string& word) { return event.find(word) != std::string::npos; });
    });
    return chosen;
}

}  // namespace holos::testing
