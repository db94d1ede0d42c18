// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/launch/interruption.h"

#include <unistd.h>

#include <atomic>
#include <ctime>
#include <utility>

namespace holos::launch {
namespace {

constexpr std::array kSignals{SIGINT, SIGTERM, SIGHUP};

volatile sig_atomic_t signalCame = 0;
std::atomic<const std::string*> lastWords{nullptr};

void note(int) {
    signalCame = 1;
}

void speakAndEnd(int signal) {
    if (const std::string* text = lastWords.load())
        if (::write(STDERR_FILENO, text->data(), text->size()) < 0) ::_exit(1);
    ::signal(signal, SIG_DFL);
    ::raise(signal);
}

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

Interruption::Interruption() : OnSignals(&note) {
    signalCame = 0;
}

bool Interruption::sleep(std::chrono::milliseconds time) const {
    constexpr long kMillisecond = 1'000'000;
    constexpr long kSecond = 1000;
    const timespec rest{time.count() / kSecond, time.count() % kSecond * kMillisecond};
    return signalCame == 0 && ::nanosleep(&rest, nullptr) == 0 && signalCame == 0;
}

LastWords::LastWords(std::string text) : OnSignals(&speakAndEnd), text_(std::move(text)) {
    lastWords = &text_;
}

LastWords::~LastWords() {
    lastWords = nullptr;
}

}  // namespace holos::launch
