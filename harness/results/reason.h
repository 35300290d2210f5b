// A Reason says how a wrong element of a result was made, as plain data.
#pragma once

#include <string>

#include "base/record.h"
#include "base/source_location.h"
#include "device/types.h"

namespace warpcheck {

struct Reason {
  std::string element{};   // "c[5][7]"
  std::string kernel{};    // the kernel that stored it last, demangled
  SourceLocation where{};  // the line that stored it
  Dim3 block{};            // the blockIdx of the thread that stored it
  Dim3 thread{};           // its threadIdx
  std::string made_of{};   // what it is: "a sum of 16 products of ..."; empty if that is not known
  std::string expected{};  // the element that has the expected value: "in[222]"; may be empty

  friend bool operator==(const Reason&, const Reason&) = default;
};
WARPCHECK_FIELDS(Reason, element, kernel, where, block, thread, made_of, expected);

// A reason with the case whose element it is about.
struct CaseReason {
  std::string case_name;
  Reason reason;

  friend bool operator==(const CaseReason&, const CaseReason&) = default;
};
WARPCHECK_FIELDS(CaseReason, case_name, reason);

// Returns the reason in words: "c[5][7] was stored in line 28 by thread (7, 5, 0) of block (0, 0,
// 0); it is a sum of 16 products of a[5][0..15] and b[0..15][7]".
std::string Text(const Reason& reason);

}  // namespace warpcheck
