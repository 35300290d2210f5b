#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "labs/lab/measure.h"

namespace warpcheck::lab {
namespace {

constexpr double kMostBytes = 64.0 * (1 << 30);

// Plans the launches of one point of the axes.
class PointPlanner {
 public:
  PointPlanner(const Lab& lab, std::vector<AxisValue> at) : lab_(lab), at_(std::move(at)) {
    for (std::size_t i = 0; i < at_.size(); ++i) values_[lab.axes[i].name] = at_[i].number;
  }

  Result<Planned> PlanVariant(const Variant& variant, KernelNames& names) const {
    Planned planned;
    planned.row.at = at_;
    planned.row.variant = variant.name;
    for (const Buffer& buffer : lab_.buffers) {
      const auto bytes =
          WARPCHECK_TRY(Size(buffer.bytes, "the bytes of " + buffer.name, kMostBytes));
      planned.buffers.push_back({.name = buffer.name, .bytes = bytes, .fill = buffer.fill});
    }
    planned.call = WARPCHECK_TRY(CallOf(variant.call, names));
    if (lab_.check) planned.check = WARPCHECK_TRY(CallOf(*lab_.check, names));
    planned.values = values_;
    if (lab_.bytes) planned.values["bytes"] = lab_.bytes->ValueFor(values_, Division::kWhole);
    const auto blocks = static_cast<double>(planned.call.grid.Count());
    planned.values["blocks"] = blocks;
    planned.values["threads"] = blocks * static_cast<double>(planned.call.block.Count());
    return planned;
  }

 private:
  Result<std::uint64_t> Size(const Formula& formula, std::string_view what,
                             double most = std::numeric_limits<std::uint32_t>::max()) const {
    const auto value = formula.ValueFor(values_, Division::kWhole);
    if (value && *value >= 0 && *value <= most && *value == std::trunc(*value)) {
      return static_cast<std::uint64_t>(*value);
    }
    return Fail(fmt::format("{} is \"{}\", which is {}{}", what, formula.text(),
                            value ? fmt::format("{}", *value) : std::string("no number"), Where()));
  }
  std::string Where() const {
    std::string text;
    for (std::size_t i = 0; i < at_.size(); ++i) {
      text += fmt::format("{}{} = {}", i == 0 ? " at " : ", ", lab_.axes[i].name, at_[i].text);
    }
    return text;
  }

  Result<Dim3> Extent(const std::vector<Formula>& formulas, std::string_view what) const {
    Dim3 extent;
    std::uint32_t* const parts[] = {&extent.x, &extent.y, &extent.z};
    for (std::size_t i = 0; i < formulas.size(); ++i) {
      const auto size = WARPCHECK_TRY(Size(formulas[i], what));
      *parts[i] = static_cast<std::uint32_t>(size);
    }
    return extent;
  }

  Result<CallArgument> ArgumentOf(const Argument& argument) const {
    if (const auto* real = std::get_if<double>(&argument)) return *real;
    if (const auto* pointer = std::get_if<PointerArgument>(&argument)) {
      const auto offset = WARPCHECK_TRY(Size(pointer->offset, "an offset"));
      return BufferPointer{.buffer = pointer->buffer, .offset = offset};
    }
    const auto& formula = std::get<Formula>(argument);
    const auto value = formula.ValueFor(values_, Division::kWhole);
    if (value && std::abs(*value) < 9e15) return static_cast<std::int64_t>(*value);
    return Fail(fmt::format("the argument \"{}\" is no whole number{}", formula.text(), Where()));
  }

  Result<KernelCall> CallOf(const Call& call, KernelNames& names) const {
    KernelCall made;
    made.kernel = call.kernel;
    for (std::size_t i = 0; i < at_.size(); ++i) {
      const std::string mark = "{" + lab_.axes[i].name + "}";
      for (std::size_t at = 0; (at = made.kernel.find(mark)) != std::string::npos;) {
        made.kernel.replace(at, mark.size(), at_[i].text);
      }
    }
    names.emplace(made.kernel, call.where);
    made.grid = WARPCHECK_TRY(Extent(call.grid, "the grid"));
    made.block = WARPCHECK_TRY(Extent(call.block, "the block"));
    made.dynamic_shared_bytes = WARPCHECK_TRY(Size(call.shared, "the shared memory"));
    for (const Argument& argument : call.arguments) {
      made.arguments.push_back(WARPCHECK_TRY(ArgumentOf(argument)));
    }
    return made;
  }

  const Lab& lab_;
  std::vector<AxisValue> at_;
  Values values_;
};

}  // namespace

Result<std::vector<Planned>> Plan(const Lab& lab, const Chosen& chosen, bool gpu,
                                  KernelNames& names) {
  // The last axis runs fastest.
  std::vector<std::vector<AxisValue>> points = {{}};
  for (const Axis& axis : lab.axes) {
    const auto set = chosen.find(axis.name);
    const auto& values = set != chosen.end() ? set->second : gpu ? axis.gpu_values : axis.values;
    std::vector<std::vector<AxisValue>> longer;
    for (const auto& point : points) {
      for (const AxisValue& value : values) {
        longer.push_back(point);
        longer.back().push_back(value);
      }
    }
    points = std::move(longer);
  }
  std::vector<Planned> plan;
  for (const auto& point : points) {
    const PointPlanner planner(lab, point);
    for (const Variant& variant : lab.variants) {
      plan.push_back(WARPCHECK_TRY(planner.PlanVariant(variant, names)));
    }
  }
  return plan;
}

}  // namespace warpcheck::lab
