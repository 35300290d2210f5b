// These parts are common to the JUnit files of a student (JunitReport) and of a class (ClassJunit).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "results/results.h"

namespace warpcheck {

// Returns clean text (CleanText) without the marks that make a consumer attach files or set
// properties.
std::string Neutral(std::string_view text, std::size_t max_bytes = 4096);

// Returns the element that says how a case ended, "failure", "error" or "skipped", or null for a
// case that passed.
const char* JunitElement(Verdict verdict);

// The numbers of cases, by their elements.
struct JunitTally {
  int tests = 0;
  int failures = 0;
  int errors = 0;
  int skipped = 0;
  std::int64_t milliseconds = 0;

  void Add(Verdict verdict, std::int64_t took = 0);
  JunitTally& operator+=(const JunitTally& other);
};

// Limits the size of a file: passes texts on until they have taken `most` bytes, counted as they
// are written to the file, and leaves later texts out.
class JunitTexts {
 public:
  explicit JunitTexts(std::size_t most) : most_(most) {}
  // Returns the text as Neutral does, or an empty text once the limit is reached.
  std::string Within(const std::string& text);

 private:
  const std::size_t most_;
  std::size_t used_ = 0;
};

// Returns a last line from which consumers of JUnit read a place, such as "at
// transpose(transpose.cu:5)", in the form of Java (dorny/test-reporter, java-junit); empty if the
// place is not known.
std::string PlaceForJunit(const SourceLocation& where, const std::string& class_name);

}  // namespace warpcheck
