// SPDX-License-Identifier: BSD-3-Clause
#include "tests/gui/display/child_program.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <stdexcept>
#include <thread>

namespace holos::gui::testing {

ChildProgram::ChildProgram(const std::vector<std::string>& arguments) {
    std::vector<const char*> words;
    for (const std::string& argument : arguments) words.push_back(argument.c_str());
    words.push_back(nullptr);
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    process_ = fork();
    if (process_ == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
        for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nothing, standard);
        if (ends[1] == kLineFd)
            fcntl(kLineFd, F_SETFD, 0);
        else
            dup2(ends[1], kLineFd);
        execvp(words[0], const_cast<char* const*>(words.data()));
        _exit(127);
    }
    close(ends[1]);
    line_ = ends[0];
}

ChildProgram::~ChildProgram() {
    close(line_);
    if (hasEnded()) return;
    kill(process_, SIGTERM);
    const auto asked = std::chrono::steady_clock::now();
    while (!hasEnded()) {
        if (std::chrono::steady_clock::now() - asked > kHang) kill(process_, SIGKILL);
        std::this_thread::sleep_for(kPause);
    }
}

std::string ChildProgram::readLine() {
    std::string line;
    char letter = 0;
    pollfd coming{line_, POLLIN, 0};
    while (poll(&coming, 1, std::chrono::milliseconds(kHang).count()) == 1 && read(line_, &letter, 1) == 1 &&
           letter != '\n')
        line += letter;
    return line;
}

bool ChildProgram::hasEnded() {
    if (!ended_) ended_ = waitpid(process_, nullptr, WNOHANG) == process_;
    return ended_;
}

}  // namespace holos::gui::testing
