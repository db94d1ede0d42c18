// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bit>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "metric-specs/formula.h"
#include "metric-specs/processor.h"

namespace holos::specs {

/// Registers apart from the processor's own, for events of another unit.
struct RegisterBank {
    std::string name;
    std::size_t count = 0;
};

/// The registers that count events, and which events go where (`registers` lines).
struct Registers {
    static constexpr std::size_t kMost = 64;

    bool limited = false;     ///< false: no line says how many there are
    bool restricted = false;  ///< which event goes where is known only from the file's sets
    std::size_t first = 0;    ///< number of the first register
    std::size_t count = 0;
    std::map<std::string, std::uint64_t, std::less<>> allowed;  ///< by event: bit i for register `first + i`
    std::set<std::string, std::less<>> fixed;                   ///< events with a register of their own
    std::vector<std::vector<std::string>> exclusions;           ///< at most one of each in a run
    std::vector<RegisterBank> banks;
    std::map<std::string, std::size_t, std::less<>> bankOf;  ///< by event: index of its bank
};

/// Whether an event takes none of the processor's registers from others: one of a `fixed` register, or of
/// another component of PAPI (`coretemp:::…`), which counts beside all of the processor's.
bool needsNoRegister(const Registers& registers, std::string_view event);

/// Why these events cannot be counted in one run, apart from what `restricted` leaves open: more of them
/// than registers, two for one register, or events that exclude each other. Nothing when they can.
std::optional<std::string> whyNotTogether(const Registers& registers, const std::vector<std::string>& events);

inline std::uint64_t allRegisters(const Registers& registers) {
    return registers.count >= Registers::kMost ? ~std::uint64_t{0}
                                               : (std::uint64_t{1} << registers.count) - 1;
}

/// Gives every event a register of its own (bipartite matching along augmenting paths). `allowed` has for
/// each event a bit for each register that it can use.
class RegisterAssignment {
  public:
    RegisterAssignment(std::size_t registers, std::vector<std::uint64_t> allowed)
        : allowed_(std::move(allowed)), holder_(registers) {}

    /// Index of the first event that finds no register, whatever the others do.
    std::optional<std::size_t> firstWithout() {
        for (std::size_t event = 0; event < allowed_.size(); ++event) {
            tried_ = 0;
            if (!place(event)) return event;
        }
        return std::nullopt;
    }

    /// The registers that were looked at for the event without one: all held by events that need them.
    std::uint64_t tried() const { return tried_; }

  private:
    bool place(std::size_t event) {
        for (std::uint64_t open = allowed_[event] & ~tried_; open != 0; open = allowed_[event] & ~tried_) {
            const auto at = static_cast<std::size_t>(std::countr_zero(open));
            tried_ |= std::uint64_t{1} << at;
            if (!holder_[at] || place(*holder_[at])) {
                holder_[at] = event;
                return true;
            }
        }
        return false;
    }

    std::vector<std::uint64_t> allowed_;
    std::vector<std::optional<std::size_t>> holder_;
    std::uint64_t tried_ = 0;
};

/// Where a definition stands.
struct Position {
    std::string file;
    std::uint64_t line = 1;    ///< from 1
    std::uint64_t column = 1;  ///< from 1, in bytes
};

/// `measure NAME = EVENT`: the metric NAME is what the counter EVENT counts.
struct Alias {
    std::string name;
    std::string event;
    Position at;
};

/// `compose NAME = TERM + TERM …`, `compute NAME = …`, `ratio NAME = … / …` or `seconds NAME = …`.
struct Definition {
    enum class Kind : std::uint8_t { Compose, Compute, Ratio, Seconds };
    Kind kind = Kind::Compose;
    std::string name;
    Formula formula;              ///< of a ratio: its numerator
    Formula denominator = {};     ///< of a ratio only
    double minimum = 0.0;         ///< of a ratio: undefined where the denominator is smaller
    std::optional<double> hertz;  ///< of seconds: the clock, when it is not the processor's
    std::string within = {};      ///< of seconds: the metric of the trace whose time they are a part of
    Position at;

