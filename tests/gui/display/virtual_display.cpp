// SPDX-License-Identifier: BSD-3-Clause
#include "tests/gui/display/virtual_display.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xcb/xcb.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <thread>

namespace holos::gui::testing {

namespace {

constexpr int kNumberFd = 3;  ///< where the server writes its number
constexpr std::chrono::seconds kHang{60};
constexpr std::chrono::milliseconds kPause{2};

/// The program with these arguments, silent, with `number` as its descriptor 3 (−1: without it).
pid_t start(std::vector<const char*> arguments, int number) {
    arguments.push_back(nullptr);
    const pid_t child = fork();
    if (child != 0) return child;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nothing, standard);
    if (number == kNumberFd)
        fcntl(kNumberFd, F_SETFD, 0);
    else if (number >= 0)
        dup2(number, kNumberFd);
    execvp(arguments[0], const_cast<char* const*>(arguments.data()));
    _exit(127);
}

/// Up to the end of the line, or of the file when the program could not start.
std::string readLine(int from) {
    std::string line;
    char letter = 0;
    while (read(from, &letter, 1) == 1 && letter != '\n') line += letter;
    return line;
}

bool hasEnded(pid_t process) {
    return waitpid(process, nullptr, WNOHANG) == process;
}

template <typename T>
using Reply = std::unique_ptr<T, decltype(&std::free)>;

/// Window managers name themselves at the root window when they are ready.
bool isManaged(xcb_connection_t* connection) {
    constexpr const char* kName = "_NET_SUPPORTING_WM_CHECK";
    const Reply<xcb_intern_atom_reply_t> atom(
        xcb_intern_atom_reply(connection, xcb_intern_atom(connection, 0, std::strlen(kName), kName), nullptr),
        &std::free);
    if (!atom) return false;
    const xcb_window_t root = xcb_setup_roots_iterator(xcb_get_setup(connection)).data->root;
    const Reply<xcb_get_property_reply_t> property(
        xcb_get_property_reply(
            connection, xcb_get_property(connection, 0, root, atom->atom, XCB_ATOM_WINDOW, 0, 1), nullptr),
        &std::free);
    return property && property->value_len > 0;
}

}  // namespace

VirtualDisplay::VirtualDisplay() {
    if (startServer()) startWindowManager();
}

VirtualDisplay::~VirtualDisplay() {
    for (auto process = processes_.rbegin(); process != processes_.rend(); ++process) {
        kill(*process, SIGTERM);
        waitpid(*process, nullptr, 0);
    }
}

bool VirtualDisplay::startServer() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    // hwloc, in an MPI program of another test, asks displays 0 to 9, and ends the program when one goes
    // away.
    const std::string display = ":" + std::to_string(100 + getpid() % 10'000);
    const pid_t server = start({"Xvfb", display.c_str(), "-displayfd", "3", "-screen", "0", "1280x1024x24",
                                "-nolisten", "tcp", "-noreset", "-nocursor"},
                               ends[1]);
    close(ends[1]);
    const std::string number = readLine(ends[0]);
    close(ends[0]);
    if (number.empty()) {
        waitpid(server, nullptr, 0);
        problem_ = "there is no Xvfb here";
        return false;
    }
    processes_.push_back(server);
    setenv("DISPLAY", (':' + number).c_str(), 1);
    return true;
}

bool VirtualDisplay::startWindowManager() {
    const pid_t manager = start({"openbox", "--sm-disable", "--config-file", HOLOS_OPENBOX_CONFIG}, -1);
    xcb_connection_t* connection = xcb_connect(nullptr, nullptr);
    const auto begin = std::chrono::steady_clock::now();
    bool ended = false;
    while (!isManaged(connection) && !(ended = hasEnded(manager)) &&
           std::chrono::steady_clock::now() - begin < kHang)
        std::this_thread::sleep_for(kPause);
    const bool ready = isManaged(connection);
    xcb_disconnect(connection);
    if (!ended) processes_.push_back(manager);
    if (!ready) problem_ = "there is no openbox here";
    return ready;
}

}  // namespace holos::gui::testing
