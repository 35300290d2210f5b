// Runs a program in the foreground in place of this one, with its terminal, streams and signals.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "process/child_process.h"

namespace warpcheck {

// Runs the program to its end, with the environment of this process and `variables` ("NAME=value").
// The program is in the same process group, so that Ctrl-C and Ctrl-Z reach it. Meanwhile SIGINT
// and SIGQUIT do not end this process, and it forwards SIGTERM and SIGHUP. The first of `arguments`
// is the name that the program sees as its own. Fails if the program cannot be started.
Result<ChildEnd> RunInForeground(const std::filesystem::path& program,
                                 const std::vector<std::string>& arguments,
                                 const std::vector<std::string>& variables);

// Ends this process as the child ended: by the same signal, without a core file; or returns the
// exit status of the child.
int EndLike(const ChildEnd& end);

}  // namespace warpcheck
