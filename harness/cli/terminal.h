// Describes the terminal that a command writes to, and shows its progress there.
#pragma once

#include <string>

#include "report/terminal/terminal_text.h"

namespace warpcheck {

// Returns the width and colours of the terminal behind a file descriptor. There are no colours if
// there is no terminal, or if NO_COLOR is set.
TerminalStyle StyleOf(int fd);

// Returns true if stderr is a terminal.
bool CanShowProgress();
// Writes a line over the line before it; an empty line clears it.
void ShowProgressLine(const std::string& line);
// Clears the progress line if CanShowProgress().
void ClearProgressLine();

}  // namespace warpcheck
