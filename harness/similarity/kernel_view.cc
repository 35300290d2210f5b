#include "similarity/kernel_view.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "similarity/register_values.h"

namespace warpcheck::similarity {
namespace {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;
using ptx::OperandKind;

constexpr int kOperandDepth = 1;  // how many operations of a float's operands are described
constexpr int kMostMoves = 400;   // how many moves of a float are followed

class Reader {
 public:
  // `work` is explained at RegisterValues.
  Reader(const ptx::Function& function, std::size_t& work)
      : function_(function), values_(function, work) {}

  struct Description {
    std::string kind;   // empty if the instruction gives no fingerprint
    std::string exact;  // the description with its numbers
  };

  Description Describe(std::size_t at) {
    const Instruction& step = function_.body[at];
    const auto& o = step.operands;
    switch (step.opcode) {
      case Opcode::kLd:
        if (step.modifiers.space == ptx::Space::kParam) return {};
        return WithValue("ld." + SpaceOf(step), values_.AddressOf(o[1], at), step.modifiers.vector);
      case Opcode::kSt:
        if (step.modifiers.space == ptx::Space::kParam) return {};
        return WithValue(fmt::format("st.{} {}", SpaceOf(step), FloatOf(o[1], at, kOperandDepth)),
                         values_.AddressOf(o[0], at), step.modifiers.vector);
      case Opcode::kAtom:
      case Opcode::kRed:
        return WithValue(fmt::format("atom.{}", static_cast<int>(step.modifiers.atomic)),
                         values_.AddressOf(o[step.opcode == Opcode::kAtom ? 1 : 0], at));
      case Opcode::kSetp:
        return Comparison(at);
      case Opcode::kShfl:
        return WithValue(fmt::format("shfl.{}", static_cast<int>(step.modifiers.shuffle)),
                         values_.ValueOf(o[3], at));
      case Opcode::kBar:
      case Opcode::kBarrier:
        return Plain("bar");
      case Opcode::kMembar:
      case Opcode::kFence:
      case Opcode::kVote:
      case Opcode::kMatch:
      case Opcode::kRedux:
        return Plain(std::string(ptx::Text(step.opcode)));
      default:
        break;
    }
    if (ComputesFloats(step)) return Plain(FloatOperation(at, kOperandDepth));
    if (step.opcode == Opcode::kSelp && ptx::IsFloat(step.modifiers.type)) {
      return Plain(
          Sorted("selp", {FloatOf(o[1], at, kOperandDepth), FloatOf(o[2], at, kOperandDepth)}));
    }
    return {};
  }

 private:
  // `width` is the number of elements of an access. Like every number, it stands in the text and
  // not in the shape.
  static Description WithValue(const std::string& what, const IndexValue& value, int width = 1) {
    return {fmt::format("{} {}", what, value.Shape()),
            fmt::format("{} {} {}", what, width, value.Text())};
  }

  static Description Plain(const std::string& what) { return {what, what}; }

  static std::string Sorted(std::string_view name, std::vector<std::string> operands) {
    std::ranges::sort(operands);
    return fmt::format("{}({})", name, fmt::join(operands, ","));
  }

  // Describes a comparison by the sign of a sum, so that "a < b", "b > a", "!(a >= b)" and "a <= b
  // - 1" are equal. Signedness is ignored.
  Description Comparison(std::size_t at) {
    const Instruction& step = function_.body[at];
    const Operand& a = step.operands[2];
    const Operand& b = step.operands[3];
    if (ptx::IsFloat(step.modifiers.type)) {
      return Plain(Sorted("setp", {FloatOf(a, at, kOperandDepth), FloatOf(b, at, kOperandDepth)}));
    }
    const IndexValue minus = IndexValue::Of(-1);
    IndexValue sum = values_.ValueOf(a, at) - values_.ValueOf(b, at);
    std::string what = "below";
    IndexValue other;
    switch (step.modifiers.compare) {
      case ptx::Compare::kLt:
      case ptx::Compare::kLo:
        other = sum * minus + minus;
        break;
      case ptx::Compare::kGe:
      case ptx::Compare::kHs:
        other = sum * minus + minus;
        break;
      case ptx::Compare::kLe:
      case ptx::Compare::kLs:
      case ptx::Compare::kGt:
      case ptx::Compare::kHi:
        sum = sum + minus;
        other = sum * minus + minus;
        break;
      default:
        what = "equal";
        other = sum * minus;
        // The compiler adds this comparison, to find out how many rounds are left when it unrolls a
        // loop by four.
        if (sum.Shape().find("div(div(") != std::string::npos) return {};
    }
    return WithValue(what, sum.Text() < other.Text() ? sum : other);
  }

