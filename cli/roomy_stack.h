// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace holos::cli {

/// Runs a command on a stack with room for what libraries take of it (libdw some hundred kilobytes), also
/// where `ulimit -s` leaves less; the threads that it makes have such stacks, too. What programs inherit
/// stays as it is. `command` throws nothing.
int onRoomyStack(int (*command)(int, char**), int argc, char** argv);

}  // namespace holos::cli
