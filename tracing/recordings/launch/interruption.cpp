// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/launch/interruption.h"

#include <unistd.h>

#include <ctime>
#include <utility>

namespace holos::launch {
namespace {

constexpr std::array kSignals{SIGINT, SIGTERM, SIGHUP};

}  // namespace

OnSignals::OnSignals(void (*handler)(int)) {
    struct sigaction action {};
    action.sa_handler = handler;
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
        ::sigaction(kSignals[i], nullptr, &before_[i]);
        if (before_[i].sa_handler != SIG_IGN) ::sigaction(kSignals[i], &action, nullptr);
    }
}

OnSignals::~OnSignals() {
    for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &before_[i], nullptr);
}

Interruption::Interruption() : OnSignals([](int) { came_ = 1; }) {
    came_ = 0;
}

bool Interruption::sleep(std::chrono::milliseconds time) const {
    constexpr long kMillisecond = 1'000'000;
    constexpr long kSecond = 1000;
    const timespec rest{time.count() / kSecond, time.count() % kSecond * kMillisecond};
    return came_ == 0 && ::nanosleep(&rest, nullptr) == 0 && came_ == 0;
}

LastWords::LastWords(std::string text) : OnSignals(&speakAndEnd), text_(std::move(text)) {
    spoken_ = &text_;
}

LastWords::~LastWords() {
    spoken_ = nullptr;
}

void LastWords::speakAndEnd(int signal) {
    if (const std::string* text = spoken_.load())
        if (::write(STDERR_FILENO, text->data(), text->size()) < 0) ::_exit(1);
    ::signal(signal, SIG_DFL);
    ::raise(signal);
}

}  // namespace holos::launch
