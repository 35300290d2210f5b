#include "cli/stop.h"

#include <fmt/format.h>

#include <cstdio>

namespace warpcheck {

int Complain(const Error& error, int status) {
  fmt::print(stderr, "warpcheck: {}\n", error.Text());
  return status;
}

int StatusOf(const tl::expected<int, Stop>& end) {
  return end ? *end : Complain(end.error().error, end.error().status);
}

void WarnIfUnsandboxed(bool sandboxed) {
  if (sandboxed) return;
  fmt::print(
      stderr,
      "warpcheck: warning: --no-sandbox: the submission runs with all your rights. Use it for "
      "code you trust.\n");
}

}  // namespace warpcheck
