// Finds out which part of nvcc was ended by a signal, and who caused this. When one of its parts
// dies, nvcc continues and exits as if it had found an error.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sandbox/sandbox.h"

namespace warpcheck::compile {

struct CompilerDeath {
  std::string part;  // such as "cicc"; "the compiler" if the part is not known
  int signal = 0;

  // Returns a text like "cicc was killed by signal 9 (killed)".
  std::string Text() const;
};

// Returns nothing if nvcc ended normally, with an object or with errors. A submission can make the
// compiler print any text, so the text counts only if the compiler reported no error.
std::optional<CompilerDeath> FindDeath(const sandbox::Ending& ending);

enum class Standing : std::uint8_t {
  // The compiler judged the code, or the submission met a limit; a repetition gives the same.
  kVerdict,
  kCrash,   // a part crashed or found no memory; this is a verdict if it happens again
  kKilled,  // a part was killed from outside, which says nothing about the submission
  // The wall time ended before the processor time, which says nothing about the submission.
  kBusy,
};

// Classifies the end of a compiler. Sets `why` to the reason, and the ending's cause to the limit
// that a part of the compiler met, if any. SIGKILL for a single process means that the machine ran
// out of memory: if a submission exceeds its own limit, either an allocation fails, and the
// compiler says so and exits, or the sandbox ends all processes (Cause::kMemory).
Standing StandingOf(sandbox::Ending& ending, std::string& why);

}  // namespace warpcheck::compile
