// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/workers/ranks.h"

#include "metric-specs/error.h"

namespace holos::analyzer::workers {

namespace {

std::string wordsOf(const std::exception_ptr& failure) {
    if (!failure) return {};
    try {
        std::rethrow_exception(failure);
    } catch (const std::bad_alloc&) {
        return "out of memory";
    } catch (const std::exception& error) {
        return error.what();
    }
}

}  // namespace

void Ranks::agree(const std::function<void()>& work) {
    std::exception_ptr failure;
    try {
        work();
    } catch (const std::exception&) {
        failure = std::current_exception();
    }
    if (!isFirst()) {
        send(0, wordsOf(failure));
        if (receive(0).empty()) return;
        finish();
        throw FailureElsewhere();
    }
    std::string words;
    for (unsigned rank = 1; rank < count(); ++rank) {
        const std::string reported = receive(rank);
        if (words.empty() && !reported.empty()) words = "rank " + std::to_string(rank) + ": " + reported;
    }
    const std::string verdict = failure ? wordsOf(failure) : words;
    for (unsigned rank = 1; rank < count(); ++rank) send(rank, verdict);
    if (verdict.empty()) return;
    finish();
    if (failure) std::rethrow_exception(failure);
    throw Error(verdict);
}

}  // namespace holos::analyzer::workers
