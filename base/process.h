// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace holos {

/// The words of a command as `execv` and its like take them. Valid while the words are.
class Arguments {
  public:
    explicit Arguments(const std::vector<std::string>& words);
    char* const* data() const { return pointers_.data(); }

  private:
    std::vector<char*> pointers_;
};

/// What becomes of a program's standard error.
enum class ErrorOutput { WithOutput, Discarded };

/// What a program wrote, and how it ended.
struct Answer {
    std::string text;
    int status = 0;  ///< as `waitpid` gives it
};

/// Runs a command, found in PATH unless its first word has a slash, with nothing to read, and waits for its
/// end. Throws `Error` when it cannot be started.
Answer answerOf(const std::vector<std::string>& command, ErrorOutput errors);

/// A word as a shell takes it, quoted where necessary.
std::string shellWord(const std::string& word);

/// The words as a shell takes them, quoted where necessary.
std::string shellLine(const std::vector<std::string>& words);

}  // namespace holos
