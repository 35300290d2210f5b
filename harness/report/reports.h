// The reports: functions of a finished grade, or of a finished validation.
#pragma once

#include <span>
#include <string>

#include "grading/grade.h"
#include "grading/validation.h"

namespace warpcheck {

// The schema that docs and CI rely on; counters under the names of device/counters.h. Two runs with
// one seed differ in the fields called "seconds" alone.
std::string JsonReport(const Grade& grade);

// The subset of JUnit XML that Ant, Surefire, Jenkins, GitLab and the report actions accept: one
// flat suite a criterion, so that consumers which sum up by suite show the rubric. Under 30 MB,
// whatever the submission does: long texts are cut.
std::string JunitReport(const Grade& grade);

// Gradescope's results.json, one test a criterion. Where the score is not final, nobody should get
// it: give Gradescope no file then, and it says that the autograder failed.
std::string GradescopeReport(const Grade& grade);

// What GitHub Classroom's reporter reads, before base64.
std::string ClassroomReport(const Grade& grade);

// GitHub's workflow commands, a line each: errors beside the student's lines, and the score. For
// stdout of a step, outside of what the submission can print to.
std::string AnnotationsReport(const Grade& grade);

// What GitHub shows on the page of a run: for the file that GITHUB_STEP_SUMMARY names.
std::string SummaryReport(const Grade& grade);

// A page for a browser, complete in itself: that of report/student_page.h.
std::string HtmlReport(const Grade& grade);

// A line a complaint, as compilers print them: for editors.
std::string DiagnosticsReport(const Grade& grade);

// GitLab's code quality report: complaints that have a line.
std::string CodeQualityReport(const Grade& grade);

struct TerminalStyle {
  bool colours = false;
  int width = 80;  // columns; 60 to 100 are used
};

// What a student reads. Everything the submission controls is stripped of control characters.
std::string TerminalReport(const Grade& grade, const TerminalStyle& style);

// What an author reads of a validated assignment: a line for each program, with its problems under
// it, and one for each criterion.
std::string ValidationReport(const Validation& validation, const TerminalStyle& style);

// The reports that are written to files, each an option of `warpcheck check` by its name.

struct ReportFormat {
  const char* name;  // "junit": of --junit
  const char* what;  // "JUnit XML": "write ... to this file"
  std::string (*write)(const Grade& grade);
};

std::span<const ReportFormat> ReportFormats();

}  // namespace warpcheck
