#include "checks/not_graded.h"

#include <cstdio>
#include <cstdlib>

#include "results/results.h"

namespace warpcheck {

// What it started ends with it: they hold the other ends of its sockets.
void EndNotGraded(const std::string& why) {
  std::fflush(nullptr);
  std::fprintf(stderr, "\n%s\n", why.c_str());
  std::_Exit(kNotGradedStatus);
}

}  // namespace warpcheck
