// The reports that are written to files, each an option of `warpcheck check` by its name.
#pragma once

#include <span>
#include <string>

#include "grading/grade.h"

namespace warpcheck {

struct ReportFormat {
  const char* name;  // "junit": of --junit
  const char* what;  // "JUnit XML": "write ... to this file"
  std::string (*write)(const Grade& grade);
};

std::span<const ReportFormat> ReportFormats();

}  // namespace warpcheck
