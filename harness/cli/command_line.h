// These functions serve the command lines of all programs that have commands.
#pragma once

#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace warpcheck {

// Checks the text of an option: returns an error message unless it is a whole number from 0 to 2^64
// - 1. CLI11 itself would read "-1" as a large number.
std::string Digits(const std::string& text);

// Returns an error message unless the text is a number as people write points, so not 0x10 or 1e3.
std::string Decimal(const std::string& text);

// Returns a message about a word that is not a command of `app`, with the nearest command if one is
// similar; returns an empty text if the word is a command.
std::string UnknownCommand(const CLI::App& app, std::string_view word);

// Adds --course and --trust. They set WARPCHECK_COURSE and WARPCHECK_TRUST (host/courses.h), so
// that child programs get them too.
void AddCourseOptions(CLI::App& app);

// Makes an empty text an error for each option of each command, except for --comment. A script
// passes one if it forgot to set a variable: --html "$PAGE". Call it after all options are added.
void RefuseEmptyOptions(CLI::App& app);

// Returns the index in `argv` of the command's name. Options may come before it.
int CommandAt(int argc, char** argv);

// Returns the exit status of `run`. If it throws, prints the exception and returns kExitFault.
int RunMain(int argc, char** argv, int (*run)(int, char**));

}  // namespace warpcheck
