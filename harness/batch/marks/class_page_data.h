// Collects the data of the class's page (class_pages/class_page.h) from the class's table.
#pragma once

#include "batch/marks/table.h"
#include "class_pages/class_page.h"

namespace warpcheck::batch {

ClassPage PageOf(const Table& table);

}  // namespace warpcheck::batch
