// What watches the emulator for `warpcheck run`, and tells the journal.
#pragma once

#include <map>
#include <utility>

#include "emulator/core/observer.h"
#include "run/journal.h"
#include "run/recorder.h"
#include "run/settings.h"

namespace warpcheck::run {

// Keeps, of each instruction of one source line that accesses global or shared memory, one of the
// accesses that are furthest from the ideal.
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

// Keeps what the warp of the first finding was about to do.
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
