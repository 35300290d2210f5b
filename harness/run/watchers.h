// These observers watch the emulator for `warpcheck run` and write to the journal.
#pragma once

#include <map>
#include <utility>

#include "emulator/core/observer.h"
#include "run/journal.h"
#include "run/module_texts.h"
#include "run/settings.h"

namespace warpcheck::run {

// Keeps one of the worst accesses of each instruction that accesses global or shared memory on one
// source line.
class AccessTracer : public emulator::Observer {
 public:
  // `texts` and `journal` must outlive this object.
  AccessTracer(TraceTarget target, const ModuleTexts& texts, Journal& journal)
      : target_(std::move(target)), texts_(texts), journal_(journal) {}

  void OnLaunchBegin(emulator::Launch& launch) override;
  void OnLaunchEnd(emulator::Launch& launch) override;
  void OnAccess(const emulator::AccessEvent& access) override;

 private:
  // The accesses of one instruction in one kind of memory.
  struct Entry {
    bool wanted = false;  // true if the instruction belongs to the line
    AccessSample sample;
  };
  using Key = std::pair<const emulator::Step*, emulator::MemoryKind>;

  Entry& EntryOf(const emulator::AccessEvent& access);

  TraceTarget target_;
  const ModuleTexts& texts_;
  Journal& journal_;
  bool watching_ = false;         // true if the launch is of the wanted kernel
  std::map<Key, Entry> entries_;  // keyed by step; steps live as long as their module
};

// Keeps the instruction and the registers of the warp that made the first finding.
class FindingStopper : public emulator::Observer {
 public:
  // Both arguments must outlive this object.
  FindingStopper(const ModuleTexts& texts, Journal& journal) : texts_(texts), journal_(journal) {}

  void OnFinding(const emulator::FindingEvent& event) override;

 private:
  const ModuleTexts& texts_;
  Journal& journal_;
  bool stopped_ = false;
};

}  // namespace warpcheck::run
