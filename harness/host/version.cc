#include "host/version.h"

namespace warpcheck {

const char* const kVersion = "warpcheck " WARPCHECK_VERSION;

}  // namespace warpcheck
