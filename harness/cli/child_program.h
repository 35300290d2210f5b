// A program that runs in the foreground in place of this one: it has this one's terminal, streams
// and signals.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "process/child_process.h"

namespace warpcheck {

// Runs it to its end with the calling process's environment and `variables` ("NAME=value"), in its
// process group, so that Ctrl-C and Ctrl-Z reach it as without us. Meanwhile this process outlives
// SIGINT and SIGQUIT, and hands SIGTERM and SIGHUP on. `arguments` begin with the program's name as
// it is to see it. Fails where it cannot be started.
Result<ChildEnd> RunInForeground(const std::filesystem::path& program,
                                 const std::vector<std::string>& arguments,
                                 const std::vector<std::string>& variables);

// Ends this process as the child ended: by the same signal, without a core file, or returns its
// status.
int EndLike(const ChildEnd& end);

}  // namespace warpcheck
