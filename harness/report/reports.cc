#include "report/reports.h"

namespace warpcheck {

std::span<const ReportFormat> ReportFormats() {
  static constexpr ReportFormat kFormats[] = {
#define WARPCHECK_REPORT(name, function, what, reader) {name, what, function, Reader::reader},
#include "report/reports.def"
#undef WARPCHECK_REPORT
  };
  return kFormats;
}

}  // namespace warpcheck
