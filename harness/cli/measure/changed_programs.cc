#include "cli/measure/changed_programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "base/in_parallel.h"
#include "cli/exit_status.h"
#include "cli/stop.h"
#include "host/courses.h"
#include "host/interrupt.h"
#include "host/places.h"
#include "proof/mutation/grader.h"

namespace warpcheck {
namespace {

namespace fs = std::filesystem;

bool HasReference(const Assignment& assignment) {
  std::error_code error;
  return fs::exists(assignment.home / "reference" / (assignment.name + ".cu"), error);
}

Result<std::vector<Assignment>> Chosen(const ChangedPrograms& options) {
  std::vector<Assignment> chosen;
  if (options.assignments.empty()) {
    auto all = Courses().and_then(ListAssignments);
    if (!all) return all;
    std::erase_if(*all, [](const Assignment& one) { return !HasReference(one); });
    if (all->empty())
      return Fail("there is no course with references here", {}, "change to its folder");
    return all;
  }
  for (const std::string& name : options.assignments) {
    auto assignment = WARPCHECK_TRY(AssignmentNamed(name));
    if (!HasReference(assignment)) {
      return Fail(fmt::format("{} has no reference in {}", name, assignment.course.string()), {},
                  "run this in the course of the assignment, which has the reference");
    }
    chosen.push_back(std::move(assignment));
  }
  return chosen;
}

}  // namespace

fs::path ScratchOf(const Assignment& assignment, const std::string& name) {
  return assignment.checks.parent_path() / name;
}

mutation::Grader GraderOf(const Assignment& assignment, const fs::path& scratch,
                          const ChangedPrograms& options) {
  // Owns the temporary files of one grading, including the files of the program that grades. The
  // destructor removes them.
  auto interrupt = EndsAtInterrupt::Make(mutation::WorkIn(scratch));
  std::shared_ptr<EndsAtInterrupt> keeper = interrupt ? *std::move(interrupt) : nullptr;
  auto grade = mutation::MakeGrader({.warpcheck = Programs() / "warpcheck",
                                     .scratch = scratch,
                                     .experiments = options.where,
                                     .sandboxed = !options.no_sandbox},
                                    assignment.name);
  return [grade = std::move(grade), keeper = std::move(keeper)](
             const std::string& program, std::size_t worker) { return grade(program, worker); };
}

std::size_t WorkersOf(const ChangedPrograms& options) { return WorkersFor(options.jobs); }

int ForEach(const ChangedPrograms& options,
            const std::function<int(const Assignment& assignment)>& run) {
  const auto chosen = Chosen(options);
  if (!chosen) return Complain(chosen.error(), kExitUsage);
  int worst = kExitFull;
  for (const Assignment& assignment : *chosen) worst = std::max(worst, run(assignment));
  return worst;
}

}  // namespace warpcheck
