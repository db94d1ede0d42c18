// SPDX-License-Identifier: BSD-3-Clause
#include "tests/gui/display/virtual_display.h"

#include <unistd.h>
#include <xcb/xcb.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <thread>

namespace holos::gui::testing {

namespace {

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

bool VirtualDisplay::startServer() {
    // hwloc, in an MPI program of another test, asks displays 0 to 9, and ends the program when one goes
    // away.
    const std::string display = ":" + std::to_string(100 + getpid() % 10'000);
    server_ = std::make_unique<ChildProgram>(std::vector<std::string>{
        "Xvfb", display, "-displayfd", std::to_string(ChildProgram::kLineFd), "-screen", "0", "1280x1024x24",
        "-nolisten", "tcp", "-noreset", "-nocursor", "-fbdir", memory_.path().string()});
    const std::string number = server_->readLine();
    if (number.empty()) {
        problem_ = "there is no Xvfb here";
        return false;
    }
    setenv("DISPLAY", (':' + number).c_str(), 1);
    return true;
}

bool VirtualDisplay::startWindowManager() {
    manager_ = std::make_unique<ChildProgram>(
        std::vector<std::string>{"openbox", "--sm-disable", "--config-file", HOLOS_OPENBOX_CONFIG});
    xcb_connection_t* connection = xcb_connect(nullptr, nullptr);
    const auto begin = std::chrono::steady_clock::now();
    while (!isManaged(connection) && !manager_->hasEnded() &&
           std::chrono::steady_clock::now() - begin < ChildProgram::kHang)
        std::this_thread::sleep_for(ChildProgram::kPause);
    const bool ready = isManaged(connection);
    xcb_disconnect(connection);
    if (!ready) problem_ = "there is no openbox here";
    return ready;
}

}  // namespace holos::gui::testing
