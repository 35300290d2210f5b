#include "emulator/trace/value_trace.h"

#include <algorithm>
#include <cstring>

#include "emulator/core/block.h"
#include "emulator/core/launch.h"
#include "emulator/core/warp.h"
#include "emulator/lanes/shuffle_source.h"
#include "emulator/record/source_lines.h"

namespace warpcheck::emulator {
namespace {

using ptx::Opcode;

constexpr std::size_t kMostArrayBytes = std::size_t{1} << 22;  // of an array that is kept
constexpr std::uint32_t kMostStoredBytes = 8;                  // of one lane's element

std::uint64_t BitsAt(const std::byte* at, std::uint32_t bytes) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, at, std::min(bytes, kMostStoredBytes));
  return bits;
}

std::uint32_t ElementBytes(const MemoryInfo& info) {
  return info.elements == 0 ? info.bytes : info.bytes / info.elements;
}

// Returns the bits of a lane's register.
std::uint64_t RegisterBits(const Warp& warp, Slot slot, std::uint32_t bytes, std::size_t lane) {
  return BitsAt(warp.running.frame + slot + lane * bytes, bytes);
}

std::uint64_t NumberOf(const Dim3& at, const Dim3& size) {
  return at.x + std::uint64_t{size.x} * (at.y + std::uint64_t{size.y} * at.z);
}

// Calls body(address, cell) for each cell with bytes in [key, key + bytes).
template <class Cells, class Body>
void EachOverlapping(Cells& cells, std::uint64_t key, std::uint32_t bytes, Body body) {
  for (std::uint64_t at = key < kMostStoredBytes ? 0 : key - kMostStoredBytes + 1; at < key + bytes;
       ++at) {
    const auto cell = cells.find(at);
    if (cell != cells.end() && at + cell->second.bytes > key) body(at, cell->second);
  }
}

}  // namespace

std::optional<ValueTrace::Store> ValueTrace::LastStore(DeviceAddress address,
                                                       std::span<const std::byte> now) const {
  const auto found = global_.find(address);
  if (graph_.full() || found == global_.end()) return std::nullopt;
  const Cell& cell = found->second;
  if (cell.bytes != now.size() || !cell.knows_bits || cell.bits != BitsAt(now.data(), cell.bytes)) {
    return std::nullopt;
  }
  const LaunchShape& launch = launches_[cell.launch];
  return Store{.value = cell.value,
               .where = graph_.makers[cell.maker].where,
               .kernel = launch.kernel,
               .block = PositionIn(launch.grid, cell.block),
               .thread = PositionIn(launch.block, cell.thread)};
}

void ValueTrace::OnLaunchBegin(Launch& launch) {
  makers_.clear();
  flows_.clear();
  nodes_.clear();
  launches_.push_back({.kernel = launch.request->kernel,
                       .grid = launch.request->grid,
                       .block = launch.request->block});
}

// After a launch the host may write, so that from now on the bits tell if a cell is still valid.
void ValueTrace::OnLaunchEnd(Launch& launch) {
  for (auto& [address, cell] : global_) {
    if (cell.knows_bits) continue;
    if (const Allocation* const array = launch.memory->Find(address, cell.bytes)) {
      cell.bits = BitsAt(array->host + (address - array->begin), cell.bytes);
      cell.knows_bits = true;
    }
  }
}

void ValueTrace::OnBlockBegin(Block& block) { shared_.erase(&block); }

std::vector<ValueTrace::Lanes>& ValueTrace::NodesOf(const std::byte* frame) {
  return nodes_[frame];
}

const Flow& ValueTrace::FlowOf(const Program& program, std::uint32_t instruction) {
  const auto [found, added] = flows_.try_emplace(&program);
  if (added) found->second = FlowsOf(program);
  return found->second[instruction];
}

std::uint32_t ValueTrace::MakerFor(const Warp& warp, const Step& step) {
  const Program& program = *warp.running.program;
  const auto [found, added] =
      makers_.try_emplace({&program, step.index}, static_cast<std::uint32_t>(graph_.makers.size()));
  if (added) {
    const ptx::Instruction& instruction = program.function->body[step.index];
    graph_.makers.push_back({.opcode = instruction.opcode,
                             .atomic = instruction.modifiers.atomic,
                             .where = PlaceOf(warp, step)});
  }
  return found->second;
}

