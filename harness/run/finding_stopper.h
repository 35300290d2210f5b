// Keeps what the warp of the first finding was about to do.
#pragma once

#include "emulator/core/observer.h"
#include "run/journal.h"
#include "run/recorder.h"

namespace warpcheck::run {

class FindingStopper : public emulator::Observer {
 public:
  // Both outlive this.
  FindingStopper(const ModuleTexts& texts, Journal& journal) : texts_(texts), journal_(journal) {}

  void OnFinding(const emulator::FindingEvent& event) override;

 private:
  const ModuleTexts& texts_;
  Journal& journal_;
  bool stopped_ = false;
};

}  // namespace warpcheck::run
