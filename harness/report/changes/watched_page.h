// Makes the student's page for a file that is graded again whenever it is saved.
#pragma once

#include <string>
#include <vector>

#include "grading/grade.h"

namespace warpcheck {

// Returns the student's page with the sentences of GradeChanges at its top, if there are any. The
// page reloads itself after so many seconds; after 0, never.
std::string WatchedPage(const Grade& grade, const std::vector<std::string>& changes, int refresh);

}  // namespace warpcheck