void ValueTrace::Enter(Warp& warp, LaneMask lanes) {
  const Frame& frame = warp.running.frames.back();
  if (warp.running.frames.size() == 1) local_.erase(&warp);
  std::memset(static_cast<void*>(TaintsIn(frame.registers, *frame.program)), 0,
              TaintBytes(*frame.program));
  Lanes numbers;
  numbers.fill(kNumberValue);
  NodesOf(frame.registers).assign(frame.program->frame_bytes / kTaintUnit, numbers);
  warp.tainted = !graph_.full();  // so that each step is told
  if (frame.call != nullptr) CopyArguments(warp, false, lanes);
}

void ValueTrace::CopyArguments(const Warp& warp, bool back, LaneMask lanes) {
  const std::vector<Frame>& frames = warp.running.frames;
  const Frame& callee = frames.back();
  const Frame& caller = frames[frames.size() - 2];
  const auto& arguments = back ? callee.call->returns : callee.call->arguments;
  const auto& areas = back ? callee.program->returns : callee.program->parameters;
  std::vector<Lanes>& outside = NodesOf(caller.registers);
  std::vector<Lanes>& inside = NodesOf(callee.registers);
  for (std::size_t i = 0; i < std::min(arguments.size(), areas.size()); ++i) {
    const bool is_register = arguments[i].stride < 16;  // an area has at least 16 bytes a lane
    for (std::uint32_t byte = 0; byte < std::min(arguments[i].bytes, areas[i].bytes); ++byte) {
      Lanes& out = outside[TaintOf(arguments[i].caller) + (is_register ? 0 : byte)];
      Lanes& in = inside[TaintOf(areas[i].slot) + byte];
      EachLane(lanes, [&](std::size_t lane) {
        if (back) {
          out[lane] = in[lane];
        } else {
          in[lane] = out[lane];
        }
      });
    }
  }
}

ValueId ValueTrace::Made(const Warp& warp, const Step& step, const Flow& flow,
                         const std::vector<Lanes>& nodes, std::size_t lane) {
  const Opcode opcode = warp.running.program->function->body[step.index].opcode;
  const TaintIndex constants = TaintOf(warp.running.program->constants_begin);
  const auto node = [&](std::size_t source) {
    const TaintIndex index = flow.sources[source];
    return index >= constants ? kNumberValue : nodes[index][lane];
  };
  if (opcode == Opcode::kMov && flow.sources.size() == 1 && flow.destinations.size() == 1) {
    return node(0);
  }
  if (opcode == Opcode::kSelp) {
    const LaneMask chosen = Predicate(warp.running.frame, step.c) ^ step.flip;
    return node(((chosen >> lane) & 1U) != 0 ? 0 : 1);
  }
  ValueGraph::Sources from;
  from.fill(kNumberValue);
  std::size_t used = 0;
  for (std::size_t source = 0; source < flow.sources.size(); ++source) {
    const ValueId value = node(source);
    // The place of a source among the first three matters, because a product has two of them.
    if (source < from.size()) {
      from[source] = value;
    } else if (value != kNumberValue) {
      return kUnknownValue;
    }
    used += value != kNumberValue ? 1 : 0;
  }
  return used == 0 ? kNumberValue : graph_.Add(MakerFor(warp, step), from);
}

void ValueTrace::Propagate(Warp& warp, const Step& step, LaneMask /*mask*/, LaneMask lanes) {
  if (graph_.full()) {
    warp.tainted = false;
    return;
  }
  const Flow& flow = FlowOf(*warp.running.program, step.index);
  std::vector<Lanes>& nodes = NodesOf(warp.running.frame);
  Lanes result{};
  if (flow.kind == Flow::Kind::kEachLane) {
    EachLane(lanes, [&](std::size_t lane) { result[lane] = Made(warp, step, flow, nodes, lane); });
  } else if (flow.kind == Flow::Kind::kShuffle) {
    const auto mode = warp.running.program->function->body[step.index].modifiers.shuffle;
    const auto* b = emulator::Lanes<std::uint32_t>(warp.running.frame, step.b);
    const auto* c = emulator::Lanes<std::uint32_t>(warp.running.frame, step.c);
    EachLane(lanes, [&](std::size_t lane) {
      const auto from = SourceOfShuffle(mode, static_cast<int>(lane), b[lane], c[lane]).lane;
      result[lane] = nodes[flow.sources[0]][static_cast<std::size_t>(from)];
    });
  } else if (flow.kind == Flow::Kind::kLoadArea || flow.kind == Flow::Kind::kStoreArea) {
    const bool loads = flow.kind == Flow::Kind::kLoadArea;
    const TaintIndex constants = TaintOf(warp.running.program->constants_begin);
    for (std::size_t byte = 0;
         flow.bytes != 0 && byte < (loads ? flow.sources : flow.destinations).size(); ++byte) {
      const std::size_t value = byte / flow.bytes;
      const TaintIndex from = loads ? flow.sources[byte] : flow.sources[value];
      const TaintIndex to = loads ? flow.destinations[value] : flow.destinations[byte];
      EachLane(lanes, [&](std::size_t lane) {
        nodes[to][lane] = from >= constants ? kNumberValue : nodes[from][lane];
      });
    }
    return;
  }
  // Other results are not known. Those of a load are, once its access is told.
  for (const TaintIndex to : flow.destinations) {
    EachLane(lanes, [&](std::size_t lane) { nodes[to][lane] = result[lane]; });
  }
}

