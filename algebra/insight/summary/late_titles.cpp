// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/summary/late_titles.h"

#include <fmt/format.h>

#include <cstddef>
#include <vector>

namespace holos::algebra {

namespace {

/// `{}` is what they do for longer.
const char* patternOfTitle(const Spread& spread, bool threads) {
    const bool isFirst = spread.members == std::vector<std::size_t>{0};
    switch (spread.shape) {
        case Spread::Shape::One:
            return threads ? "One thread {}s longer than the others, and they wait"
                           : "One process {}s longer than the others, and they wait";
        case Spread::Shape::Node:
            return "The processes of one node {} longer than the others, and these wait";
        case Spread::Shape::Border:
            return "Processes at the border {} longer than those inside, and these wait";
        case Spread::Shape::Parity:
            return threads ? "Every second thread {}s longer than the others, and these wait"
                           : "Every second process {}s longer than the others, and these wait";
        case Spread::Shape::Gradient:
            if (isFirst)
                return threads ? "Each thread {}s less than the one before, and all wait for the first"
                               : "Each process {}s less than the one before, and all wait for the first";
            return threads ? "Each thread {}s longer than the one before, and all wait for the last"
                           : "Each process {}s longer than the one before, and all wait for the last";
        case Spread::Shape::Few:
            return threads ? "Some threads {} longer than the others, and these wait"
                           : "Some processes {} longer than the others, and these wait";
        case Spread::Shape::Even:
            return threads ? "Threads are late in turn, and the others wait"
                           : "Processes are late in turn, and the others wait";
        case Spread::Shape::Irregular:
            break;
    }
    return "Some {} longer than the others, and these wait";
}

}  // namespace

std::string titleOfLateOnes(const Spread& spread, bool areThreads, const char* verb) {
    return fmt::format(fmt::runtime(patternOfTitle(spread, areThreads)), verb);
}

std::string titleOfLoneOne(bool isThread, const char* verb) {
    return fmt::format("One {} {}s alone, and the others wait", isThread ? "thread" : "process", verb);
}

std::string titleOfAwaitedOne(bool isThread, const char* verb) {
    return fmt::format("One {} {}s, and others wait for a part of that", isThread ? "thread" : "process",
                       verb);
}

}  // namespace holos::algebra
