// A part of nvcc that ended by a signal: which, and whose doing that is. nvcc goes on where one of
// its parts dies, and exits like one that found an error.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sandbox/sandbox.h"

namespace warpcheck::compile {

struct CompilerDeath {
  std::string part;  // "cicc"; "the compiler" where it is not known
  int signal = 0;

  // "cicc was killed by signal 9 (killed)"
  std::string Text() const;
};

// Nothing where nvcc ended in order, with an object or with errors. What the compiler prints may
// hold any text of the submission's, so it counts only where nobody found an error.
std::optional<CompilerDeath> FindDeath(const sandbox::Ending& ending);

enum class Standing : std::uint8_t {
  kVerdict,  // the compiler's own word, or a limit that the submission met: it would end so again
  kCrash,    // a part of it crashed, or found no memory: a verdict where it does so again
  kKilled,   // a part of it was killed from outside: says nothing about the submission
  kBusy,     // not ready after the wall time, though it had processor time left: neither does that
};

// What the end of a compiler is worth. `why` gets what it died of; the ending's cause becomes the
// limit that a part of it met, if one did. Memory that a submission is not given shows otherwise
// than by SIGKILL: an allocation fails, and the compiler says so and exits, or the sandbox ends all
// of it (Cause::kMemory). Only who is short of memory himself kills one process: the machine.
Standing StandingOf(sandbox::Ending& ending, std::string& why);

}  // namespace warpcheck::compile
