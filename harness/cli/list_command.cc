#include <fmt/format.h>

#include "base/files.h"
#include "cli/commands.h"
#include "cli/places.h"
#include "grading/assignments.h"
#include "grading/rubric.h"

namespace warpcheck {

int ListCommand() {
  const auto all = Courses().and_then(ListAssignments);
  if (!all) {
    fmt::print(stderr, "warpcheck: {}\n", all.error().Text());
    return kExitUsage;
  }
  int status = 0;
  for (const Assignment& assignment : *all) {
    const auto toml = ReadFile(assignment.rubric);
    const auto rubric = toml ? ParseRubric(*toml, assignment.rubric.string())
                             : Result<Rubric>(tl::unexpect, toml.error());
    if (rubric) {
      fmt::print("{:<20} {} ({} points), in {}\n", assignment.name, rubric->title,
                 rubric->Total().Text(), assignment.course.string());
    } else {
      fmt::print(stderr, "warpcheck: {}\n", rubric.error().Text());
      status = kExitFault;
    }
  }
  return status;
}

}  // namespace warpcheck
