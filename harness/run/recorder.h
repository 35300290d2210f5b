// The log of the device inside a program: what happened goes to the journal, and what kernels print
// to the program's own output, when a GPU would show it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "device/device.h"
#include "emulator/code/program.h"
#include "emulator/core/launch.h"
#include "run/journal.h"

namespace warpcheck::run {

// The PTX of loaded modules, to show an instruction as it was written.

class ModuleTexts {
 public:
  void Add(ModuleId module, std::string_view ptx);

  // "ld.global.f32 %f1, [%rd4]"; empty where the module is not known.
  std::string Instruction(const emulator::Launch& launch, const emulator::Program& program,
                          std::uint32_t instruction) const;

 private:
  std::map<ModuleId, std::vector<std::string>> lines_;
};

class Recorder : public DeviceLog {
 public:
  // `journal` outlives this.
  explicit Recorder(Journal& journal) : journal_(journal) {}

  const ModuleTexts& texts() const { return texts_; }

  void OnModule(ModuleId module, std::string_view ptx) override { texts_.Add(module, ptx); }
  void OnLaunchBegin(const LaunchRecord& launch) override { journal_.Begin(launch); }
  void OnLaunch(const LaunchRecord& launch) override { journal_.Add(launch); }
  void OnFinding(const Finding& finding) override { journal_.Add(finding); }
  void OnPrint(std::string_view text) override { printed_ += text; }
  void OnAssert(std::string_view text) override { asserted_ += text; }

  // Shows what was printed, when the program waits for the device. Seen on an H200 with CUDA 13.0:
  // synchronising, cudaFree and copies of host memory show it; a further launch, cudaMemset,
  // cudaMalloc, cudaStreamQuery and the end of the program do not.
  void Show();
  // The program ends: what it never waited for is lost, as on a GPU, and the journal says so.
  void End();

 private:
  Journal& journal_;
  ModuleTexts texts_;
  std::string printed_;   // for stdout
  std::string asserted_;  // for stderr
};

}  // namespace warpcheck::run
