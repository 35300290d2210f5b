// Stops a command early, with an error and an exit status.
#pragma once

#include <utility>

#include "base/result.h"

namespace warpcheck {

// Prints the error to stderr and returns `status`. A program that has started this one may name a
// file in WARPCHECK_ERROR_FILE: it gets the error as JSON, with its kind.
int Complain(const Error& error, int status);

struct Stop {
  Error error;
  int status = 0;
};

// Gives the error of a result an exit status. It serves WARPCHECK_TRY in a function that returns a
// status or a Stop.
template <class T>
tl::expected<T, Stop> OrStop(int status, Result<T> result) {
  return std::move(result).map_error([&](Error error) { return Stop{std::move(error), status}; });
}

// Returns the exit status. If there is a Stop, prints its error first.
int StatusOf(const tl::expected<int, Stop>& end);

// Warns on stderr if a submission will run without isolation.
void WarnIfUnsandboxed(bool sandboxed);

}  // namespace warpcheck
