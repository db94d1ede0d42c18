// SPDX-License-Identifier: BSD-3-Clause
// The function in which a thread may have stayed between two events, against random programs that know it.
#include "analyzer/replay/call_ways.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <tuple>

#include "analyzer/trace/definitions_reader.h"
#include "tests/support/stack_trace.h"
#include "tests/support/temporary_directory.h"

namespace holos::testing {
namespace {

using analyzer::trace::Definitions;

/// Functions that call each other, no one itself. The last line of each makes an event.
class RandomProgram {
  public:
    enum class Loops { OutermostOnly, Anywhere };

    RandomProgram(unsigned seed, Loops loops) : random_(seed), trace_(1) {
        functions_.resize(kFunctions);
        for (std::size_t i = 0; i < kFunctions; ++i) {
            const bool mayLoop = loops == Loops::Anywhere || i == 0;
            functions_[i].repeats = i == 0 || (mayLoop && draw(4) == 0);
            for (unsigned line = 0, count = 1 + draw(3); line < count && i + 1 < kFunctions; ++line)
                functions_[i].lines.push_back({i + 1 + draw(kFunctions - i - 1), mayLoop && draw(4) == 0});
            functions_[i].lines.push_back({kEvent, mayLoop && draw(4) == 0});
        }
        run(0, OTF2_UNDEFINED_CALLING_CONTEXT);
    }

    struct Event {
        OTF2_CallingContextRef context;
        std::vector<unsigned> runs;  ///< of the functions on the stack, outermost first
    };
    const std::vector<Event>& events() const { return events_; }
    const TraceBuilder& trace() const { return trace_; }

  private:
    static constexpr std::size_t kFunctions = 7;
    static constexpr std::size_t kMostEvents = 300;
    static constexpr std::size_t kEvent = ~std::size_t{0};
    struct Line {
        std::size_t calls;
        bool repeats;
    };
    struct Function {
        std::vector<Line> lines;
        bool repeats = false;  ///< all lines
    };

    unsigned draw(std::size_t below) { return static_cast<unsigned>(random_() % below); }
    unsigned times(bool repeats) { return repeats ? 1 + draw(3) : 1; }

    OTF2_CallingContextRef contextOf(std::size_t function, unsigned line, OTF2_CallingContextRef caller) {
        const auto [known, isNew] = contexts_.try_emplace({function, line, caller});
        if (!isNew) return known->second;
        const Function& called = functions_[function];
        std::string order = std::to_string(line) + ':';
        for (unsigned before = 0; before < called.lines.size(); ++before)
            if (called.repeats || before < line || (before == line && called.lines[line].repeats))
                order += ' ' + std::to_string(before);
        known->second = stack(trace_, "f" + std::to_string(function), line + 1, caller);
        trace_.callOrder(known->second, order);
        return known->second;
    }

    void run(std::size_t function, OTF2_CallingContextRef caller) {
        stack_.push_back(runs_++);
        for (unsigned rounds = times(functions_[function].repeats); rounds > 0; --rounds)
            for (unsigned line = 0; line < functions_[function].lines.size(); ++line)
                for (unsigned i = times(functions_[function].lines[line].repeats); i > 0; --i)
                    call(contextOf(function, line, caller), functions_[function].lines[line].calls);
        stack_.pop_back();
    }

    void call(OTF2_CallingContextRef context, std::size_t called) {
        if (events_.size() >= kMostEvents) return;
        if (called == kEvent)
            events_.push_back({context, stack_});
        else if (draw(4) != 0)  // a line need not be reached
            run(called, context);
    }

    std::mt19937 random_;
    TraceBuilder trace_;
    std::vector<Function> functions_;
    std::map<std::tuple<std::size_t, unsigned, OTF2_CallingContextRef>, OTF2_CallingContextRef> contexts_;
    std::vector<unsigned> stack_;
    unsigned runs_ = 0;
    std::vector<Event> events_;
};

std::size_t commonRuns(const RandomProgram::Event& one, const RandomProgram::Event& other) {
    std::size_t count = 0;
    while (count < one.runs.size() && count < other.runs.size() && one.runs[count] == other.runs[count])
        ++count;
    return count;
}

template <class Check>
void forEachInterval(const RandomProgram& program, Check check) {
    const TemporaryDirectory directory;
    const Definitions definitions = analyzer::trace::readDefinitions(program.trace().write(directory.path()));
    analyzer::replay::SharedFrames shared(definitions);
    for (std::size_t i = 1; i < program.events().size(); ++i) {
        const auto& before = program.events()[i - 1];
        const auto& after = program.events()[i];
        const auto from = *definitions.callingContextOf.find(before.context);
        const auto to = *definitions.callingContextOf.find(after.context);
        const auto frame = shared.of(from, to);
        ASSERT_TRUE(frame.has_value());
        ASSERT_EQ(definitions.frames.common(*frame, definitions[from].frame), *frame);
        ASSERT_EQ(definitions.frames.common(*frame, definitions[to].frame), *frame);
        check(definitions.frames[*frame].depth + 1, commonRuns(before, after));
    }
}

TEST(SharedFrames, ofProgramsWithLoops_areNeverFurtherOutThanWhatStayed) {
    for (unsigned seed = 1; seed <= 20; ++seed)
        forEachInterval({seed, RandomProgram::Loops::Anywhere},
                        [](std::size_t depth, std::size_t stayed) { EXPECT_GE(depth, stayed); });
}

TEST(SharedFrames, whereNoFunctionBelowRepeatsACall_areWhatStayed) {
    for (unsigned seed = 1; seed <= 20; ++seed)
        forEachInterval({seed, RandomProgram::Loops::OutermostOnly},
                        [](std::size_t depth, std::size_t stayed) { EXPECT_EQ(depth, stayed); });
}

}  // namespace
}  // namespace holos::testing
