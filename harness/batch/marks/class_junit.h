// Writes a class's grades as JUnit XML, for the file junit.xml.
#pragma once

#include <string>

#include "batch/marks/table.h"

namespace warpcheck::batch {

// Returns one flat suite for each student, with a case for each criterion. It uses the subset of
// JUnit XML that JunitReport (report/reports.h) uses. Long texts are cut and later texts left out,
// so that 10,000 students take less than 30 MB.
std::string ClassJunit(const Table& table);

}  // namespace warpcheck::batch
