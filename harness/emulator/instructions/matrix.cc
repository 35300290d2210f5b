// Executes moves of matrices: ldmatrix, stmatrix, movmatrix, wmma.load and wmma.store (PTX ISA,
// "Warp Level Matrix Load and Store Instructions").
#include "emulator/instructions/matrix.h"

#include <array>
#include <cstring>

#include "emulator/access/memory_access.h"
#include "emulator/code/matrix_layout.h"
#include "emulator/decode/access_decoder.h"
#include "emulator/decode/decoder.h"
#include "emulator/decode/operands.h"
#include "emulator/instructions/instructions.h"
#include "emulator/lanes/lane_types.h"
#include "emulator/warps/warp_sync.h"

namespace warpcheck::emulator::WARPCHECK_ISA {
namespace {

using U16 = std::uint16_t;
using U32 = std::uint32_t;

// The rows and columns of the matrices of 16-bit elements that ldmatrix, stmatrix and movmatrix
// move.
constexpr int kSide = 8;

// Returns the place of the element in half `half` of the register of `lane`.
MatrixPlace PlaceInSmall(int lane, int half, bool transposed) {
  const MatrixPlace place{lane / 4, lane % 4 * 2 + half};
  return transposed ? MatrixPlace{place.column, place.row} : place;
}

// Moves step.q matrices. Lane 8 i + r has the address of row r of matrix i; step.flip is set for
// .trans. Calls access(register, host address or null, half) for both halves of each register of
// each lane.
template <class Access>
void ForEachHalf(std::byte* frame, const Step& step, LaneMask mask, Warp& warp, Access access) {
  CheckWholeWarp(warp, step, mask);
  const auto count = static_cast<int>(step.q);
  const LaneMask rows = mask & (count == 4 ? kAllLanes : (1U << (kSide * count)) - 1);
  LanePlaces at;
  const LaneMask good = rows != 0 ? Resolve(frame, step, rows, warp, at) : 0;
  const MemoryInfo& info = warp.running.program->memory[step.memory];
  for (int matrix = 0; matrix < count; ++matrix) {
    auto* registers = Lanes<U32>(frame, info.values[static_cast<std::size_t>(matrix)]);
    ForEachLane(mask, [&](int lane) {
      for (int half = 0; half < 2; ++half) {
        const MatrixPlace place = PlaceInSmall(lane, half, step.flip != 0);
        const int row = matrix * kSide + place.row;
        const bool there = (good >> row & 1) != 0;
        access(registers[lane], there ? at[row] + std::ptrdiff_t{2} * place.column : nullptr, half);
      }
    });
  }
}

void LoadMatrices(std::byte* frame, const Step& step, LaneMask mask, Warp& warp) {
  ForEachHalf(frame, step, mask, warp, [](U32& pair, const std::byte* from, int half) {
    U16 value = 0xFFFF;
    if (from != nullptr) std::memcpy(&value, from, sizeof value);
    pair = half == 0 ? value : pair | U32{value} << 16;
  });
}

void StoreMatrices(std::byte* frame, const Step& step, LaneMask mask, Warp& warp) {
  ForEachHalf(frame, step, mask, warp, [](U32 pair, std::byte* to, int half) {
    if (to == nullptr) return;
    const U32 value = pair >> (16 * half);
    to[0] = static_cast<std::byte>(value);  // memory is little-endian
    to[1] = static_cast<std::byte>(value >> 8);
  });
}

void TransposeMatrix(std::byte* frame, const Step& step, LaneMask mask, Warp& warp) {
  CheckWholeWarp(warp, step, mask);
  const auto* a = Lanes<U32>(frame, step.a);
  U16 elements[kSide][kSide];
  for (int lane = 0; lane < kLanes; ++lane) {
    for (int half = 0; half < 2; ++half) {
      const MatrixPlace place = PlaceInSmall(lane, half, true);
      elements[place.row][place.column] = static_cast<U16>(a[lane] >> (16 * half));
    }
  }
  auto* d = Lanes<U32>(frame, step.d);
  ForEachLane(mask, [&](int lane) {
    const MatrixPlace low = PlaceInSmall(lane, 0, false);
    d[lane] = U32{elements[low.row][low.column + 1]} << 16 | elements[low.row][low.column];
  });
}

StepFunction DecodeSmall(Operands& operands, Step& step, bool load) {
  const int count = operands.modifiers().vector;
  const ptx::Operand& value = operands[load ? 0 : 1];
  std::array<Slot, 8> slots = {};
  for (int i = 0; i < count; ++i) {
    const bool vector = value.kind == ptx::OperandKind::kVector;
    const ptx::Operand& one = vector ? value.elements[static_cast<std::size_t>(i)] : value;
    slots[static_cast<std::size_t>(i)] =
        load ? operands.DestinationOf(one, 4) : operands.SourceOf(one, 4);
  }
  MemoryInfo& info = DecodeAccess(operands, step, load ? 1 : 0, 16,
                                  load ? MemoryInfo::Kind::kLoad : MemoryInfo::Kind::kStore);
  info.counting = Counting::kMatrixRows;
  info.values = slots;
  step.q = static_cast<Slot>(count);
  step.flip = operands.modifiers().suffixes.Has("trans") ? 1 : 0;
  return load ? &LoadMatrices : &StoreMatrices;
}

// A Piece has elements of a lane that lie side by side in memory and are one access.
struct Piece {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

// Returns the distance of a place from the first element of the matrix in memory, in elements.
std::int64_t Distance(const MatrixInfo& info, MatrixPlace place, std::int64_t stride) {
  return info.by_columns ? place.column * stride + place.row : place.row * stride + place.column;
}

// Moves a fragment. step.b is the address of the matrix, and step.data the index of its MatrixInfo.
// step.a and step.memory describe the addresses of the pieces, which this function computes. It
// calls Access with the host address of each piece of each lane.
template <class Access>
void ForEachPiece(std::byte* frame, const Step& step, LaneMask mask, Warp& warp, Access access) {
  const MatrixInfo& info = warp.running.program->matrices[step.data];
  const MatrixOperand& operand = info.operands[0];
  const std::uint32_t bytes = ptx::Bytes(operand.fragment.element);
  const std::uint32_t count = warp.running.program->memory[step.memory].bytes / bytes;
  const auto* strides = Lanes<U32>(frame, info.stride);
  Step base = step;
  base.a = step.b;
  base.data = static_cast<std::uint64_t>(info.base_offset);
  Step pieces = step;
  pieces.data = 0;  // the addresses include the offset
  auto* addresses = Lanes<std::uint64_t>(frame, step.a);
  for (std::uint32_t e = 0; e < DistinctElements(operand); e += count) {
    const MatrixPlace first = PlaceInLaneZero(info.shape, operand, e);
    ForEachLane(mask, [&](int lane) {
      const MatrixPlace offset = LaneOffset(info.shape, operand, lane);
      const MatrixPlace place{first.row + offset.row, first.column + offset.column};
      const std::int64_t distance = Distance(info, place, strides[lane]);
      addresses[lane] = AddressOf(frame, base, info.base_bytes, lane) +
                        static_cast<std::uint64_t>(distance) * bytes;
    });
    LanePlaces at;
    const LaneMask good = Resolve(frame, pieces, mask, warp, at);
    for (std::uint32_t i = 0; i < count; ++i) {
      ForEachLane(mask, [&](int lane) {
        const bool resolved = (good >> lane & 1) != 0;
        access(operand, e + i, lane, resolved ? at[lane] + std::size_t{i} * bytes : nullptr);
      });
    }
  }
}

std::byte* ElementAt(std::byte* frame, const MatrixOperand& operand, std::uint32_t element,
                     int lane) {
  const std::uint32_t per = ElementsPerRegister(operand);
  return frame + operand.registers[element / per] +
         static_cast<std::size_t>(lane) * ptx::Bytes(operand.fragment.reg) +
         std::size_t{element % per} * ptx::Bytes(operand.fragment.element);
}

void LoadFragment(std::byte* frame, const Step& step, LaneMask mask, Warp& warp) {
  CheckWholeWarp(warp, step, mask);
  ForEachPiece(
      frame, step, mask, warp,
      [&](const MatrixOperand& operand, std::uint32_t element, int lane, const std::byte* from) {
        const std::uint32_t bytes = ptx::Bytes(operand.fragment.element);
        const std::uint32_t all = operand.fragment.registers * ElementsPerRegister(operand);
        // Some fragments contain an element several times.
        for (std::uint32_t e = element; e < all; e += DistinctElements(operand)) {
          std::byte* to = ElementAt(frame, operand, e, lane);
          if (from != nullptr) {
            std::memcpy(to, from, bytes);
          } else {
            std::memset(to, 0xFF, bytes);
          }
        }
      });
}

void StoreFragment(std::byte* frame, const Step& step, LaneMask mask, Warp& warp) {
  CheckWholeWarp(warp, step, mask);
  ForEachPiece(frame, step, mask, warp,
               [&](const MatrixOperand& operand, std::uint32_t element, int lane, std::byte* to) {
                 if (to == nullptr) return;
                 std::memcpy(to, ElementAt(frame, operand, element, lane),
                             ptx::Bytes(operand.fragment.element));
               });
}

// Returns how many elements of a lane lie side by side in memory, up to 8 bytes.
std::uint32_t ElementsOfPiece(const MatrixInfo& info) {
  constexpr std::int64_t kFar = 1 << 20;  // a stride for which rows are not neighbours in memory
  const MatrixOperand& operand = info.operands[0];
  const auto distance = [&](std::uint32_t e) {
    return Distance(info, PlaceInLaneZero(info.shape, operand, e), kFar);
  };
  std::uint32_t count = 1;
  const std::uint32_t most = 8 / ptx::Bytes(operand.fragment.element);
  while (2 * count <= most && 2 * count <= DistinctElements(operand)) {
    for (std::uint32_t e = 0; e < 2 * count; ++e) {
      if (distance(e) != distance(0) + e) return count;
    }
    count *= 2;
  }
  return count;
}

StepFunction DecodeFragment(Operands& operands, Step& step, bool load) {
  MatrixInfo info;
  MatrixOperand& operand = info.operands[0];
  const auto shape = ptx::MatrixShapeOf(operands.modifiers());
  if (!shape || !DecodeMatrix(operands, load ? 0 : 1, load, operand)) return nullptr;
  const ptx::Fragment& fragment = operand.fragment;
  info.shape = *shape;
  info.by_columns = operands.modifiers().suffixes.Has("col");
  const auto side = info.by_columns ? fragment.rows : fragment.columns;
  info.stride = operands.Present(2)
                    ? operands.Source(2, 4)
                    : operands.decoder().Constant(static_cast<std::uint64_t>(side), 4);
  MemoryInfo& memory = DecodeAccess(operands, step, load ? 1 : 0,
                                    ElementsOfPiece(info) * ptx::Bytes(fragment.element),
                                    load ? MemoryInfo::Kind::kLoad : MemoryInfo::Kind::kStore);
  info.base_bytes = static_cast<std::uint8_t>(memory.address_bytes);
  info.base_offset = static_cast<std::int64_t>(step.data);
  memory.address_bytes = 8;
  memory.values[0] = operand.registers[0];
  step.b = step.a;
  step.a = operands.decoder().Scratch(8);
  std::vector<MatrixInfo>& matrices = operands.decoder().program().matrices;
  step.data = matrices.size();
  matrices.push_back(info);
  return load ? &LoadFragment : &StoreFragment;
}

}  // namespace

bool DecodeMatrix(Operands& operands, std::size_t index, bool destination, MatrixOperand& matrix) {
  const ptx::Opcode opcode = operands.instruction().opcode;
  matrix.matrix = ptx::MatrixAt(opcode, operands.modifiers(), index);
  const auto fragment = ptx::FragmentOf(opcode, operands.modifiers(), matrix.matrix);
  if (!fragment) return false;
  matrix.fragment = *fragment;
  const std::uint32_t bytes = ptx::Bytes(fragment->reg);
  for (std::size_t r = 0; r < fragment->registers; ++r) {
    const ptx::Operand& element = operands[index].elements[r];
    matrix.registers[r] =
        destination ? operands.DestinationOf(element, bytes) : operands.SourceOf(element, bytes);
  }
  return true;
}

StepFunction DecodeLdmatrix(Operands& o, Step& s) { return DecodeSmall(o, s, true); }
StepFunction DecodeStmatrix(Operands& o, Step& s) { return DecodeSmall(o, s, false); }
StepFunction DecodeMovmatrix(Operands& operands, Step& step) {
  DecodeSlots(operands, step, 4);
  return &TransposeMatrix;
}
StepFunction DecodeWmmaLoad(Operands& o, Step& s) { return DecodeFragment(o, s, true); }
StepFunction DecodeWmmaStore(Operands& o, Step& s) { return DecodeFragment(o, s, false); }

}  // namespace warpcheck::emulator::WARPCHECK_ISA
