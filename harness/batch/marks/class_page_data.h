// Collects the data of the class's page (report/html/class_page.h) from the class's table.
#pragma once

#include "batch/marks/table.h"
#include "report/html/class_page.h"

namespace warpcheck::batch {

ClassPage PageOf(const Table& table);

}  // namespace warpcheck::batch
