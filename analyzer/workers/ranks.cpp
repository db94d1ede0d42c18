// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/workers/ranks.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "analyzer/trace/comm_members.h"
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

namespace {

using trace::LocationId;

/// To open and close a location's files takes as long as to read so many events.
constexpr std::uint64_t kOpening = 1000;

/// Locations that are in a team with each other, by the smallest one of them.
class Families {
  public:
    explicit Families(const trace::Definitions& definitions) : parent_(definitions.locations.size()) {
        std::iota(parent_.begin(), parent_.end(), std::size_t{0});
        for (const trace::Comm& comm : definitions.comms)
            if (trace::canBeTeam(comm, definitions))
                for (const LocationId member : comm.members) join(member.index(), comm.members[0].index());
    }

    std::size_t of(std::size_t location) {
        while (parent_[location] != location) location = parent_[location] = parent_[parent_[location]];
        return location;
    }

  private:
    void join(std::size_t a, std::size_t b) {
        a = of(a);
        b = of(b);
        parent_[std::max(a, b)] = std::min(a, b);
    }
    std::vector<std::size_t> parent_;
};

}  // namespace

Shares::Shares(const trace::Definitions& definitions, unsigned ranks)
    : readers_(definitions.locations.size(), 0) {
    Families families(definitions);
    std::vector<std::uint64_t> sizes(readers_.size(), 0);  // by family
    for (std::size_t i = 0; i < readers_.size(); ++i)
        sizes[families.of(i)] += definitions.locations[i].events + kOpening;
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < readers_.size(); ++i)
        if (families.of(i) == i) order.push_back(i);
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return sizes[a] > sizes[b]; });
    std::vector<std::uint64_t> loads(ranks, 0);
    for (const std::size_t family : order) {
        const auto least = std::ranges::min_element(loads);
        *least += sizes[family];
        readers_[family] = static_cast<unsigned>(least - loads.begin());
    }
    for (std::size_t i = 0; i < readers_.size(); ++i) readers_[i] = readers_[families.of(i)];
}

std::vector<LocationId> Shares::of(unsigned rank) const {
    std::vector<LocationId> locations;
    for (std::size_t i = 0; i < readers_.size(); ++i)
        if (readers_[i] == rank) locations.emplace_back(i);
    return locations;
}

}  // namespace holos::analyzer::workers