void ValueTrace::PropagateAtEnding(Warp& warp, const Step& step, LaneMask /*mask*/,
                                   LaneMask lanes) {
  const Program& program = *warp.running.program;
  const Opcode opcode = program.function->body[step.index].opcode;
  if (opcode == Opcode::kRet && warp.running.frames.size() > 1) CopyArguments(warp, true, lanes);
  if (opcode == Opcode::kRet || opcode == Opcode::kCall) return;
  for (const TaintIndex to : FlowOf(program, step.index).destinations) {
    EachLane(lanes,
             [&](std::size_t lane) { NodesOf(warp.running.frame)[to][lane] = kUnknownValue; });
  }
}

ValueTrace::Cells& ValueTrace::CellsOf(const AccessEvent& event) {
  if (event.memory == MemoryKind::kShared) return shared_[event.warp.block];
  return event.memory == MemoryKind::kLocal ? local_[&event.warp] : global_;
}

std::uint64_t ValueTrace::KeyOf(const AccessEvent& event, std::size_t lane) {
  constexpr int kLaneShift = 32;
  const std::uint64_t address = event.addresses[lane];
  return event.memory == MemoryKind::kLocal ? address | (lane << kLaneShift) : address;
}

void ValueTrace::OnAccess(const AccessEvent& event) {
  if (graph_.full()) return;
  Cells& cells = CellsOf(event);
  switch (event.info.kind) {
    case MemoryInfo::Kind::kLoad:
      return Load(event, cells);
    case MemoryInfo::Kind::kStore:
      return StoreValues(event, cells);
    case MemoryInfo::Kind::kAtomic:
    case MemoryInfo::Kind::kReduction:
      return Update(event, cells);
  }
}

void ValueTrace::Load(const AccessEvent& event, Cells& cells) {
  std::vector<Lanes>& nodes = NodesOf(event.warp.running.frame);
  const std::uint32_t bytes = ElementBytes(event.info);
  for (std::uint32_t element = 0; element < event.info.elements; ++element) {
    Lanes& to = nodes[TaintOf(event.info.values[element])];
    EachLane(event.mask, [&](std::size_t lane) {
      to[lane] = Loaded(event, cells, KeyOf(event, lane) + element * bytes, bytes);
    });
  }
}

ValueId ValueTrace::Loaded(const AccessEvent& event, const Cells& cells, std::uint64_t key,
                           std::uint32_t bytes) {
  if (event.memory == MemoryKind::kParameter) return kNumberValue;
  const bool is_global =
      event.memory == MemoryKind::kGlobal || event.memory == MemoryKind::kConstant;
  const auto found = cells.find(key);
  if (found != cells.end() && found->second.bytes == bytes) {
    const Cell& cell = found->second;
    const bool is_valid = !is_global || !cell.knows_bits ||
                          cell.bits == BitsAt(event.host + (key - event.begin), bytes);
    return is_valid ? cell.value : ReadOf(event, key, bytes);
  }
  bool is_part = false;
  EachOverlapping(cells, key, bytes, [&](std::uint64_t, const Cell&) { is_part = true; });
  if (!is_global || is_part) return kUnknownValue;
  return ReadOf(event, key, bytes);
}

