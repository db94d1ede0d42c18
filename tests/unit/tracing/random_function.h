// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <random>
#include <set>
#include <string>

#include "tests/unit/tracing/compiled_calls.h"

namespace holos::testing {

/// A function of sequences, alternatives, loops and, where wanted, `switch`, and which of its calls may come
/// after which.
class RandomFunction {
  public:
    enum class Switches { No, Yes };

    explicit RandomFunction(unsigned seed, Switches switches = Switches::No)
        : random_(seed), kinds_(switches == Switches::Yes ? 5 : 4) {
        const Part all = sequence(4);
        text_ = "int f(void) {" + all.text + " return 1; }\n";
        for (int i = 0; i < calls_; ++i) declared_ += "void " + name(i) + "(void);\n";
        pairs_ = all.pairs;
    }
    std::string source() const { return declared_ + text_; }
    const Pairs& pairs() const { return pairs_; }

  private:
    struct Part {
        std::string text;
        Pairs pairs;
        std::set<std::string> calls;
        bool mayBeLeft = true;
    };
    static std::string name(int call) { return "m" + std::to_string(call) + "_"; }
    unsigned draw(unsigned below) { return static_cast<unsigned>(random_() % below); }

    static void connect(Part& part, const std::set<std::string>& before, const std::set<std::string>& after) {
        for (const auto& one : before)
            for (const auto& other : after) part.pairs.insert(one + other);
    }
    static void add(Part& part, const Part& more) {
        part.calls.insert(more.calls.begin(), more.calls.end());
        part.pairs.insert(more.pairs.begin(), more.pairs.end());
    }
    Part call() {
        const std::string called = name(calls_++);
        return {called + "(); ", {}, {called}};
    }
    Part sequence(unsigned depth) {
        Part whole;
        for (unsigned i = 0, count = 1 + draw(3); i < count; ++i) {
            const Part next = part(depth);
            connect(whole, whole.calls, next.calls);
            add(whole, next);
            whole.text += next.text;
        }
        return whole;
    }
    Part part(unsigned depth) {
        const unsigned kind = depth == 0 ? 0 : draw(kinds_);
        if (kind < 2) return call();
        if (kind == 4) return choice(depth);
        Part whole = sequence(depth - 1);
        if (kind == 2) {
            connect(whole, whole.calls, whole.calls);
            whole.text = "while (test()) { " + whole.text + "} ";
            return whole;
        }
        const Part other = sequence(depth - 1);
        whole.text = "if (test()) { " + whole.text + "} else { " + other.text + "} ";
        add(whole, other);
        return whole;
    }

    /// Cases may go on with the next one.
    Part choice(unsigned depth) {
        Part whole;
        whole.text = "switch (test()) { ";
        std::set<std::string> before;
        for (unsigned i = 0, count = 5 + draw(5); i < count; ++i) {
            const Part body = sequence(depth > 1 && draw(4) == 0 ? depth - 1 : 0);
            const bool goesOn = draw(4) == 0 && i + 1 < count;
            whole.text += "case " + std::to_string(i) + ": " + body.text + (goesOn ? "" : "break; ");
            connect(whole, before, body.calls);
            add(whole, body);
            before.insert(body.calls.begin(), body.calls.end());
            if (!goesOn) before.clear();
        }
        if (draw(2) == 0) {
            const Part other = sequence(0);
            whole.text += "default: " + other.text;
            add(whole, other);
        }
        whole.text += "} ";
        return whole;
    }

    std::mt19937 random_;
    unsigned kinds_;
    int calls_ = 0;
    std::string declared_;
    std::string text_;
    Pairs pairs_;
};

}  // namespace holos::testing
