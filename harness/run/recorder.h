// Recorder logs what the device does inside a program. Events go to the journal. What kernels print
// goes to the program's own output at the moment when a GPU would show it.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "device/device.h"
#include "run/journal.h"
#include "run/module_texts.h"

namespace warpcheck::run {

class Recorder : public DeviceLog {
 public:
  // `journal` must outlive this object. `line_of_call` returns the line of the call of the runtime
  // that is running; it is called within such calls.
  Recorder(Journal& journal, std::function<SourceLocation()> line_of_call)
      : journal_(journal), line_of_call_(std::move(line_of_call)) {}

  const ModuleTexts& texts() const { return texts_; }

  void OnModule(ModuleId module, std::string_view ptx) override { texts_.Add(module, ptx); }
  void OnLaunchBegin(const LaunchRecord& launch) override;
  // Ends the process if a signal has asked for that while the launch ran.
  void OnLaunch(const LaunchRecord& launch) override;
  void OnFinding(const Finding& finding) override;
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
  std::function<SourceLocation()> line_of_call_;
  ModuleTexts texts_;
  std::string printed_;   // text for stdout
  std::string asserted_;  // text for stderr
};

}  // namespace warpcheck::run
