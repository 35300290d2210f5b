#include "cli/stop_signal.h"

#include <csignal>
#include <initializer_list>

namespace warpcheck {
namespace {

volatile std::sig_atomic_t stop_signal = 0;

void OnStop(int signal) { stop_signal = signal; }

}  // namespace

void WatchForStop() {
  struct sigaction action = {};
  action.sa_handler = OnStop;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaction(signal, &action, nullptr);
  std::signal(SIGXFSZ, SIG_IGN);
}

int StopSignal() { return stop_signal; }

}  // namespace warpcheck
