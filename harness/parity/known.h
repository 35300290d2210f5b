// The list of disagreements that are known, each with its cause. docs/parity.md explains the
// causes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/source_location.h"

namespace warpcheck::parity {

// In place of a counter's name: the launches themselves differ, or one device could not count it.
inline constexpr std::string_view kLaunches = "launch";

// One row of the list: "cause counter subject file:line", where subject may hold * and ?, and a
// place of "-" stands for a launch as a whole. It covers all cases of the subject.
struct KnownDifference {
  std::string cause;  // a word, "merged-loads"
  std::string counter;
  std::string subject;
  std::string place;
  SourceLocation where;  // of the row, for messages

  bool Covers(std::string_view of_counter, std::string_view of_subject,
              const SourceLocation& at) const;
};

// Rows by line; # begins a comment. The error names `file` and the line.
Result<std::vector<KnownDifference>> ParseKnown(std::string_view text, const std::string& file);

}  // namespace warpcheck::parity
