#include "host/nvcc.h"

#include <chrono>

#include "base/programs.h"
#include "process/run_program.h"

namespace warpcheck {

namespace fs = std::filesystem;

std::optional<ChosenNvcc> ChooseNvcc() {
  const std::string cuda_home = Environment("CUDA_HOME");
  const ChosenNvcc in_order[] = {
      {cuda_home.empty() ? fs::path() : fs::path(cuda_home) / "bin/nvcc", "CUDA_HOME names it"},
      {PythonToolkit() / "bin/nvcc", "it is in NVIDIA's Python packages"},
      {WARPCHECK_NVCC_DEFAULT, "warpcheck was built with it"},
      {OnPath("nvcc").value_or(fs::path()), "it is on PATH"},
      {"/usr/local/cuda/bin/nvcc", "CUDA is usually there"}};
  for (const ChosenNvcc& one : in_order) {
    if (IsExecutable(one.path)) return one;
  }
  return std::nullopt;
}

Result<fs::path> Nvcc() {
  const auto chosen = ChooseNvcc();
  if (chosen) return chosen->path;
  return Fail("nvcc is not found in CUDA_HOME or on PATH", {},
              "install the CUDA Toolkit, or warpcheck's wheel with its extra, `pip install "
              "'./FILE.whl[toolkit]'`; `warpcheck doctor` shows what else is missing");
}

std::string VersionOf(const fs::path& program, std::string_view mark) {
  const auto end = RunProgram({.program = program,
                               .arguments = {"--version"},
                               .limit = std::chrono::seconds(10),
                               .max_output = 4096});
  if (!end || !end->Succeeded()) return {};
  const std::size_t at = end->output.find(mark);
  if (at == std::string::npos) return {};
  return end->output.substr(at, end->output.find('\n', at) - at);
}

}  // namespace warpcheck
