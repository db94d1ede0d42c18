// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <type_traits>

#include "tracing/recorder/interpose/next_function.h"

namespace holos::tracing::annotations {

/// The function of another library that the recorder stands in front of. Where there is none, this is found
/// out once for each place that calls. What it throws goes on to its caller.
template <class Type>
class Forwarded;

template <class Result, class... Arguments>
class Forwarded<Result(Arguments...)> {
  public:
    explicit constexpr Forwarded(const char* name) noexcept : next_(name) {}

    /// Null where there is none.
    auto* behind(const void* caller) noexcept {
        using Function = Result(Arguments...);
        if (interpose::remembered(&isAbsent_, caller) != nullptr) return static_cast<Function*>(nullptr);
        Function* const found = next_.behindOrNull(caller);
        if (found == nullptr) interpose::remember(&isAbsent_, caller, &isAbsent_);
        return found;
    }
    /// Calls it; a result of zero where there is none.
    template <class... Given>
    Result call(const void* caller, Given... given) {
        auto* const function = behind(caller);
        if constexpr (std::is_void_v<Result>) {
            if (function != nullptr) function(given...);
        } else {
            return function != nullptr ? function(given...) : Result{};
        }
    }

  private:
    interpose::Next<Result(Arguments...)> next_;
    char isAbsent_ = 0;  ///< its address stands for that
};

}  // namespace holos::tracing::annotations

#define HOLOS_HERE __builtin_return_address(0)
