// StopSignals lets a running launch end well when the process is told to end by a signal, so that
// what was found until then is kept (Ctrl-C, `kill`, the end of a time limit).
//
// It takes only signals for which the program has no handler of its own. Outside of launches such a
// signal ends the process at once, as without it. Within one it asks the launch to stop; the
// process ends by the same signal when the launch has been recorded. A second signal ends it at
// once.
//
// Signals are per process, and so are these functions.
#pragma once

namespace warpcheck::run {

class StopSignals {
 public:
  // Call these when a launch begins, and when it has been recorded. EndLaunch() may not return.
  static void BeginLaunch();
  static void EndLaunch();
};

}  // namespace warpcheck::run