ValueId ValueTrace::ReadOf(const AccessEvent& event, std::uint64_t address, std::uint32_t bytes) {
  const auto [found, added] =
      arrays_.try_emplace(event.begin, static_cast<std::uint32_t>(graph_.arrays.size()));
  if (added) {
    ReadArray array{.begin = event.begin};
    if (const Allocation* const known = event.warp.launch->memory->Find(event.begin, 1)) {
      array.name = known->name;
      array.element_bytes = known->element_bytes;
      array.extents = known->extents;
      if (known->bytes <= kMostArrayBytes) {
        array.bytes.assign(known->host, known->host + known->bytes);
      }
    }
    graph_.arrays.push_back(std::move(array));
  }
  return graph_.AddRead({.array = found->second,
                         .offset = static_cast<std::uint32_t>(address - event.begin),
                         .bytes = bytes});
}

void ValueTrace::Put(const AccessEvent& event, Cells& cells, std::uint64_t key, std::size_t lane,
                     Cell cell) {
  // A value that is overwritten in part is no value any more.
  EachOverlapping(cells, key, cell.bytes, [&](std::uint64_t at, Cell& old) {
    if (at != key) old.value = kUnknownValue;
  });
  const LaunchShape& launch = launches_.back();
  cell.maker = MakerFor(event.warp, event.step);
  cell.launch = static_cast<std::uint32_t>(launches_.size() - 1);
  cell.block = NumberOf(event.warp.block->index, launch.grid);
  cell.thread =
      event.warp.index * static_cast<std::uint32_t>(kLanes) + static_cast<std::uint32_t>(lane);
  cells[key] = cell;
}

void ValueTrace::StoreValues(const AccessEvent& event, Cells& cells) {
  const std::vector<Lanes>& nodes = NodesOf(event.warp.running.frame);
  const TaintIndex constants = TaintOf(event.warp.running.program->constants_begin);
  const std::uint32_t bytes = ElementBytes(event.info);
  if (bytes > kMostStoredBytes || event.info.elements == 0) {  // its values are not in registers
    EachLane(event.mask, [&](std::size_t lane) {
      for (std::uint32_t at = 0; at < event.info.bytes; at += 4) {
        Put(event, cells, KeyOf(event, lane) + at, lane, {.bytes = 4});
      }
    });
    return;
  }
  for (std::uint32_t element = 0; element < event.info.elements; ++element) {
    const Slot slot = event.info.values[element];
    const TaintIndex from = TaintOf(slot);
    EachLane(event.mask, [&](std::size_t lane) {
      const std::uint64_t bits =
          RegisterBits(event.warp, slot, event.info.register_bytes, lane) &
          (bytes == kMostStoredBytes ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * bytes)) - 1);
      Put(event, cells, KeyOf(event, lane) + element * bytes, lane,
          {.value = from >= constants ? kNumberValue : nodes[from][lane],
           .bytes = bytes,
           .bits = bits,
           .knows_bits = true});
    });
  }
}

void ValueTrace::Update(const AccessEvent& event, Cells& cells) {
  const Program& program = *event.warp.running.program;
  std::vector<Lanes>& nodes = NodesOf(event.warp.running.frame);
  const Flow& flow = FlowOf(program, event.step.index);
  const TaintIndex constants = TaintOf(program.constants_begin);
  const std::uint32_t bytes = ElementBytes(event.info);
  const ptx::Atomic op = program.function->body[event.step.index].modifiers.atomic;
  EachLane(event.mask, [&](std::size_t lane) {
    const std::uint64_t key = KeyOf(event, lane);
    const ValueId before = Loaded(event, cells, key, bytes);
    const auto given = [&]() -> ValueId {
      if (flow.stored.size() != 1) return kUnknownValue;
      const TaintIndex from = flow.stored.front();
      return from >= constants ? kNumberValue : nodes[from][lane];
    };
    ValueId after = kUnknownValue;
    if (op == ptx::Atomic::kExch) {
      after = given();
    } else if (flow.stored.size() == 1) {
      const ValueId value = given();
      after = before == kNumberValue && value == kNumberValue
                  ? kNumberValue
                  : graph_.Add(MakerFor(event.warp, event.step), {before, value, kNumberValue});
    }
    for (const TaintIndex to : flow.destinations) nodes[to][lane] = before;
    Put(event, cells, key, lane, {.value = after, .bytes = bytes});
  });
}

}  // namespace warpcheck::emulator
