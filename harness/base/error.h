// An expected failure as a value: what went wrong, where, and what the reader can do about it.
#pragma once

#include <string>

#include "base/source_location.h"

namespace warpcheck {

struct Error {
  std::string message;     // one sentence, no trailing period or newline
  SourceLocation where{};  // empty when the failure has no place in a file
  std::string hint{};      // what to do; may be empty

  // "file:line:column: error: message\n  hint", without the parts that are empty.
  std::string Text() const;

  friend bool operator==(const Error&, const Error&) = default;
};

}  // namespace warpcheck
