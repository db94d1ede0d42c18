// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/code_names/context_calls.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "tracing/recordings/archive/code_names/sampled_code.h"

namespace holos::archive {
namespace {

/// More calls of one line, and more lines of one function, are not told apart.
constexpr std::size_t kMostPlaces = 64;
constexpr std::size_t kMostOfFunction = 1024;

/// As `0-2 5`.
class Numbers {
  public:
    /// Greater than those before.
    void add(std::size_t number) {
        if (!last_ || number != *last_ + 1) {
            finishRange();
            text_ += ' ' + std::to_string(number);
            first_ = number;
        }
        last_ = number;
    }
    std::string take() {
        finishRange();
        return std::move(text_);
    }

  private:
    void finishRange() {
        if (last_ && *last_ != first_) text_ += '-' + std::to_string(*last_);
    }

    std::string text_;
    std::size_t first_ = 0;
    std::optional<std::size_t> last_;
};

/// The contexts of one function, each with its calls.
using Function = std::vector<std::vector<ContextCalls::Place>>;

/// Finds the order of the calls of functions.
class Orders {
  public:
    explicit Orders(code::Symbols& symbols) : symbols_(symbols) {}

    bool areKnown(const std::vector<ContextCalls::Place>& places) {
        return std::ranges::all_of(places, [this](const auto& place) { return callAt(place).has_value(); });
    }

    /// By context. Its calls are known.
    const std::vector<std::string>& of(const Function& function) {
        const auto [found, isNew] = found_.try_emplace(function);
        if (isNew) found->second = make(function);
        return found->second;
    }

  private:
    const std::optional<code::CallOrder::Call>& callAt(const ContextCalls::Place& place) {
        const auto [found, isNew] = calls_.try_emplace({place.file, place.offset});
        if (isNew) found->second = symbols_.callAt(*place.file, place.offset);
        return found->second;
    }

    bool mayFollow(const ContextCalls::Place& first, const ContextCalls::Place& second) {
        const bool isSameCode = first.file == second.file && first.inlined == second.inlined;
        return !isSameCode || symbols_.mayFollow(*first.file, *callAt(first), *callAt(second), first.inlined);
    }

    std::vector<std::string> make(const Function& function) {
        std::vector<Numbers> before(function.size());
        for (std::size_t first = 0; first < function.size(); ++first) {
            std::vector<bool> follows(function.size());
            for (const auto& one : function[first])
                for (std::size_t second = 0; second < function.size(); ++second)
                    follows[second] =
                        follows[second] || std::ranges::any_of(function[second], [&](const auto& other) {
                            return mayFollow(one, other);
                        });
            for (std::size_t second = 0; second < function.size(); ++second)
                if (follows[second]) before[second].add(first);
        }
        std::vector<std::string> orders;
        for (std::size_t i = 0; i < function.size(); ++i)
            orders.push_back(std::to_string(i) + ':' + before[i].take());
        return orders;
    }

    code::Symbols& symbols_;
    std::map<std::pair<const std::string*, std::uint64_t>, std::optional<code::CallOrder::Call>> calls_;
    std::map<Function, std::vector<std::string>> found_;
};

}  // namespace

/// By what files are, not where their names lie in memory.
std::strong_ordering operator<=>(const ContextCalls::Place& a, const ContextCalls::Place& b) {
    if (a.file != b.file)
        if (const auto order = *a.file <=> *b.file; order != 0) return order;
    return std::tie(a.offset, a.inlined) <=> std::tie(b.offset, b.inlined);
}

ContextCalls::Calls& ContextCalls::of(std::uint32_t context) {
    if (context >= calls_.size()) calls_.resize(std::size_t{context} + 1);
    return calls_[context];
}

void ContextCalls::add(std::uint32_t context, const Place& place) {
    Calls& calls = of(context);
    if (std::ranges::find(calls.places, place) != calls.places.end()) return;
    if (place.file == nullptr || calls.places.size() >= kMostPlaces) calls.areUnknown = true;
    if (!calls.areUnknown) calls.places.push_back(place);
}

void ContextCalls::renumber(std::span<const std::uint32_t> numbers, std::size_t count) {
    std::vector<Calls> kept(count);
    for (std::size_t old = 0; old < calls_.size(); ++old)
        if (numbers[old] != SampledContext::kNone) kept[numbers[old]] = std::move(calls_[old]);
    calls_ = std::move(kept);
}

std::vector<std::string> ContextCalls::orders(std::span<const SampledContext> contexts,
                                              code::Symbols& symbols) const {
    Orders found(symbols);
    using Known = std::pair<std::vector<Place>, std::size_t>;  // its calls and number
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Known>> functions;
    for (std::size_t i = 0; i < std::min(contexts.size(), calls_.size()); ++i) {
        Calls calls = calls_[i];
        std::ranges::sort(calls.places);  // whatever was met first
        if (!calls.areUnknown && (calls.hasEnded || !calls.places.empty()) && found.areKnown(calls.places))
            functions[{contexts[i].parent, contexts[i].region}].emplace_back(calls.places, i);
    }
    std::vector<std::string> orders(contexts.size());
    for (auto& [caller, known] : functions) {
        if (known.size() > kMostOfFunction) continue;
        std::ranges::sort(known);
        Function function;
        for (const auto& [places, context] : known) function.push_back(places);
        const std::vector<std::string>& texts = found.of(function);
        for (std::size_t i = 0; i < known.size(); ++i) orders[known[i].second] = texts[i];
    }
    return orders;
}

}  // namespace holos::archive
