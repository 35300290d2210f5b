#include "device/finding_merge.h"

#include <algorithm>

namespace warpcheck {
namespace {

bool TellTheSame(const Finding& a, const Finding& b) {
  if (a.kind != b.kind || a.where != b.where || a.other != b.other) return false;
  return a.where.known() || (a.kernel == b.kernel && a.message == b.message);
}

}  // namespace

void AddFinding(std::vector<Finding>& findings, const Finding& finding) {
  const auto known = std::ranges::find_if(
      findings, [&](const Finding& other) { return TellTheSame(other, finding); });
  if (known == findings.end()) {
    findings.push_back(finding);
  } else {
    known->count += finding.count;
  }
}

}  // namespace warpcheck
