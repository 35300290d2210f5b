// Finds out which part of nvcc was ended by a signal, and whose fault that is. When one of its
// parts dies, nvcc goes on and exits as if it had found an error.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sandbox/sandbox.h"

namespace warpcheck::compile {

struct CompilerDeath {
  std::string part;  // such as "cicc"; "the compiler" if it is not known
  int signal = 0;

  // Returns a text like "cicc was killed by signal 9 (killed)".
  std::string Text() const;
};

// Returns nothing if nvcc ended normally, with an object or with errors. A submission can make the
// compiler print any text, so the text counts only if the compiler reported no error.
std::optional<CompilerDeath> FindDeath(const sandbox::Ending& ending);

enum class Standing : std::uint8_t {
  kVerdict,  // the compiler's own verdict, or a limit that the submission met; repeatable
  kCrash,    // a part crashed or found no memory; a verdict if it happens again
  kKilled,   // a part was killed from outside; says nothing about the submission
  kBusy,     // the wall time ran out before the processor time; says nothing either
};

// Says what the end of a compiler proves. Sets `why` to what it died of, and the ending's cause to
// the limit that a part of it met, if any. SIGKILL for one process alone means that the machine ran
// out of memory: a submission that exceeds its own limit makes an allocation fail, so that the
// compiler says so and exits, or the sandbox ends all processes (Cause::kMemory).
Standing StandingOf(sandbox::Ending& ending, std::string& why);

}  // namespace warpcheck::compile
