// A CompileError is an error of the compiler or the linker: a mistake of the submission.
#pragma once

#include <string>

#include "base/record.h"
#include "base/result.h"

namespace warpcheck::compile {

struct CompileError {
  std::string log;       // nvcc's text, in which files have the student's own names
  SourceLocation where;  // the place of the first error; empty if the error has no place
  std::string message;   // the message of the first error
};
WARPCHECK_FIELDS(CompileError, log, where, message);

}  // namespace warpcheck::compile
