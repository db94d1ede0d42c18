// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

/// Values of options that a user sets once for all uses of a command: in variables of the environment, in
/// `.holos` of the working folder, or in the user's configuration file (docs/settings.md).
namespace holos {

/// A value of an option, and where it was set: `HOLOS_RECORD_BUFFER`, or a file and a line.
struct Default {
    std::string option;  ///< its long name, without dashes
    std::string value;
    std::string origin;
};

/// A command as it can have defaults.
struct Defaultable {
    std::string name;                       ///< such as `record` or `counters list`
    std::vector<std::string> options;       ///< long names, without dashes, of those that can have defaults
    std::vector<std::string> otherOptions;  ///< that are for the command line only
    std::vector<std::string> commands;      ///< all for which files may have values
};

/// Where values are looked for, the nearest place first.
struct DefaultPlaces {
    /// The value of a variable of the environment; null where it is not set, or empty.
    std::function<const char*(const std::string& name)> variable;
    std::vector<std::filesystem::path> files;  ///< those that are not there are passed over
};
/// The environment, `.holos` of the working folder, the user's configuration file.
DefaultPlaces usualDefaultPlaces();

/// One for each option that has any, from the first place that names it. `warn` gets a sentence for each file
/// that is not read because it belongs to another user. Throws `Error` where a file cannot be understood, or
/// names what there is not.
std::vector<Default> defaultsOf(const Defaultable& command, const DefaultPlaces& places,
                                const std::function<void(const std::string&)>& warn);

/// The variable for an option of a command: `HOLOS_RECORD_CALL_PATHS` for `call-paths` of `record`.
std::string variableFor(const std::string& command, const std::string& option);

}  // namespace holos
