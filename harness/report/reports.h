// This file declares the reports of a grade that are written to files.
//
// Each report is a function of the finished grade, in a file of its own. The file's opening comment
// names the format that it writes. To add a report, write its file and its row in reports.def. A
// report is made in three steps: complaints about one mistake are put together
// (report/complaint_groups.h), texts of the submission are made safe to show, and the format is
// written.
#pragma once

#include <span>
#include <string>

#include "grading/grade.h"

namespace warpcheck {

#define WARPCHECK_REPORT(name, function, what, reader) std::string function(const Grade& grade);
#include "report/reports.def"
#undef WARPCHECK_REPORT

// Says who reads a report: the student, from whom hidden criteria are kept (grading/student_view.h)
// before it is written; or a platform, which needs their points and keeps their texts from
// students.
enum class Reader { kStudent, kPlatform };

struct ReportFormat {
  const char* name;  // such as "junit" for the option --junit
  const char* what;  // such as "JUnit XML"
  std::string (*write)(const Grade& grade);
  Reader reader;
};

// Returns all reports, in the order of reports.def.
std::span<const ReportFormat> ReportFormats();

}  // namespace warpcheck