    /// Every name that the definition is made of, once.
    std::vector<std::string> terms() const;
};

/// `aggroup NAME = EVENT EVENT …`: counters that can be counted together.
struct MeasurementSet {
    std::string name;
    std::vector<std::string> events;
    Position at;
};

/// Who shares a counter: its count is attributed once per scope, never summed over the threads in it.
enum class Scope : std::uint8_t { Thread, Core, Socket, Node };
inline constexpr std::string_view kScopeNames[] = {"thread", "core", "socket", "node"};

struct Comparison {
    enum class Relation : std::uint8_t { Less, LessEqual, Greater, GreaterEqual };
    Formula left;
    Relation relation = Relation::Less;
    Formula right;  ///< may have no terms: a number

    bool holds(double leftValue, double rightValue) const;
    /// As a specification spells it.
    std::string text() const;
};

/// `finding NAME = CONDITION and CONDITION … mostly METRIC besides CHILD … costs METRIC`: something worth
/// saying about a call path.
struct Finding {
    std::string name;
    std::vector<Comparison> conditions;  ///< all of them must hold
    std::string mostly;                  ///< whose largest child is named; empty for none
    std::vector<std::string> besides;    ///< its children that are no answer
    std::string costs;                   ///< the metric that measures the time lost; empty for none
    Position at;
};

/// What a specification file declares; every list in the order of the file. The syntax is that of the KOJAK
/// paper (sections 2.1, 2.2 and appendix A) with extensions: docs/specifications.md.
struct Specification {
    std::string file;  ///< as given to `parse` or `load`
    std::string text;  ///< the file, with what it includes put in place: declares the same when parsed again

    std::optional<Platform> platform;
    Registers registers;

    /// Several aliases of one name are alternatives: the first whose event was measured counts.
    std::vector<Alias> aliases;
    /// Terms are free of cycles. Several definitions of one name are alternatives, tried in their order.
    std::vector<Definition> definitions;
    std::vector<MeasurementSet> sets;  ///< names are unique
    std::vector<Finding> findings;     ///< names are unique
    std::map<std::string, Scope, std::less<>> scopes;
    /// `alias EVENT = OTHER …`: further names of an event, each of one event only.
    std::map<std::string, std::vector<std::string>, std::less<>> otherNames;
    std::map<std::string, std::string, std::less<>> units;
    std::map<std::string, std::vector<std::string>, std::less<>> descriptions;  ///< the texts of `describe`
    std::map<std::string, std::string, std::less<>> trust;  ///< by event what `trust` says, joined by blanks

    /// The measurement set of this name. Throws Error with a suggestion when there is none.
    const MeasurementSet& set(std::string_view name) const;
    /// Every name that may be a counter: aliased events, members of sets, and terms without a definition
    /// that are no metrics of the trace.
    std::vector<std::string> events() const;
    /// The texts of `describe NAME`, joined by blanks; empty without.
    std::string description(std::string_view name) const;
    /// These metrics, and all metrics and events that they are made of by any of their definitions, by name.
    std::set<std::string> allBehind(const std::vector<std::string>& metrics) const;
    /// The title of the platform, its name, or the name of the file.
    std::string title() const;
};

/// A file that was included, by its own name.
struct SourceText {
    std::string file;
    std::string text;
};
/// Finds the text of a file that another one includes: `name` as in the `include` line, `from` the file that
/// has the line. Throws Error when there is none.
using IncludeReader = SourceText (*)(const std::string& name, const std::string& from);

/// Reads a specification from memory. Throws SpecificationError with everything that is wrong in it. Without
/// a reader `include` is an error: text of unknown origin opens no files.
Specification parse(std::string text, const std::string& filename, IncludeReader reader = nullptr);

/// Reads a file and what it includes: names as for `locate`, first beside the including file. Throws Error
/// when a file cannot be read or is larger than any specification.
Specification load(const std::filesystem::path& path);

}  // namespace holos::specs