  // Describes how a float was computed, up to `depth` operations deep. A sum of sums counts as
  // one sum, because its length depends on how far a loop was unrolled.
  std::string FloatOf(const Operand& operand, std::size_t at, int depth, int moves = 0) {
    if (operand.kind == OperandKind::kImmediate) return "c";
    if (operand.kind != OperandKind::kRegister) return "v";
    const std::vector<std::size_t> writers = values_.WritersOf(operand.reg, at);
    if (writers.empty()) return "?";
    if (writers.size() == 1) return FloatBy(writers.front(), depth, moves);
    std::string kind = "either";
    for (const std::size_t writer : writers) {
      const Instruction& step = function_.body[writer];
      if (ComputesFloats(step)) kind = std::min(kind, KindOf(step));
    }
    return kind;
  }

  static std::string KindOf(const Instruction& step) {
    const bool adds = step.opcode == Opcode::kFma || step.opcode == Opcode::kSub;
    return std::string(adds ? "add" : ptx::Text(step.opcode));
  }

  std::string FloatBy(std::size_t at, int depth, int moves) {
    const Instruction& step = function_.body[at];
    if (ComputesFloats(step)) {
      std::string kind = KindOf(step);
      return kind == "add" || depth == 0 ? kind : FloatOperation(at, depth - 1);
    }
    switch (step.opcode) {
      case Opcode::kMov:
      case Opcode::kCvt:
        if (step.operands[0].kind == OperandKind::kVector || moves >= kMostMoves) return "v";
        return FloatOf(step.operands[1], at, depth, moves + 1);
      case Opcode::kLd:
        return step.modifiers.space == ptx::Space::kParam ? "P" : "ld." + SpaceOf(step);
      case Opcode::kShfl:
      case Opcode::kSelp:
      case Opcode::kCall:
      case Opcode::kAtom:
        return std::string(ptx::Text(step.opcode));
      default:
        return "int";
    }
  }

  // A fused multiply-add counts as a product and a sum, and a difference as a sum. Operands are
  // sorted if their order does not matter.
  std::string FloatOperation(std::size_t at, int depth) {
    const Instruction& step = function_.body[at];
    std::vector<std::string> operands;
    for (std::size_t i = 1; i < step.operands.size(); ++i) {
      operands.push_back(FloatOf(step.operands[i], at, depth));
    }
    switch (step.opcode) {
      case Opcode::kFma:
        return Sorted("add", {Sorted("mul", {operands[0], operands[1]}), operands[2]});
      case Opcode::kAdd:
      case Opcode::kSub:
        return Sorted("add", std::move(operands));
      case Opcode::kMul:
      case Opcode::kMin:
      case Opcode::kMax:
        return Sorted(ptx::Text(step.opcode), std::move(operands));
      default:
        return fmt::format("{}({})", ptx::Text(step.opcode), fmt::join(operands, ","));
    }
  }

  const ptx::Function& function_;
  RegisterValues values_;
};

// Returns the place of `id` in a source of the submission, not in other headers.
Place PlaceOf(const ptx::Module& module, ptx::LocationId id, const FileNumber& number_of) {
  const SourceLocation where =
      module.Place(id, [&](const std::string& path) { return number_of(path).has_value(); });
  const auto file = number_of(where.file);
  if (!file || where.line < 1) return {};
  return {.file = *file, .line = static_cast<std::uint32_t>(where.line)};
}

}  // namespace

std::vector<Fingerprint> KernelFingerprints(const ptx::Module& module,
                                            const FileNumber& number_of) {
  std::vector<Fingerprint> fingerprints;
  std::size_t left = kMostReadInstructions;
  std::size_t work = kMostReadingWork;
  for (const ptx::Function& function : module.functions) {
    if (left == 0) return fingerprints;
    Reader reader(function, work);
    for (std::size_t i = 0; i < function.body.size(); ++i) {
      if (left == 0) return fingerprints;
      --left;
      const auto [kind, exact] = reader.Describe(i);
      if (kind.empty()) continue;
      const Place place = PlaceOf(module, function.body[i].location, number_of);
      fingerprints.push_back(
          {.kind = HashOf(kind), .exact = HashOf(exact), .first = place, .last = place});
    }
  }
  return fingerprints;
}

}  // namespace warpcheck::similarity
