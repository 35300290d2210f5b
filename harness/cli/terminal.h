// What the commands write to the terminal.
#pragma once

#include <string>

#include "base/result.h"
#include "report/reports.h"

namespace warpcheck {

// Of the terminal behind this file descriptor; without colours where it is none, or where NO_COLOR
// asks for it.
TerminalStyle StyleOf(int fd);

// Prints the error to stderr and returns `status`.
int Complain(const Error& error, int status);

// True where stderr is a terminal.
bool CanShowProgress();
// Writes a line over the one before, without ending it; empty: none.
void ShowProgressLine(const std::string& line);

}  // namespace warpcheck
