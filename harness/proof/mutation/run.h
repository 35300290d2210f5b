// Grades the mutants of one reference solution and finds those that the checks should have caught.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "proof/mutation/equivalents.h"
#include "proof/mutation/mutant.h"

namespace warpcheck::mutation {

struct CriterionPoints {
  std::string id;
  double points = 0;
  bool of_work = false;          // true if its cases judged the kernels' work
  bool judged = false;           // true if it was not skipped, and was decided
  bool of_local_memory = false;  // true if its cases judged only local memory

  friend bool operator==(const CriterionPoints&, const CriterionPoints&) = default;
};

struct Grading {
  enum class Outcome : std::uint8_t {
    kKilled,      // the mutant lost points
    kSurvived,    // the mutant kept full marks
    kUncompiled,  // the mutant does not compile, and is not counted
    kFault,       // the grading itself failed
  };
  Outcome outcome = Outcome::kFault;
  // Such as "80 of 100 points", or the text of the failure.
  std::string detail;
  std::vector<CriterionPoints> criteria{};  // set only if the program was graded
  std::set<int> blamed{};                   // the lines that complaints name
  // Bytes of local memory of a thread, in the kernel with most of them.
  unsigned local_bytes = 0;
  // The lines that the report takes for the mistake, the likeliest first: those of experiments, or
  // else of complaints. Experiments are made only if the grader was asked for them.
  std::vector<int> named{};
  bool named_by_experiments = false;
};

// Grades one program. Several threads call this at once, each with its own `worker`.
using Grader = std::function<Grading(const std::string& program, std::size_t worker)>;

struct Trial {
  Mutant mutant;
  Grading grading;
};

// Returns the results in the order of `mutants`, which `workers` threads grade. Calls `done` after
// each, by one thread at a time.
std::vector<Trial> GradeMutants(const Source& source, std::vector<Mutant> mutants,
                                const Grader& grader, std::size_t workers,
                                const std::function<void(const Trial& trial)>& done);

struct Tally {
  std::size_t uncompiled = 0;
  std::size_t killed = 0;
  std::size_t equivalent = 0;           // how many mutants survived and are listed
  std::vector<std::string> complaints;  // the reasons why the run fails, as texts for people
};

// `all` are the names of every mutant of the file, also of those that were not tried.
Tally Judge(const Source& source, const std::vector<Trial>& trials,
            const std::vector<std::string>& all, const std::vector<Equivalent>& equivalents);

}  // namespace warpcheck::mutation
