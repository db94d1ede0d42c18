// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "algebra/model/call_names.h"
#include "algebra/model/source_lines.h"
#include "base/error.h"
#include "report/query/conditions.h"
#include "report/serve/event_table.h"
#include "report/serve/part.h"

namespace holos::serve {

using namespace algebra;

namespace {

struct UsualColumns {
    std::string_view table;
    std::array<const char*, 9> columns;
};
constexpr std::array<UsualColumns, 4> kUsual{
    {{"calls",
      {"process", "thread", "region", "start", "duration", "own", "bytes_sent", "call_path", nullptr}},
     {"messages",
      {"sender", "receiver", "bytes", "send_time", "receive_time", "late_sender", "late_receiver", "tag",
       "receive_path"}},
     {"waits",
      {"process", "thread", "name", "region", "start", "duration", "culprit_process", "culprit_path",
       "call_path"}},
     {"readings", {"process", "thread", "time", "metric", "value", "unit", "call_path", nullptr, nullptr}}}};

/// The experiment of the part has nothing but its call paths and those above them, which have no calls of
/// their own there: what is below a chosen one is told by its text.
std::vector<std::string> textsOfPaths(const Part& part, const ShownExperiment& shown) {
    std::vector<std::string> texts;
    for (const std::string& key : part.callPaths)
        if (const auto node = shown.withKey(Tree::Calls, key))
            texts.push_back(callPathText(shown.experiment(), CallPathId(*node)));
    return texts;
}

std::string regionCondition(const Part& part, const Experiment& experiment, const query::Asked& table) {
    const auto has = [](const std::vector<std::string>& names, const std::string& name) {
        return names.empty() || std::ranges::find(names, name) != names.end();
    };
    return query::regionCondition(
        experiment,
        [&](const Region& region) {
            return has(part.regions, region.name) && has(part.kinds, belongingOf(region));
        },
        table);
}

}  // namespace

std::string statementOf(const EventQuestion& question, const query::Table& table,
                        const ShownExperiment& shown) {
    const Part part = partFrom(question.part);
    const query::Asked asked = query::askedOf(table);
    std::vector<std::string> conditions{query::typedCondition(question.filter, asked)};
    if (part.range) conditions.push_back(query::timeCondition(part.range->from, part.range->to, asked));
    if (!part.places.empty()) conditions.push_back(query::placeCondition(shown.experiment().system, asked));
    if (!part.callPaths.empty()) conditions.push_back(query::pathCondition(textsOfPaths(part, shown), asked));
    if (!part.regions.empty() || !part.kinds.empty())
        conditions.push_back(regionCondition(part, shown.experiment(), asked));
    std::vector<std::string> names;
    for (const char* name :
         std::ranges::find(kUsual, std::string_view(table.name()), &UsualColumns::table)->columns)
        if (name != nullptr) names.push_back(query::columnInSql(name));
    std::string statement = fmt::format("SELECT {} FROM {}", fmt::join(names, ", "), table.name());
    if (const std::string all = query::allOf(conditions); !all.empty()) statement += "\nWHERE " + all;
    if (question.order.empty()) return statement;
    if (asked.find(question.order) == nullptr)
        throw Error(fmt::format("{} has no column {}", table.name(), question.order));
    return statement + "\nORDER BY " + query::columnInSql(question.order) +
           (question.leastFirst ? "" : " DESC");
}

}  // namespace holos::serve
