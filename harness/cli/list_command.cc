#include "cli/list_command.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/json/text.h"
#include "cli/exit_status.h"
#include "cli/stop.h"
#include "grading/points.h"
#include "host/courses.h"

namespace warpcheck {
namespace {

using nlohmann::ordered_json;

ordered_json Listed(const Assignment& assignment, const Result<Rubric>& rubric) {
  return {{"name", assignment.name},
          {"title", rubric ? rubric->title : ""},
          {"points", rubric ? rubric->Total().Number() : 0},
          {"course", assignment.course.string()},
          {"error", rubric ? ordered_json() : ordered_json(rubric.error().Text())}};
}

tl::expected<int, Stop> List(const std::filesystem::path& json) {
  const auto all = WARPCHECK_TRY(OrStop(kExitUsage, Courses().and_then(ListAssignments)));
  int status = kExitFull;
  ordered_json listed = ordered_json::array();
  for (const Assignment& assignment : all) {
    const auto rubric = RubricOf(assignment);
    if (rubric) {
      fmt::print("{:<20} {} ({}), in {}\n", assignment.name, rubric->title,
                 Counted(rubric->Total()), assignment.course.string());
    } else {
      status = Complain(rubric.error(), kExitFault);
    }
    listed.push_back(Listed(assignment, rubric));
  }
  if (json.empty()) return status;
  const std::string text = JsonText(ordered_json{{"assignments", listed}}, 2) + "\n";
  WARPCHECK_TRY(OrStop(kExitFault, WriteFile(json, text)));
  return status;
}

}  // namespace

int ListCommand(const std::filesystem::path& json) { return StatusOf(List(json)); }

}  // namespace warpcheck
