// SPDX-License-Identifier: BSD-3-Clause
#include "cli/record/record_parts.h"

#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include "cli/choice.h"

namespace holos::cli {
namespace {

using namespace tracing::core;

/// Declares an option for a value that is kept as its kind says, in the units of which people write.
template <class Kind>
Option declare(Command& command, const std::string& names, typename OptionKind<Kind>::Kept& value,
               const std::string& help) {
    if constexpr (NamedChoice<Kind>)
        return addChoice(command, names, value, help);
    else if constexpr (std::is_same_v<Kind, FlagOption>)
        return command.flag(names, value, help);
    else {
        const Option option = command.option(names, value, help);
        if constexpr (std::is_same_v<Kind, TimeOption>) return option.duration();
        if constexpr (std::is_same_v<Kind, PercentOption>) return option.percent();
        if constexpr (std::is_same_v<Kind, SizeOption>) return option.bytes();
        if constexpr (std::is_same_v<Kind, MegabytesOption>) return option.megabytes();
        return option;
    }
}

}  // namespace

void repeatSettings(launch::RecordRequest& request, const Command& command) {
    if (request.like.empty()) return;
    const archive::RecordSettings known = archive::readSettings(request.like);
    std::set<std::string> given;
    for (const auto& [name, value] : command.given()) given.insert(name);
    // Which counters are read is decided by one of the two.
    if (given.contains("counters")) given.insert("set");
    if (given.contains("set")) given.insert("counters");
    archive::RecordSettings& own = request;
    archive::forEachRecordSetting([&](const std::string& name, auto member) {
        if (!given.contains(name)) own.*member = known.*member;
    });
}

void addOptions(Command& command, launch::RecordRequest& request) {
#define HOLOS_COMMAND_OPTION(names, Kind, member, usual, attach, parser, help)     \
    {                                                                              \
        const Option option = declare<Kind>(command, names, request.member, help); \
        static_cast<void>(parser);                                                 \
    }
#define HOLOS_RECORDING_OPTION(names, Kind, member, usual, attach, profile, parser, help) \
    HOLOS_COMMAND_OPTION(names, Kind, member, usual, attach, parser, help)
#include "tracing/recordings/format/record_options.def"
}

}  // namespace holos::cli
