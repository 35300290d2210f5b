// Says in one sentence whether a GPU would give the same results as the emulator, to the last bit.
#pragma once

#include <functional>
#include <string>

#include "base/source_location.h"
#include "grading/grade.h"
#include "run/journal.h"

namespace warpcheck {

// Empty if the program ran no kernel and met no limit. `shown` returns a place as the reader would
// write it.
std::string ExactnessText(const run::ProcessResult& process,
                          const std::function<std::string(const SourceLocation&)>& shown);

// Empty if the emulator ran no kernel of the submission and met no limit, and if a GPU judged
// alone. The cases of the grade decide, so that a student's view says nothing of hidden cases.
std::string ExactnessText(const Grade& grade);

}  // namespace warpcheck
