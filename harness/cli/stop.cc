#include "cli/stop.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "base/files.h"

namespace warpcheck {

int Complain(const Error& error, int status) {
  const std::string line = fmt::format("warpcheck: {}\n", error.Text());
  fmt::print(stderr, "{}", line);
  if (const char* const file = std::getenv("WARPCHECK_ERROR_FILE")) {
    const nlohmann::ordered_json object = {{"kind", NameOf(error.kind)},
                                           {"message", error.message},
                                           {"hint", error.hint},
                                           {"printed", line}};
    (void)WriteFile(file, object.dump() + "\n");
  }
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
