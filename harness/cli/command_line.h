// Parts of the command line that all programs with commands share.
#pragma once

#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace warpcheck {

// Checks the text of an option, as CLI11 does not: returns an error message unless it is a whole
// number from 0 to 2^64 - 1. CLI11 would take "-1" for a large number.
std::string Digits(const std::string& text);

// Returns an error message unless the text is a number as people write points: no 0x10, no 1e3.
std::string Decimal(const std::string& text);

// Returns a message about a word that is not a command of `app`, with the nearest command if one is
// similar; empty if it is a command.
std::string UnknownCommand(const CLI::App& app, std::string_view word);

// Adds --course and --trust. They set WARPCHECK_COURSE and WARPCHECK_TRUST (host/courses.h), so
// that programs which are started know them too.
void AddCourseOptions(CLI::App& app);
// Returns the index in `argv` of the command's name, which may come after these options.
int CommandAt(int argc, char** argv);

// Returns the exit status of `run`. If it throws, prints the exception and returns kExitFault.
int RunMain(int argc, char** argv, int (*run)(int, char**));

}  // namespace warpcheck
