// Decodes textures and surfaces (PTX ISA, "Texture Instructions", "Surface Instructions").
// access/texture_access.h executes them.
#include <algorithm>

#include "emulator/access/texture_access.h"
#include "emulator/decode/access_decoder.h"
#include "emulator/decode/decoder.h"
#include "emulator/decode/operands.h"
#include "emulator/instructions/instructions.h"

namespace warpcheck::emulator::WARPCHECK_ISA {
namespace {

// Decodes the object at operand `index`, and its coordinates.
TextureInfo DecodeObject(Operands& operands, Step& step, std::size_t index, MemoryInfo::Kind kind) {
  MemoryInfo& memory = DecodeAccess(operands, step, index, sizeof(DeviceAddress), kind);
  memory.counting = Counting::kTexture;
  const ptx::Operand& object = operands[index];
  if (object.offset != 0) operands.Refuse("adds an offset to a texture or surface object");
  TextureInfo info;
  if (object.elements.empty()) return info;
  info.geometry = ptx::GeometryOf(operands.modifiers());
  if (info.geometry.cube || info.geometry.multisampled) {
    operands.Refuse(info.geometry.cube
                        ? "reads a cubemap, which the emulator does not support"
                        : "reads several samples of a texel, which CUDA does not have");
    return info;
  }
  const std::size_t first = info.geometry.layered ? 1 : 0;
  if (info.geometry.layered) info.layer = operands.SourceOf(object.elements[0], 4);
  for (std::size_t i = 0; i < static_cast<std::size_t>(info.geometry.dimensions); ++i) {
    info.coordinates[i] = operands.SourceOf(object.elements[first + i], 4);
  }
  return info;
}

// Decodes the registers of a texel's channels at operand `index`.
void DecodeChannels(Operands& operands, const Step& step, std::size_t index, TextureInfo& info) {
  const ptx::Operand& value = operands[index];
  const bool vector = value.kind == ptx::OperandKind::kVector;
  info.elements = static_cast<std::uint32_t>(vector ? value.elements.size() : 1);
  const auto element = [&](std::size_t e) -> const ptx::Operand& {
    return vector ? value.elements[e] : value;
  };
  info.register_bytes = 0;
  for (std::size_t e = 0; e < info.elements && info.register_bytes == 0; ++e) {
    info.register_bytes = operands.RegisterBytesOf(element(e));
  }
  const std::uint32_t bytes = ptx::Bytes(operands.type());
  if (info.register_bytes == 0) info.register_bytes = std::max(bytes, 2U);
  for (std::size_t e = 0; e < info.elements; ++e) {
    info.values[e] = info.writes ? operands.SourceOf(element(e), info.register_bytes)
                                 : operands.DestinationOf(element(e), info.register_bytes);
  }
  MemoryInfo& memory = operands.decoder().program().memory[step.memory];
  memory.bytes = bytes * info.elements;
  memory.elements = info.elements;
  memory.register_bytes = info.register_bytes;
  std::copy_n(info.values.begin(), info.elements, memory.values.begin());
}

void Keep(Operands& operands, Step& step, const TextureInfo& info) {
  std::vector<TextureInfo>& textures = operands.decoder().program().textures;
  step.data = textures.size();
  textures.push_back(info);
}

// Decodes a fetch. `by_index` and `gathered` are members of TextureInfo.
StepFunction DecodeFetch(Operands& operands, Step& step, bool by_index, int gathered) {
  TextureInfo info = DecodeObject(operands, step, 2, MemoryInfo::Kind::kLoad);
  info.by_index = by_index;
  info.gathered = gathered;
  DecodeChannels(operands, step, 0, info);
  step.q = operands.DestinationPredicate(1);
  Keep(operands, step, info);
  return &FetchTexture;
}

StepFunction DecodeSurface(Operands& operands, Step& step, bool writes) {
  TextureInfo info = DecodeObject(operands, step, writes ? 0 : 1,
                                  writes ? MemoryInfo::Kind::kStore : MemoryInfo::Kind::kLoad);
  const ptx::Suffixes& suffixes = operands.modifiers().suffixes;
  if (suffixes.Has("p")) {
    operands.Refuse("converts what it stores to the surface's format, which is not supported");
  }
  info.is_surface = true;
  info.writes = writes;
  info.edge = suffixes.Has("clamp")  ? SurfaceEdge::kClamp
              : suffixes.Has("zero") ? SurfaceEdge::kZero
                                     : SurfaceEdge::kTrap;
  DecodeChannels(operands, step, writes ? 1 : 0, info);
  Keep(operands, step, info);
  return &AccessSurface;
}

StepFunction DecodeQuery(Operands& operands, Step& step, bool surface) {
  const ptx::Suffixes& suffixes = operands.modifiers().suffixes;
  TextureInfo info = DecodeObject(operands, step, 1, MemoryInfo::Kind::kLoad);
  operands.decoder().program().memory.back().counting = Counting::kQuery;
  info.is_surface = surface;
  if (suffixes.Has("width")) {
    info.query = TextureQuery::kWidth;
  } else if (suffixes.Has("height")) {
    info.query = TextureQuery::kHeight;
  } else if (suffixes.Has("depth")) {
    info.query = TextureQuery::kDepth;
  } else if (suffixes.Has("array_size")) {
    info.query = TextureQuery::kLayers;
  } else if (suffixes.Has("normalized_coords")) {
    info.query = TextureQuery::kNormalizedCoordinates;
  } else if (suffixes.Has("num_mipmap_levels") || suffixes.Has("num_samples")) {
    info.query = TextureQuery::kOne;
  } else {
    operands.Refuse("asks for a property that only OpenCL has");
  }
  step.d = operands.Destination(0, 4);
  Keep(operands, step, info);
  return &QueryTexture;
}

}  // namespace

StepFunction DecodeTex(Operands& operands, Step& step) {
  const bool by_index = operands.modifiers().source_type == ptx::Type::kS32;
  return DecodeFetch(operands, step, by_index, -1);
}

StepFunction DecodeTld4(Operands& operands, Step& step) {
  const ptx::Suffixes& suffixes = operands.modifiers().suffixes;
  const int channel = suffixes.Has("r") ? 0 : suffixes.Has("g") ? 1 : suffixes.Has("b") ? 2 : 3;
  return DecodeFetch(operands, step, false, channel);
}

StepFunction DecodeSuld(Operands& o, Step& s) { return DecodeSurface(o, s, false); }
StepFunction DecodeSust(Operands& o, Step& s) { return DecodeSurface(o, s, true); }
StepFunction DecodeTxq(Operands& o, Step& s) { return DecodeQuery(o, s, false); }
StepFunction DecodeSuq(Operands& o, Step& s) { return DecodeQuery(o, s, true); }

}  // namespace warpcheck::emulator::WARPCHECK_ISA
