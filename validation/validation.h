// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/chosen.h"
#include "base/error.h"
#include "validation/cases.h"

namespace holos::validation {

/// What one process counted.
struct Counted {
    std::vector<double> events;     ///< within the window, of each event that was asked for
    double nanosecondsARead = 0.0;  ///< of all of them, as a mean over many
};

/// Runs a microbenchmark in this process, which should be a fresh one, and counts these events at the same
/// time. Ends the process by SIGALRM when it takes too long. Throws Error when they cannot be counted here.
Counted countHere(const std::vector<std::string>& events, const std::string& microbenchmark,
                  std::uint64_t size);

/// `countHere` in a process of its own: `holos` is the program that runs `countHere` and prints its answer.
/// Throws Error with what that process said.
Counted countInFreshProcess(const std::string& holos, const std::vector<std::string>& events,
                            const std::string& microbenchmark, std::uint64_t size);

/// How `countInFreshProcess` calls the program, together with `--format json`.
inline constexpr const char* kFreshProcessOption = "--in-this-process";

/// The answer: a JSON object of `countHere`'s result, or of the error that it threw.
std::string answerText(const Counted& counted);
std::string answerText(const Error& error);

/// The cases of one event, by one microbenchmark, seen from one processor.
struct Suite {
    std::string event;
    std::string microbenchmark;
    unsigned processor = 0;  ///< the observed one of those that take part
    std::vector<Case> cases;

    bool operator==(const Suite&) const = default;
};

/// What reading a counter once costs.
struct ReadCost {
    std::string event;
    double nanoseconds = 0.0;  ///< in the process in which it was fastest
    Case events;               ///< of this event itself: predicted is 0

    bool operator==(const ReadCost&) const = default;
};

/// What was measured of several sizes.
struct Sweep {
    struct Point {
        double size = 0;
        double measured = 0;
        bool operator==(const Point&) const = default;
    };
    std::string name;           ///< of a line; empty where there is one only
    std::vector<Point> points;  ///< by size, ascending
    bool operator==(const Sweep&) const = default;
};

/// A property of the machine that microbenchmarks find out.
struct Property {
    std::string name;
    std::string unit;
    double found = 0.0;     ///< 0: nothing was found
    double reported = 0.0;  ///< by the system; 0: it does not say
    std::string method;
    std::string size = {};  ///< what the sizes of the sweeps are, with the unit
    std::string measured = {};
    std::vector<Sweep> sweeps = {};  ///< from which it was found

    bool operator==(const Property&) const = default;
};

/// Whether a machine counts right.
struct Validation {
    std::vector<std::pair<std::string, std::string>> machine;  ///< what is worth knowing of it
    std::vector<Suite> suites;
    std::vector<ReadCost> reads;
    std::vector<Property> properties;
    std::map<std::string, std::string> omitted;  ///< events that were not validated, and why
};

struct Request {
    Chosen<std::string> events = kAll;  ///< of those that a microbenchmark predicts
    /// The only one that runs; it counts every event that is asked for. Nothing: all of them run.
    std::optional<std::string> microbenchmark;
    std::size_t runs = 30;
    double largest = 1e7;   ///< no larger case
    bool together = false;  ///< the events of a microbenchmark are counted in the same runs
};

/// What `validate` has done of all that it has to do, in fresh processes.
using Progress = std::function<void(std::size_t done, std::size_t all)>;

/// Runs every case as many fresh processes of `holos`. Events that this machine cannot count are omitted, or
/// an Error when the request names them, also where they cannot be counted together.
Validation validate(const Request& request, const std::string& holos, const Progress& progress);

}  // namespace holos::validation
