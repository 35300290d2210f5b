#include "report/reports.h"

namespace warpcheck {

std::span<const ReportFormat> ReportFormats() {
  static constexpr ReportFormat kFormats[] = {
      {"junit", "JUnit XML", JunitReport},
      {"json", "JSON", JsonReport},
      {"html", "a page for a browser", HtmlReport},
      {"gradescope", "Gradescope's results.json", GradescopeReport},
      {"classroom", "what GitHub Classroom's reporter reads, before base64,", ClassroomReport},
      {"diagnostics", "complaints in the form of a compiler's", DiagnosticsReport},
      {"annotations", "GitHub's workflow commands", AnnotationsReport},
      {"summary", "a page part for GitHub's step summary", SummaryReport},
      {"code-quality", "GitLab's code quality report", CodeQualityReport},
  };
  return kFormats;
}

}  // namespace warpcheck
