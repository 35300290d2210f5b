#include "lab/run/fit_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>

#include "base/text.h"

namespace warpcheck::lab {
namespace {

constexpr std::uint64_t kPointerBytes = 8;

bool IsWhole(const Parameter& parameter) {
  return !parameter.is_float && parameter.bytes <= kPointerBytes &&
         std::has_single_bit(parameter.bytes);
}

// Returns true if a whole number of so many bytes, signed or not, can be this number.
bool Holds(std::uint64_t bytes, std::int64_t number) {
  if (bytes >= sizeof number) return true;
  const std::int64_t limit = std::int64_t{1} << (8 * bytes);
  return number >= -(limit / 2) && number < limit;
}

std::string KindOf(const Parameter& parameter) {
  if (parameter.is_float) return parameter.bytes == sizeof(float) ? "a float" : "a double";
  if (parameter.bytes == kPointerBytes) return "a pointer or a whole number of 8 bytes";
  return fmt::format("a {} of {}", IsWhole(parameter) ? "whole number" : "struct",
                     Counted(parameter.bytes, "byte"));
}

// Fits the arguments of one launch.
class CallFitter {
 public:
  // `arguments` are those of lab.toml from which the plan has made the launch.
  CallFitter(const Planned& planned, const Kernels& kernels, const Arguments& arguments)
      : planned_(planned), kernels_(kernels), arguments_(arguments) {}

  Result<> Fit(KernelCall& call) const {
    const auto known = kernels_.parameters.find(call.kernel);
    if (known == kernels_.parameters.end()) return {};
    const std::vector<Parameter>& parameters = known->second;
    if (call.arguments.size() != parameters.size()) {
      return Fail(fmt::format("the kernel {} has {}, and the variant {} gives it {}", call.kernel,
                              Counted(parameters.size(), "parameter"), planned_.row.variant,
                              Counted(call.arguments.size(), "argument")),
                  arguments_.where, "write one argument for each parameter, in their order");
    }
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      CallArgument& argument = call.arguments[i];
      const auto* const whole = std::get_if<std::int64_t>(&argument);
      if (whole != nullptr && parameters[i].is_float) argument = static_cast<double>(*whole);
      if (Fits(argument, parameters[i])) continue;
      return Fail(fmt::format("parameter {} of {} is {}, and argument {} of the variant {} is {}",
                              i + 1, call.kernel, KindOf(parameters[i]), i + 1,
                              planned_.row.variant, TextOf(argument)),
                  arguments_.where, HintFor(argument, parameters[i]));
    }
    return {};
  }

 private:
  static bool Fits(const CallArgument& argument, const Parameter& parameter) {
    if (std::holds_alternative<double>(argument)) return parameter.is_float;
    if (!IsWhole(parameter)) return false;
    const auto* const whole = std::get_if<std::int64_t>(&argument);
    return whole == nullptr ? parameter.bytes == kPointerBytes : Holds(parameter.bytes, *whole);
  }

  std::string TextOf(const CallArgument& argument) const {
    if (const auto* pointer = std::get_if<BufferPointer>(&argument)) {
      return "the buffer " + planned_.buffers[pointer->buffer].name;
    }
    if (const auto* texture = std::get_if<TextureArgument>(&argument)) {
      return "the texture " + planned_.textures[texture->texture].name;
    }
    if (const auto* real = std::get_if<double>(&argument)) return fmt::format("{}", *real);
    return fmt::format("{}", std::get<std::int64_t>(argument));
  }

  static std::string HintFor(const CallArgument& argument, const Parameter& parameter) {
    if (std::holds_alternative<double>(argument)) return "write a whole number, without a point";
    if (std::holds_alternative<std::int64_t>(argument)) {
      return IsWhole(parameter) ? "choose a number that fits, or a larger type in the kernel"
                                : "a lab gives kernels only numbers, buffers and textures";
    }
    return "compare the order of the arguments with the kernel's parameters";
  }

  const Planned& planned_;
  const Kernels& kernels_;
  const Arguments& arguments_;
};

}  // namespace

Result<> FitArguments(const Lab& lab, const Kernels& kernels, std::vector<Planned>& plan) {
  for (Planned& planned : plan) {
    const Variant& variant = *std::ranges::find(lab.variants, planned.row.variant, &Variant::name);
    const CallFitter fitter(planned, kernels, variant.call.arguments);
    for (Piece& piece : planned.pieces) WARPCHECK_TRY(fitter.Fit(piece.call));
    if (!planned.check) continue;
    const Arguments& checked =
        variant.check_arguments ? *variant.check_arguments : lab.check->arguments;
    WARPCHECK_TRY(CallFitter(planned, kernels, checked).Fit(*planned.check));
  }
  return {};
}

}  // namespace warpcheck::lab
