// What a signal that ended a program of ours says about whose doing that was.
#pragma once

#include <csignal>

namespace warpcheck {

// True for signals that somebody sends: the kernel when memory runs out, a person, a scheduler.
// A program's own mistakes end it by others.
inline bool SentByOthers(int signal) {
  return signal == SIGKILL || signal == SIGTERM || signal == SIGINT || signal == SIGHUP ||
         signal == SIGQUIT;
}

}  // namespace warpcheck
