#include "order/clash_text.h"

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "base/text.h"

namespace warpcheck::order {
namespace {

// Addresses of the device, and of nothing else, begin here on the emulator.
constexpr DeviceAddress kDeviceAddresses = DeviceAddress{1} << 47;

std::string_view VerbOf(const Operation& operation, MemoryUse::Kind kind) {
  if (operation.effect == Effect::kFrees) return "frees";
  if (operation.effect == Effect::kAllocates) return "allocates";
  switch (kind) {
    case MemoryUse::Kind::kRead:
      return "reads";
    case MemoryUse::Kind::kWrite:
      return "writes";
    case MemoryUse::Kind::kAtomic:
    case MemoryUse::Kind::kSignal:
    case MemoryUse::Kind::kRelease:
      break;
  }
  return "changes by atomics";
}

// Returns "byte 28" or "bytes 0 to 4,095".
std::string RangeText(std::uint64_t first, std::uint64_t last) {
  return first == last ? fmt::format("byte {}", Grouped(first))
                       : fmt::format("bytes {} to {}", Grouped(first), Grouped(last));
}

std::string BytesText(const Clash& clash, const OriginOf& origin_of, HostLines& lines) {
  const std::uint64_t bytes = clash.end - clash.begin;
  if (const auto found = origin_of(clash.begin)) {
    return fmt::format(
        "{} of the {} of {}{}", RangeText(clash.begin - found->start, clash.end - found->start - 1),
        Counted(found->bytes, "byte"), found->call, InBrackets(lines.OfCall(found->place)));
  }
  if (clash.begin < kDeviceAddresses) {
    return Counted(bytes, "byte") + " of host memory";
  }
  return fmt::format("{} of device memory at 0x{:x}", Counted(bytes, "byte"), clash.begin);
}

FindingKind KindOf(const Clash& clash) {
  if (clash.unpromised) return FindingKind::kUnpromisedOrder;
  return clash.host ? FindingKind::kEarlyHostUse : FindingKind::kUnorderedUse;
}

std::string_view WhyUnordered(const Clash& clash) {
  using enum Clash::Programmatic;
  if (clash.host) return "the host does not wait for it";
  if (clash.programmatic == kBeforeWait) {
    return "a programmatic launch may begin while the kernel before it still runs";
  }
  if (clash.programmatic == kBrokenChain) {
    return "a programmatic launch between the two does not wait, and may end before the kernel "
           "before it";
  }
  return "no stream, event or wait puts one before the other";
}

}  // namespace

Finding FindingOf(const Clash& clash, const OriginOf& origin_of, HostLines& lines) {
  Finding finding;
  finding.kind = KindOf(clash);
  finding.where = lines.OfCall(clash.later.place);
  finding.other = lines.OfCall(clash.earlier.place);
  finding.message = fmt::format(
      "{} {} {}, which {}{} {}: {}", clash.later.text, VerbOf(clash.later, clash.later_kind),
      BytesText(clash, origin_of, lines), clash.earlier.text, InBrackets(finding.other),
      VerbOf(clash.earlier, clash.earlier_kind), WhyUnordered(clash));
  if (clash.programmatic != Clash::Programmatic::kNo) {
    finding.hint =
        "call cudaGridDependencySynchronize() in every kernel of a programmatic launch, before it "
        "uses what other kernels use; or launch the kernel without "
        "cudaLaunchAttributeProgrammaticStreamSerialization";
  } else if (!clash.host && clash.later.in_graph && clash.earlier.in_graph) {
    finding.hint =
        "add an edge between the two nodes with cudaGraphAddDependencies. In a capture, record an "
        "event after the first call, and let the stream of the second wait for it. If the nodes "
        "are in two graphs, launch both graphs in one stream";
  }
  return finding;
}

}  // namespace warpcheck::order
