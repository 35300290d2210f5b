// A part of nvcc that ended by a signal: which, and whose doing that is. nvcc goes on where one of
// its parts dies, and exits like one that found an error.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sandbox/sandbox.h"

namespace warpcheck::build {

struct CompilerDeath {
  std::string part;  // "cicc"; "the compiler" where it is not known
  int signal = 0;

  // "cicc was killed by signal 9 (killed)"
  std::string Text() const;
};

// Nothing where nvcc ended in order, with an object or with errors. What the compiler prints may
// hold any text of the submission's, so it counts only where nobody found an error.
std::optional<CompilerDeath> FindDeath(const sandbox::Ending& ending);

enum class Culprit : std::uint8_t {
  kLimit,    // the sandbox, for a limit that the submission has met
  kCrash,    // the compiler itself, on this input or by chance: a second try tells
  kMachine,  // somebody else on this machine: the out-of-memory killer, an operator
};

// By the signal. Memory that the submission is not given shows otherwise: an allocation fails, and
// the compiler says so and exits, or the sandbox ends all of it (Cause::kMemory). Only who is short
// of memory himself kills one process: the machine.
Culprit CulpritOf(int signal);

}  // namespace warpcheck::build
