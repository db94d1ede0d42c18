// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/workers/ranks.h"

#include <utility>

#include "base/error.h"

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

void Ranks::attempt(const std::function<void()>& work) {
    if (failure_) return;
    try {
        work();
    } catch (const std::exception&) {
        if (count() == 1) throw;
        failure_ = std::current_exception();
    }
}

void Ranks::attemptFirst(const std::function<void()>& work, const std::function<bool()>& isDone,
                         const Obey& obey) {
    if (isFirst()) {
        attempt(work);
        for (unsigned rank = 1; rank < count(); ++rank) post(rank, {});
        return;
    }
    firstWillReport_ = true;
    if (!isDone()) hearOfFirst(obey);
}

/// Whether it failed will be said at the next agreement.
void Ranks::hearOfFirst(const Obey& obey) {
    if (!std::exchange(firstWillReport_, false)) return;
    for (std::string order = receive(0); !order.empty(); order = receive(0))
        if (obey) obey(order);
}

void Ranks::agree(const std::function<void()>& work) {
    attempt(work);
    hearOfFirst();
    const std::string verdict = reportAll(wordsOf(failure_));
    if (verdict.empty()) return;
    finish();
    if (!isFirst()) throw FailureElsewhere();
    if (failure_) std::rethrow_exception(failure_);
    throw Error(verdict);
}

/// What the first rank that failed says: empty when none did.
std::string Ranks::reportAll(const std::string& own) {
    if (!isFirst()) {
        send(0, own);
        return receive(0);
    }
    std::string words;
    for (unsigned rank = 1; rank < count(); ++rank) {
        const std::string reported = receive(rank);
        if (words.empty() && !reported.empty()) words = "rank " + std::to_string(rank) + ": " + reported;
    }
    const std::string verdict = own.empty() ? words : own;
    for (unsigned rank = 1; rank < count(); ++rank) send(rank, verdict);
    return verdict;
}

}  // namespace holos::analyzer::workers
