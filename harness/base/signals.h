// Names of the signals that end programs, and who sends them.
#pragma once

#include <csignal>
#include <string>

namespace warpcheck {

// "signal 11 (segmentation fault)".
std::string SignalText(int signal);

// True for signals that come from outside the program: from the kernel when memory runs out, from a
// person, or from a scheduler. A mistake of the program itself ends it by another signal.
inline bool SentByOthers(int signal) {
  return signal == SIGKILL || signal == SIGTERM || signal == SIGINT || signal == SIGHUP ||
         signal == SIGQUIT;
}

}  // namespace warpcheck
