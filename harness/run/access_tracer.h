// Keeps, of each instruction of one source line that accesses global or shared memory, one of the
// accesses that are furthest from the ideal.
#pragma once

#include <map>
#include <utility>

#include "emulator/core/observer.h"
#include "run/journal.h"
#include "run/recorder.h"
#include "run/settings.h"

namespace warpcheck::run {

class AccessTracer : public emulator::Observer {
 public:
  // `texts` and `journal` outlive this.
  AccessTracer(TraceTarget target, const ModuleTexts& texts, Journal& journal)
      : target_(std::move(target)), texts_(texts), journal_(journal) {}

  void OnLaunchBegin(emulator::Launch& launch) override;
  void OnLaunchEnd(emulator::Launch& launch) override;
  void OnAccess(const emulator::AccessEvent& access) override;

 private:
  // Of an instruction, in one kind of memory.
  struct Entry {
    bool wanted = false;  // it belongs to the line
    AccessSample sample;
  };
  using Key = std::pair<const emulator::Step*, emulator::MemoryKind>;

  Entry& EntryOf(const emulator::AccessEvent& access);

  TraceTarget target_;
  const ModuleTexts& texts_;
  Journal& journal_;
  bool watching_ = false;         // the launch is one of the kernel
  std::map<Key, Entry> entries_;  // steps live as long as their module
};

}  // namespace warpcheck::run
