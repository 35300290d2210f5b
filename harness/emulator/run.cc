#include "emulator/instructions.h"
#include "emulator/isa.h"

namespace warpcheck::emulator::WARPCHECK_ISA {
namespace {

DecodeFunction DecoderOf(ptx::Opcode opcode) {
  switch (opcode) {
#define PARSED_OPCODE(...)
#define OPCODE(name, ...)    \
  case ptx::Opcode::k##name: \
    return Decode##name;
#include "ptx/opcodes.def"
#undef OPCODE
    default:
      return nullptr;
  }
}

}  // namespace

extern const Isa kIsa;
const Isa kIsa{.decoder = DecoderOf};

}  // namespace warpcheck::emulator::WARPCHECK_ISA
