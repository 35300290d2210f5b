// Grades the mutants of one reference solution and finds those that the checks should have caught.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "labs/mutation/equivalents.h"
#include "labs/mutation/mutant.h"

namespace warpcheck::mutation {

struct CriterionPoints {
  std::string id;
  double points = 0;
  bool of_work = false;          // its cases judged the kernels' work
  bool judged = false;           // neither skipped nor undecided
  bool of_local_memory = false;  // its cases judged local memory only

  friend bool operator==(const CriterionPoints&, const CriterionPoints&) = default;
};

struct Grading {
  enum class Outcome : std::uint8_t {
    kKilled,      // it lost points
    kSurvived,    // full marks
    kUncompiled,  // does not compile, and is not counted
    kFault,       // grading itself failed
  };
  Outcome outcome = Outcome::kFault;
  std::string detail;                       // "80 of 100 points", or what failed
  std::vector<CriterionPoints> criteria{};  // only if the program was graded
  std::set<int> blamed{};                   // lines that complaints name
  unsigned local_bytes = 0;                 // of local memory for a thread, in the kernel with most
};

// Grades one program. Several threads call it at once, each with its own `worker`.
using Grader = std::function<Grading(const std::string& program, std::size_t worker)>;

struct Trial {
  Mutant mutant;
  Grading grading;
};

// Returns `all` if `sample` is 0, else `sample` of them, evenly spread and always the same.
template <typename T>
std::vector<T> Sample(std::vector<T> all, std::size_t sample) {
  if (sample == 0 || sample >= all.size()) return all;
  std::vector<T> some;
  for (std::size_t i = 0; i < sample; ++i) {
    some.push_back(std::move(all[(2 * i + 1) * all.size() / (2 * sample)]));
  }
  return some;
}

// Calls work(i, worker) for each i below `count`, in `workers` threads.
void InParallel(std::size_t count, std::size_t workers,
                const std::function<void(std::size_t i, std::size_t worker)>& work);

// Returns the results in the order of `mutants`, which `workers` threads grade. `done` is called
// after each, by one thread at a time.
std::vector<Trial> GradeMutants(const Source& source, std::vector<Mutant> mutants,
                                const Grader& grader, std::size_t workers,
                                const std::function<void(const Trial& trial)>& done);

struct Tally {
  std::size_t uncompiled = 0;
  std::size_t killed = 0;
  std::size_t equivalent = 0;           // survived, as listed
  std::vector<std::string> complaints;  // what makes the run fail, for people
};

// `all` are the names of every mutant of the file, also of those that were not tried.
Tally Judge(const Source& source, const std::vector<Trial>& trials,
            const std::vector<std::string>& all, const std::vector<Equivalent>& equivalents);

}  // namespace warpcheck::mutation
