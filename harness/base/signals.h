// Signals that end programs: what they are called, and whose doing they are.
#pragma once

#include <csignal>
#include <string>

namespace warpcheck {

// "signal 11 (segmentation fault)".
std::string SignalText(int signal);

// True for signals that somebody sends: the kernel when memory runs out, a person, a scheduler.
// A program's own mistakes end it by others.
inline bool SentByOthers(int signal) {
  return signal == SIGKILL || signal == SIGTERM || signal == SIGINT || signal == SIGHUP ||
         signal == SIGQUIT;
}

}  // namespace warpcheck
