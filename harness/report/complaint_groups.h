// Complaints of many cases, those that are one mistake put together.
#pragma once

#include <string>
#include <vector>

#include "grading/grade.h"

namespace warpcheck {

// One complaint, and the cases that make it at this line; only its numbers may differ from case to
// case.
struct ComplaintGroup {
  const Complaint* complaint = nullptr;  // of the first case; owned by the criterion
  std::vector<std::string> cases;        // short names
};

// In the order of their first occurrence.
std::vector<ComplaintGroup> GroupComplaints(const CriterionGrade& criterion);

// "32x32, 33x31", of more than `most` "32x32, ... (9)".
std::string CaseNames(const ComplaintGroup& group, std::size_t most);
// The same behind "in every test: " where the criterion has no others among its `cases`,
// else "in: ".
std::string CasesText(const ComplaintGroup& group, std::size_t cases, std::size_t most);

// The first line with its numbers and addresses left out: what complaints of one mistake have in
// common.
std::string Gist(const std::string& message);

// A group of a criterion that does not have all its points.
struct LostPoint {
  const CriterionGrade* criterion = nullptr;  // owned by the grade
  ComplaintGroup group;
};

// In the order of the rubric.
std::vector<LostPoint> LostPoints(const Grade& grade);

// The criterion to look at first: of those that lost points by what their cases say, the first in
// the order of the rubric. Null where there is none.
const CriterionGrade* FirstToFix(const Grade& grade);

// "Shapes/Transpose.MatchesReference/32x32" to "32x32"; "Suite.Case" to "Case".
std::string ShortCaseName(const std::string& name);

// The file of Attempt::sources that a location means by its name; empty if it is not known.
std::string SourceName(const Attempt& attempt, const std::string& file);

// The statement at that line of a submission's source, as one line; empty if it is not known.
std::string SourceLine(const Attempt& attempt, const SourceLocation& where);

}  // namespace warpcheck
