// Names the signals that end programs, and says which of them come from outside a program.
#pragma once

#include <csignal>
#include <string>

namespace warpcheck {

// Returns a text like "signal 11 (segmentation fault)".
std::string SignalText(int signal);

// Returns true for signals that come from outside the program: from the kernel when memory runs
// out, from a person, or from a scheduler. A mistake of the program itself ends it by another
// signal.
inline bool SentByOthers(int signal) {
  return signal == SIGKILL || signal == SIGTERM || signal == SIGINT || signal == SIGHUP ||
         signal == SIGQUIT;
}

}  // namespace warpcheck
