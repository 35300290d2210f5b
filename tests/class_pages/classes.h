// Makes a typical and a hostile class for tests of the pages.
#pragma once

#include "class_pages/class_page.h"

namespace warpcheck {

ClassPage TypicalClass();

// Returns a class in which each text of a student is HostileText().
ClassPage HostileClass();

}  // namespace warpcheck
