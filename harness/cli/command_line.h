// What the mains of all programs with commands share.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "report/reports.h"

namespace CLI {
class App;
}

namespace warpcheck {

// For options of CLI11, which would take "-1" for a large number: what is wrong with a whole number
// below 2^64, or nothing.
std::string Digits(const std::string& text);

// The same for a number as people write points: no 0x10, no 1e3.
std::string Decimal(const std::string& text);

// What to say of a word that is no command of `app`: the nearest one, if one is near; empty where
// it is a command.
std::string UnknownCommand(const CLI::App& app, std::string_view word);

// --course and --trust, which become WARPCHECK_COURSE and WARPCHECK_TRUST (cli/places.h), so that
// programs that are started know them too.
void AddCourseOptions(CLI::App& app);
// Where in `argv` the command's name is: after these options, if they come first.
int CommandAt(int argc, char** argv);

// The exit status of `run`; kExitFault, and what happened on stderr, where it throws.
int RunMain(int argc, char** argv, int (*run)(int, char**));

// What the commands write to the terminal.

// Of the terminal behind this file descriptor; without colours where it is none, or where NO_COLOR
// asks for it.
TerminalStyle StyleOf(int fd);

// Prints the error to stderr and returns `status`.
int Complain(const Error& error, int status);

// Why a command cannot go on, and its exit status for that.
struct Stop {
  Error error;
  int status = 0;
};
// For WARPCHECK_TRY in a command that ends with a status or a Stop.
template <class T>
tl::expected<T, Stop> OrStop(int status, Result<T> result) {
  return std::move(result).map_error([&](Error error) { return Stop{std::move(error), status}; });
}
// The exit status; of a Stop, once its error is printed.
int StatusOf(const tl::expected<int, Stop>& end);

// True where stderr is a terminal.
bool CanShowProgress();
// Writes a line over the one before, without ending it; empty: none.
void ShowProgressLine(const std::string& line);

}  // namespace warpcheck
