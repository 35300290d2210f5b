#include "compile/nvcc_command.h"

#include "compile/large_pages.h"
#include "sandbox/bubblewrap.h"

namespace warpcheck::compile {
namespace {

namespace fs = std::filesystem;

constexpr char kInside[] = "/submission";
constexpr char kOutput[] = "/output";

}  // namespace

Places PlacesOf(const sandbox::Sandbox& sandbox, const NvccRun& run) {
  if (sandbox.isolates()) return {kInside, kOutput};
  return {run.work / "in", run.work / "out"};
}

sandbox::Command CommandOf(const NvccRun& run, const fs::path& program) {
  const fs::path toolkit = run.nvcc.parent_path().parent_path();
  sandbox::Command command;
  command.arguments = {program.string()};
  command.environment = {"PATH=/usr/bin:/bin", "TMPDIR=/tmp", "LC_ALL=C", kLargePages};
  command.mounts = {{.outside = toolkit, .inside = toolkit},
                    {.outside = run.work / "in", .inside = kInside},
                    {.outside = run.work / "out", .inside = kOutput, .writable = true}};
  std::error_code failure;
  if (fs::is_directory(kLargePagesInfo, failure)) {
    command.mounts.push_back({.outside = kLargePagesInfo, .inside = kLargePagesInfo});
  }
  command.calls = sandbox::Calls::kCompiler;
  command.limits = run.limits;
  return command;
}

sandbox::Command NvccCommand(const NvccRun& run, const Places& places) {
  sandbox::Command command = CommandOf(run, run.nvcc);
  for (const std::string& flag : NvccFlags(run.language, run.ptx_target)) {
    command.arguments.push_back(flag);
  }
  command.arguments.push_back("-I" + places.sources);
  return command;
}

}  // namespace warpcheck::compile
