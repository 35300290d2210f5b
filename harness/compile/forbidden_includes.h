// Finds the headers that a submission includes although its exercise forbids them, and compiles it
// without those that it does not need.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compile/messages/compile_error.h"
#include "compile/nvcc_command.h"
#include "compile/nvcc_run.h"
#include "compile/source/sources.h"

namespace warpcheck::compile {

// A line that includes a forbidden header.
struct ForbiddenInclude {
  SourceLocation where;
  std::string header;  // the name by which the line calls it
};

// Runs the preprocessor alone, once as for the device and once as for the host, and returns the
// lines that include forbidden headers, each once, also of headers that this machine does not have.
// Does nothing for sources whose #include lines can name no such header. So headers that take a
// minute to compile are found in a second. What it does not find is found after the compilation.
Result<std::vector<ForbiddenInclude>> FindBeforeCompiling(sandbox::Sandbox& sandbox,
                                                          const NvccRun& run, const Places& places);

// Returns the sources without these lines, and nothing if one of them is not there. The other
// lines keep their numbers.
std::optional<Sources> Without(const std::vector<ForbiddenInclude>& lines, Sources sources);

// Returns the error for a line that includes what is not allowed. `what` is its message.
CompileError NotAllowed(SourceLocation where, const std::string& what, const Language& language);
CompileError NotAllowed(const ForbiddenInclude& include, const Language& language);

// Returns the warnings for lines that the program does not need.
std::string NeedlessWarnings(const std::vector<ForbiddenInclude>& lines);

// Returns an error for the first header that is not allowed, or the first line that could hide one;
// nothing if there is none. nvcc has compiled the program, and has kept the preprocessor's output.
Result<std::optional<CompileError>> FindAfterCompiling(const NvccRun& run, const Places& places);

}  // namespace warpcheck::compile
