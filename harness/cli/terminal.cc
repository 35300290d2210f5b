#include "cli/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace warpcheck {

TerminalStyle StyleOf(int fd) {
  TerminalStyle style;
  const char* no_colour = std::getenv("NO_COLOR");
  style.colours = ::isatty(fd) == 1 && (no_colour == nullptr || *no_colour == '\0');
  struct winsize size = {};
  if (::ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    style.width = size.ws_col;
  }
  return style;
}

bool CanShowProgress() { return ::isatty(STDERR_FILENO) == 1; }

void ShowProgressLine(const std::string& line) {
  fmt::print(stderr, "\r\033[K{}", line);
  std::fflush(stderr);
}

void ClearProgressLine() {
  if (CanShowProgress()) ShowProgressLine("");
}

}  // namespace warpcheck
