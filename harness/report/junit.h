// What the JUnit files of a student (JunitReport) and of a class (batch/marks/class_junit.cc) have
// in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/result.h"
#include "results/results.h"

namespace warpcheck {

// The element that says how a case ended: "failure", "error", "skipped"; null for one that passed.
const char* JunitElement(Verdict verdict);

// Of cases, by their elements.
struct JunitTally {
  int tests = 0;
  int failures = 0;
  int errors = 0;
  int skipped = 0;
  std::int64_t milliseconds = 0;

  void Add(Verdict verdict, std::int64_t took = 0);
  JunitTally& operator+=(const JunitTally& other);
};

// Keeps a file within a size: of its texts, `most` bytes as they stand there are kept, all of them
// Neutral (report/text.h), and later ones are left out.
class JunitTexts {
 public:
  explicit JunitTexts(std::size_t most) : most_(most) {}
  std::string Within(const std::string& text);

 private:
  const std::size_t most_;
  std::size_t used_ = 0;
};

// A last line that consumers of JUnit take a place from ("at transpose(transpose.cu:5)", as Java
// writes it: dorny/test-reporter, java-junit); empty where the place is not known.
std::string PlaceForJunit(const SourceLocation& where, const std::string& class_name);

}  // namespace warpcheck
