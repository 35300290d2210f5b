// CopiesBack tells what the program copies from the device to the host although no launch has
// written it (tables/write_ledger.h).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "base/source_location.h"
#include "cudart/tables/memory_table.h"
#include "cudart/tables/write_ledger.h"
#include "debuginfo/host_lines.h"
#include "order/clash_text.h"
#include "order/host_log.h"

namespace warpcheck::cudart {

// A copy to the host of bytes that are not all the work of launches.
struct CopiedBack {
  std::string call;  // such as "cudaMemcpy in main"
  std::string what;  // WriteLedger::CopiedToHost()
  std::string of;    // such as "cudaMalloc in main (a.cu:12)"
  SourceLocation where{};
};

class CopiesBack : public order::LogReader {
 public:
  CopiesBack(const MemoryTable& memory, HostLines& lines, const order::OriginOf& origin_of)
      : memory_(memory), lines_(lines), origin_of_(origin_of) {}

  // Calls `tell` for such copies from now on. Until then it keeps nothing.
  void Tell(std::function<void(const CopiedBack&)> tell) { tell_ = std::move(tell); }
  bool tells() const { return tell_ != nullptr; }

  // Events must have their uses from Tell() on.
  void Read(const order::HostEvent& event) override;

 private:
  void ReadCopy(const order::HostEvent& event);
  bool IsOfDevice(std::uint64_t address) const;

  const MemoryTable& memory_;
  HostLines& lines_;
  const order::OriginOf& origin_of_;
  std::function<void(const CopiedBack&)> tell_;
  WriteLedger ledger_;
};

}  // namespace warpcheck::cudart
