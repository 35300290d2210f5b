// Two devices' measurements of the same launches, compared source line by source line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "labs/parity/measurements.h"

namespace warpcheck::parity {

// The list of disagreements that are known, each with its cause. docs/parity.md explains the
// causes.

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

// Of one counter, over all lines at which either device counted something for it.
struct Figure {
  std::string counter;
  std::uint64_t agreeing = 0;
  std::uint64_t lines = 0;
  std::uint64_t known = 0;  // lines that disagree for a cause that is listed
};

struct Disagreement {
  std::string launch;  // "subject case #index"
  std::string subject;
  std::string counter;  // or kLaunches, where the launches themselves differ
  SourceLocation where;
  std::string first;  // what each device has: a number, or text
  std::string second;
  std::string cause;  // of the list; empty where it is not listed
};

struct Comparison {
  std::string first;  // devices
  std::string second;
  std::uint64_t launches = 0;     // compared line by line
  std::uint64_t not_counted = 0;  // by neither device, so that there is nothing to compare
  std::uint64_t unmeasured = 0;   // that the second device has not made: new since then
  std::vector<Figure> figures;    // the counters of the file, and excessive wavefronts
  std::vector<Disagreement> disagreements;
  std::vector<KnownDifference> stale;  // listed, but there is no such disagreement

  // Something was compared, and every disagreement is listed, and the other way around.
  bool AsExpected() const;
};

// Launches are matched by subject, case and index. `second` may lack some, not the other way
// around.
Comparison Compare(const Measurements& first, const Measurements& second,
                   const std::vector<KnownDifference>& known);

// A row for the list of known disagreements for each that is not on it, once a cause stands in
// place of "?".
std::string RowsFor(const Comparison& comparison);

// For people: the figures, each disagreement that is not listed, and counts of those that are, by
// cause; with `all`, the listed ones too.
std::string ToText(const Comparison& comparison, bool all);

}  // namespace warpcheck::parity
