// A PTX module as plain data, complete and verified: every name is resolved, every operand fits its
// opcode's row, and every label is an index. ParseModule (ptx/parser/parser.h) makes it. It never
// holds anything that the verifier has not accepted, so that code which executes it need not check
// again.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "ptx/opcode.h"
#include "ptx/types.h"

namespace warpcheck::ptx {

using RegisterId = std::uint32_t;  // index into Function::registers
using SymbolId = std::uint32_t;    // index into Module::symbols
using FunctionId = std::uint32_t;  // index into Module::functions
using LocationId = std::uint32_t;  // index into Module::locations; 0 is "unknown"

// A declared register. Its type gives its width: instructions may read it as another type of the
// same width, and narrow loads and conversions may write to wider registers.
struct Register {
  std::string name;  // "%r12"
  Type type = Type::kNone;
};

enum class OperandKind : std::uint8_t {
  kNone,
  kRegister,   // reg
  kSink,       // "_", a result that is not wanted
  kImmediate,  // bits, already converted to the instruction's type (f32: its 32 bits, ...)
  kSpecial,    // special
  kSymbol,     // address of symbol + offset
  kAddress,    // [reg + offset], [symbol + offset] or [offset]; see base
  kLabel,      // target: index of an instruction of the same function; may be one past the last
  kFunction,   // function
  kVector,     // elements: registers, sinks and immediates; labels for brx.idx
};

// The parts of a register that a video instruction reads, or writes if it is a destination: "h10"
// is two halves, the upper one first, and "b3" is one byte.
struct Selector {
  std::uint8_t bits = 0;                   // 8 or 16 bits of each part; 0 if there is no selector
  std::uint8_t count = 0;                  // number of parts
  std::array<std::uint8_t, 4> parts = {};  // in the order written
};

enum class AddressBase : std::uint8_t { kNone, kRegister, kSymbol };

struct Operand {
  OperandKind kind = OperandKind::kNone;
  AddressBase base = AddressBase::kNone;  // for kAddress
  bool negated = false;                   // "!%p", for a predicate register
  SpecialRegister special = SpecialRegister::kTidX;
  RegisterId reg = 0;
  SymbolId symbol = 0;
  FunctionId function = 0;
  std::uint32_t target = 0;
  Selector selector;
  std::int64_t offset = 0;  // bytes
  std::uint64_t bits = 0;
  std::vector<Operand> elements;

  // True for a register, or an address whose base is one; the same for symbols.
  bool NamesRegister() const {
    return kind == OperandKind::kRegister ||
           (kind == OperandKind::kAddress && base == AddressBase::kRegister);
  }
  bool NamesSymbol() const {
    return kind == OperandKind::kSymbol ||
           (kind == OperandKind::kAddress && base == AddressBase::kSymbol);
  }
};

// The suffixes of an instruction. Instructions with the same suffixes share one list.
class Suffixes {
 public:
  using value_type = std::string;
  using const_iterator = std::vector<std::string>::const_iterator;

  Suffixes() = default;
  Suffixes(std::initializer_list<std::string> list) : Suffixes(std::vector<std::string>(list)) {}
  explicit Suffixes(std::vector<std::string> list)
      : list_(std::make_shared<const std::vector<std::string>>(std::move(list))) {}

  const_iterator begin() const { return list().begin(); }
  const_iterator end() const { return list().end(); }
  std::size_t size() const { return list().size(); }
  bool empty() const { return list().empty(); }
  const std::string& operator[](std::size_t i) const { return list()[i]; }
  bool Has(std::string_view suffix) const { return std::find(begin(), end(), suffix) != end(); }

 private:
  const std::vector<std::string>& list() const {
    static const std::vector<std::string> kNothing;
    return list_ ? *list_ : kNothing;
  }

