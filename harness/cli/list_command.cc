#include "cli/list_command.h"

#include <fmt/format.h>

#include "cli/exit_status.h"
#include "cli/stop.h"
#include "grading/points.h"
#include "host/courses.h"

namespace warpcheck {

int ListCommand() {
  const auto all = Courses().and_then(ListAssignments);
  if (!all) return Complain(all.error(), kExitUsage);
  int status = 0;
  for (const Assignment& assignment : *all) {
    const auto rubric = RubricOf(assignment);
    if (rubric) {
      fmt::print("{:<20} {} ({}), in {}\n", assignment.name, rubric->title,
                 Counted(rubric->Total()), assignment.course.string());
    } else {
      status = Complain(rubric.error(), kExitFault);
    }
  }
  return status;
}

}  // namespace warpcheck
