// The operands of texture and surface instructions: "[a, {x, y}]" and gradients (PTX ISA, "Texture
// Instructions", "Surface Instructions").
#include <fmt/format.h>

#include "ptx/parser_impl.h"
#include "ptx/texture_geometry.h"

namespace warpcheck::ptx {

// An address whose elements are the coordinates, the layer first.
Operand Parser::CheckTexture(WrittenOperand& written, const Instruction& instruction) {
  Operand operand = CheckAddress(written, instruction, Space::kGeneric);
  if (failed()) return operand;
  if (written.coordinates.empty()) {
    Fail(written.token,
         fmt::format("expected an object and coordinates in [ ], got {}", Shown(written.token)));
    return operand;
  }
  const TextureGeometry geometry = GeometryOf(instruction.modifiers);
  const Type type =
      instruction.opcode == Opcode::kTex ? instruction.modifiers.source_type : Type::kB32;
  WrittenOperand& list = written.coordinates[0];
  const bool braces = list.operand.kind == OperandKind::kVector;
  const std::size_t count = braces ? list.elements.size() : 1;
  if (count != geometry.Elements()) {
    Fail(list.token, fmt::format("expected {} coordinate{} in {{ }}, got {}", geometry.Elements(),
                                 geometry.Elements() == 1 ? "" : "s", count));
    return operand;
  }
  for (std::size_t i = 0; i < count && !failed(); ++i) {
    WrittenOperand& one = braces ? list.elements[i] : list;
    const bool is_layer = geometry.layered && i == 0;
    operand.elements.push_back(CheckSource(one, is_layer ? Type::kU32 : type, false, false));
  }
  return operand;
}

Operand Parser::CheckGradient(WrittenOperand& written) {
  const bool braces = written.operand.kind == OperandKind::kVector;
  if (!braces) return CheckSource(written, Type::kF32, false, false);
  Operand vector;
  vector.kind = OperandKind::kVector;
  for (WrittenOperand& element : written.elements) {
    if (failed()) break;
    vector.elements.push_back(CheckSource(element, Type::kF32, false, false));
  }
  return vector;
}

}  // namespace warpcheck::ptx
