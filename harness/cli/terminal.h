// The terminal that a command writes to.
#pragma once

#include <string>

#include "report/terminal/terminal_text.h"

namespace warpcheck {

// Returns the width and colours of the terminal behind a file descriptor. Without a terminal, and
// if NO_COLOR is set, there are no colours.
TerminalStyle StyleOf(int fd);

// Returns true if stderr is a terminal.
bool CanShowProgress();
// Writes a line over the one before it; an empty one clears it.
void ShowProgressLine(const std::string& line);
// Clears the line if CanShowProgress().
void ClearProgressLine();

}  // namespace warpcheck