  std::shared_ptr<const std::vector<std::string>> list_;
};

// The meaning of the suffixes of an opcode. A field without a suffix is kNone or false.
struct Modifiers {
  Type type =
      Type::kNone;  // the first type suffix: that of the operation, or of the destination of cvt
  Type source_type = Type::kNone;  // the second type suffix: cvt, set, slct, dp4a, ...
  Space space = Space::kGeneric;
  Space to_space = Space::kGeneric;  // cvta.to.<space>, which is also in `space`; the source of
                                     // cp.async is global
  Rounding rounding = Rounding::kNone;
  Compare compare = Compare::kNone;
  BoolOp bool_op = BoolOp::kNone;
  MulPart part = MulPart::kNone;
  Atomic atomic = Atomic::kNone;
  Shuffle shuffle = Shuffle::kNone;
  Vote vote = Vote::kNone;
  std::uint8_t vector = 1;  // 1, 2, 4 or 8 elements
  bool ftz = false;
  bool sat = false;
  bool approx = false;
  bool full = false;       // div.full
  bool to = false;         // cvta.to
  bool uni = false;        // bra.uni, call.uni
  bool carry_out = false;  // .cc
  bool sync = false;       // .sync
  bool aligned = false;    // .aligned
  bool arrive = false;     // bar.arrive
  bool wrap = false;       // shf.wrap (else .clamp)
  bool left = false;       // shf.l
  bool nan = false;        // min.NaN, max.NaN
  bool abs = false;        // .abs
  bool all = false;        // match.all; barrier.cta.red ... use vote / bool_op
  bool volatile_access = false;
  // All suffixes in the order written, without dots. Messages and rare opcodes use them.
  Suffixes suffixes;
};

struct Guard {
  RegisterId predicate = 0;
  bool negated = false;
};

struct Instruction {
  Opcode opcode = {};
  Modifiers modifiers;
  std::optional<Guard> guard;
  // The operands as written, destinations first, so that each stands at the same index in all
  // instructions of an opcode:
  // - "%p|%q" (setp, shfl, match.all, lop3.and) is two operands; the second is kSink if it is
  // missing.
  // - An operand that is left out before others is kNone: bar.red d, a, (b), c.
  // - A call has three: a kVector of returns, a kFunction (or a kRegister with an address), and a
  //   kVector of arguments, whose elements are kSymbol (a .param variable), kRegister or
  //   kImmediate.
  // - brx.idx has two: the index, and a kVector of kLabel.
  // - An opcode that is not executed (IsExecuted) may have none.
  std::vector<Operand> operands;
  std::uint8_t destinations = 0;  // how many of the first operands it writes; 0 for a call
  LocationId location = 0;        // the .loc that applies
  std::uint32_t ptx_line = 0;
  std::uint32_t refusal = 0;  // index into Module::refusals, for Opcode::kUnknown
};

// A variable of any state space, or a parameter.
struct Symbol {
  std::string name;
  Space space = Space::kGlobal;
  Type type = Type::kNone;
  std::uint32_t align = 1;  // bytes, a power of two
  std::uint64_t bytes = 0;  // 0 for an .extern array without a size (dynamic shared memory)
  bool is_extern = false;
  bool is_managed = false;          // .attribute(.managed)
  std::optional<FunctionId> owner;  // the function that declares it; nullopt at module scope
  std::uint64_t param_offset = 0;   // bytes into the parameter block, for parameters of entries
  std::vector<std::byte> initial;   // `bytes` long, or empty for zeros
  // An initial value that is an address: the 8 bytes at `at` become the generic address of `symbol`
  // or `function`, plus `addend`.
  struct Relocation {
    std::uint64_t at = 0;
    std::optional<SymbolId> symbol;
    std::optional<FunctionId> function;
    std::int64_t addend = 0;
  };
  std::vector<Relocation> relocations;
};

struct Function {
  std::string name;  // mangled
  bool is_entry = false;
  bool is_extern = false;  // declared without a body: vprintf, __assertfail, malloc, free, ...
  bool noreturn = false;
  std::vector<SymbolId> returns;      // symbols of Space::kParam, or none
  std::vector<SymbolId> parameters;   // symbols of Space::kParam, in order
  std::uint32_t parameter_bytes = 0;  // size of the parameter block of an entry
  std::vector<Register> registers;
  std::vector<SymbolId> locals;  // .local, .shared and call-sequence .param symbols it declares
  std::vector<Instruction> body;
  std::optional<std::uint32_t> max_threads;       // .maxntid, product
  std::optional<std::uint32_t> required_threads;  // .reqntid, product
  std::uint64_t required_cluster = 1;             // .reqnctapercluster: blocks, product
  std::uint32_t ptx_line = 0;
};

// A `.loc`. Line 0 (hoisted code) is already replaced by the previous real line of the function.
struct Location {
  std::uint32_t file = 0;  // index into Module::files
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  LocationId inlined_at = 0;  // the call that inlined this code; 0 for none
};

struct Module {
  std::uint64_t held_bytes = 0;     // an estimate of the memory that the module takes
  std::uint32_t version_major = 0;  // of the ISA
  std::uint32_t version_minor = 0;
  std::string target;               // "sm_90"
  std::vector<std::string> files;   // .file names; index as in Location; [0] is ""
  std::vector<Location> locations;  // [0] is unknown
  std::vector<Symbol> symbols;
  std::vector<Function> functions;
  // The errors of what the parser did not understand in bodies of functions, such as an unknown
  // opcode, suffix, directive or special register. In its place stands an instruction of
  // Opcode::kUnknown without operands, and a kernel may run until it comes to that.
  std::vector<Error> refusals;

  // Returns the place of `location` in a file that `is_student_file` accepts, walking outwards from
  // inlined code. If no such file is found, it is the innermost place. It is empty for location 0.
  template <class Predicate>
  SourceLocation Place(LocationId location, Predicate is_student_file) const {
    SourceLocation innermost;
    for (; location != 0; location = locations[location].inlined_at) {
      const Location& at = locations[location];
      SourceLocation place{files[at.file], static_cast<int>(at.line), static_cast<int>(at.column)};
      if (is_student_file(place.file)) return place;
      if (!innermost.known()) innermost = place;
    }
    return innermost;
  }
};

}  // namespace warpcheck::ptx
