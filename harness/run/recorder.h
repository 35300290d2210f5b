// The log of the device inside a program: what happened goes to the journal, and what kernels print
// to the program's own output, when a GPU would show it.
#pragma once

#include <string>

#include "device/device.h"
#include "run/journal.h"

namespace warpcheck::run {

class Recorder : public DeviceLog {
 public:
  // `journal` outlives this.
  explicit Recorder(Journal& journal) : journal_(journal) {}

  void OnLaunchBegin(const LaunchRecord& launch) override;
  void OnLaunch(const LaunchRecord& launch) override { journal_.Add(launch); }
  void OnFinding(const Finding& finding) override { journal_.Add(finding); }
  void OnPrint(std::string_view text) override { printed_ += text; }
  void OnAssert(std::string_view text) override { asserted_ += text; }

  // Shows what was printed: when the program waits for the device, and before the next launch (CUDA
  // C++ Programming Guide, "Formatted Output").
  void Show();
  // The program ends: what it never waited for is lost, as on a GPU, and the journal says so.
  void End();

 private:
  Journal& journal_;
  std::string printed_;   // for stdout
  std::string asserted_;  // for stderr
};

}  // namespace warpcheck::run
