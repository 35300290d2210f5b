// Recorder logs what the device does inside a program. Events go to the journal. What kernels print
// goes to the program's own output at the moment when a GPU would show it.
#pragma once

#include <string>
#include <string_view>

#include "device/device.h"
#include "run/journal.h"
#include "run/module_texts.h"

namespace warpcheck::run {

class Recorder : public DeviceLog {
 public:
  // `journal` must outlive this object.
  explicit Recorder(Journal& journal) : journal_(journal) {}

  const ModuleTexts& texts() const { return texts_; }

  void OnModule(ModuleId module, std::string_view ptx) override { texts_.Add(module, ptx); }
  void OnLaunchBegin(const LaunchRecord& launch) override { journal_.Begin(launch); }
  void OnLaunch(const LaunchRecord& launch) override { journal_.Add(launch); }
  void OnFinding(const Finding& finding) override { journal_.Add(finding); }
  void OnPrint(std::string_view text) override { printed_ += text; }
  void OnAssert(std::string_view text) override { asserted_ += text; }

  // Shows what was printed. Call this when the program waits for the device. On an H200 with CUDA
  // 13.0, synchronising, cudaFree and copies of host memory show it; another launch, cudaMemset,
  // cudaMalloc, cudaStreamQuery and the end of the program do not.
  void Show();
  // Call this when the program ends. Output is lost if the program never waited for it, as on a
  // GPU, and the journal says so.
  void End();

 private:
  Journal& journal_;
  ModuleTexts texts_;
  std::string printed_;   // text for stdout
  std::string asserted_;  // text for stderr
};

}  // namespace warpcheck::run
