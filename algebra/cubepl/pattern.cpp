// SPDX-License-Identifier: BSD-3-Clause
#include <boost/regex.hpp>
#include <cstddef>
#include <iterator>

#include "algebra/cubepl/budget.h"
#include "algebra/cubepl/syntax.h"

namespace holos::algebra::cubepl {
namespace {

/// A place in a text; each look at its character is a step. Boost has no other way to bound a search by work.
class CountedCharacter {
  public:
    using iterator_category = std::bidirectional_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    CountedCharacter() = default;
    CountedCharacter(const char* at, Budget& budget) : at_(at), budget_(&budget) {}

    reference operator*() const {
        budget_->spend(1);
        return *at_;
    }
    CountedCharacter& operator++() {
        ++at_;
        return *this;
    }
    CountedCharacter operator++(int) {
        CountedCharacter before = *this;
        ++at_;
        return before;
    }
    CountedCharacter& operator--() {
        --at_;
        return *this;
    }
    CountedCharacter operator--(int) {
        CountedCharacter before = *this;
        --at_;
        return before;
    }
    friend bool operator==(const CountedCharacter& a, const CountedCharacter& b) { return a.at_ == b.at_; }

  private:
    const char* at_ = nullptr;
    Budget* budget_ = nullptr;
};

}  // namespace

struct Pattern::Compiled {
    boost::regex expression;
};

Pattern::Pattern(const std::string& expression) {
    try {
        compiled_ = std::make_shared<const Compiled>(Compiled{boost::regex(expression)});
    } catch (const boost::regex_error& error) {
        throw Error("\"" + expression + "\" is not a regular expression: " + error.what());
    }
}

bool Pattern::isIn(const std::string& text, Budget& budget) const {
    const CountedCharacter begin(text.data(), budget);
    const CountedCharacter end(text.data() + text.size(), budget);
    bool takesTooLong = false;
    try {
        return boost::regex_search(begin, end, compiled_->expression);
    } catch (const Error&) {
        throw;
    } catch (const std::runtime_error&) {  // Boost bounds its memory, and steps without a look at the text
        takesTooLong = true;
    }
    if (takesTooLong) budget.exhausted();
    return false;
}

}  // namespace holos::algebra::cubepl
