// Proposes the changes of a submission's kernels that are worth trying.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/source_location.h"
#include "experiments/change.h"
#include "ptx/module.h"

namespace warpcheck::experiments {

// A Scope says what the failing call showed of a program.
struct Scope {
  std::function<bool(std::string_view file)> is_student_file;
  // Returns whether a launch executed this line; the column does not count.
  std::function<bool(const SourceLocation& line)> ran;
  std::vector<std::string> kernels;  // the mangled names of the kernels that were launched
  bool has_race = false;             // true to propose barriers
};

// Returns changes of the modules, each of one place of the source, in the order in which to try
// them. Instructions that a template has made several times from one place change together. The
// modules must outlive the changes.
std::vector<Change> ChangesOf(const std::vector<std::shared_ptr<const ptx::Module>>& modules,
                              const Scope& scope);

}  // namespace warpcheck::experiments
