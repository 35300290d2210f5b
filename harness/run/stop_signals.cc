#include "run/stop_signals.h"

#include <signal.h>

#include <atomic>

#include "emulator/core/stop_request.h"

namespace warpcheck::run {
namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

// The handler uses only these.
std::atomic<bool> in_launch = false;
std::atomic<int> received = 0;  // the signal that asked for the end; 0 if none has

void EndBy(int signal) {
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

void OnSignal(int signal) {
  const bool first = received.exchange(signal) == 0;
  if (!first || !in_launch) return EndBy(signal);
  emulator::AskToStop();
}

void Take(int signal) {
  struct sigaction action = {};
  if (::sigaction(signal, nullptr, &action) != 0 || action.sa_handler != SIG_DFL) return;
  action.sa_handler = OnSignal;
  action.sa_flags = SA_RESTART | SA_ONSTACK;
  ::sigaction(signal, &action, nullptr);
}

}  // namespace

void StopSignals::BeginLaunch() {
  static const bool taken = [] {
    for (const int signal : kSignals) Take(signal);
    return true;
  }();
  in_launch = taken;
}

void StopSignals::EndLaunch() {
  in_launch = false;
  if (const int signal = received; signal != 0) EndBy(signal);
}

}  // namespace warpcheck::run
