// Groups the complaints of many cases that are about one mistake.
#pragma once

#include <string>
#include <vector>

#include "grading/grade.h"

namespace warpcheck {

// One complaint with the cases that make it at this line. The complaints of a group have one
// IdOf().
struct ComplaintGroup {
  const Complaint* complaint = nullptr;  // the complaint of the first case; owned by the criterion
  std::vector<std::string> cases;        // the short names of the cases
};

// Returns the groups in the order of their first occurrence.
std::vector<ComplaintGroup> GroupComplaints(const CriterionGrade& criterion);

// Returns the names as "32x32, 33x31"; if there are more than `most`, as "32x32, ... (9)".
std::string CaseNames(const ComplaintGroup& group, std::size_t most);
// Returns CaseNames after "in every test: " if the group has all `cases` of the criterion, and
// otherwise after "in: ".
std::string CasesText(const ComplaintGroup& group, std::size_t cases, std::size_t most);

// A group of complaints of a criterion that lost points.
struct LostPoint {
  const CriterionGrade* criterion = nullptr;  // the criterion; owned by the grade
  ComplaintGroup group;
};

// Returns the groups in the order of the rubric.
std::vector<LostPoint> LostPoints(const Grade& grade);

// Returns the criterion to look at first: the first in the rubric that lost points and has a
// complaint about it. Returns null if there is no such criterion.
const CriterionGrade* FirstToFix(const Grade& grade);

// Returns "32x32" for "Shapes/Transpose.MatchesReference/32x32", and "Case" for "Suite.Case".
std::string ShortCaseName(const std::string& name);

// Returns the key in Attempt::sources of the file that a location names; empty if the file is not
// known.
std::string SourceName(const Attempt& attempt, const std::string& file);

// Returns the statement at that line of the submission's source, on one line; empty if it is not
// known.
std::string SourceLine(const Attempt& attempt, const SourceLocation& where);

}  // namespace warpcheck
