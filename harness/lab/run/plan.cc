#include "lab/run/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.h"

namespace warpcheck::lab {
namespace {

// The numbers that a size may be.
struct Range {
  double least = 0;
  double most = std::numeric_limits<std::uint32_t>::max();
};
constexpr std::size_t kMostRows = 10'000;  // the lines of a table
constexpr double kMostBytes = 64.0 * (1 << 30);
constexpr Range kBytes{.least = 1, .most = kMostBytes};
constexpr Range kExtent{.least = 1};
constexpr Range kPieces{.least = 1, .most = 1024};
constexpr Range kStreams{.least = 1, .most = kMaxStreams};
// A double is exact for each whole number in this range.
constexpr double kMostExact = 9e15;
constexpr Range kArgument{.least = -kMostExact, .most = kMostExact};
// The rows of pitched texels begin at multiples of this.
constexpr std::uint64_t kTexturePitch = 32;
// The limits that a kernel may have (CUDA C++ Programming Guide, "Maximum number of 32-bit
// registers per thread"; ptxas does not go below 16).
constexpr std::uint64_t kFewestRegisters = 16, kMostRegisters = 255;

std::uint64_t BytesOf(const std::vector<Piece>& pieces, std::vector<PlannedCopy> Piece::*copies) {
  std::uint64_t bytes = 0;
  for (const Piece& piece : pieces) {
    for (const PlannedCopy& copy : piece.*copies) bytes += copy.bytes;
  }
  return bytes;
}

bool HasTexture(const KernelCall& call, std::size_t texture) {
  return std::ranges::any_of(call.arguments, [&](const CallArgument& argument) {
    const auto* used = std::get_if<TextureArgument>(&argument);
    return used != nullptr && used->texture == texture;
  });
}

bool IsPageable(const CallBuffer& buffer) { return buffer.host == HostMemory::kPageable; }

// Returns "-4", "65,536" or "0.5".
std::string NumberText(double number) {
  if (number != std::trunc(number) || std::abs(number) > kMostExact) {
    return fmt::format("{:g}", number);
  }
  return (number < 0 ? "-" : "") + Grouped(static_cast<std::uint64_t>(std::abs(number)));
}

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
      const auto bytes = WARPCHECK_TRY(Size(buffer.bytes, "the bytes of " + buffer.name, kBytes));
      planned.buffers.push_back(
          {.name = buffer.name, .bytes = bytes, .fill = buffer.fill, .host = buffer.host});
    }
    for (const Texture& texture : lab_.textures) {
      planned.textures.push_back(WARPCHECK_TRY(TextureOf(texture, planned.buffers)));
    }
    WARPCHECK_TRY(AddPieces(variant, planned, names));
    planned.register_limit = WARPCHECK_TRY(RegisterLimitOf(variant.call));
    names.register_limits.insert(planned.register_limit);
    if (lab_.check) {
      Call check = *lab_.check;
      if (variant.check_arguments) check.arguments = *variant.check_arguments;
      planned.check = WARPCHECK_TRY(CallOf(check, values_, planned.buffers, names));
    }
    for (std::size_t i = 0; i < planned.textures.size(); ++i) {
      planned.textures[i].used =
          HasTexture(planned.call(), i) || (planned.check && HasTexture(*planned.check, i));
    }
    WARPCHECK_TRY(AddValues(planned));
    return planned;
  }

 private:
  // Adds what is known before the launch.
  Result<> AddValues(Planned& planned) const {
    planned.values = values_;
    if (lab_.bytes) {
      planned.values["bytes"] =
          WARPCHECK_TRY(ValueOf(*lab_.bytes, values_, "the bytes that a launch must move"));
    }
    double blocks = 0;
    for (const Piece& piece : planned.pieces) {
      blocks += static_cast<double>(piece.call.grid.Count());
    }
    planned.values["blocks"] = blocks;
    planned.values["threads"] = blocks * static_cast<double>(planned.call().block.Count());
    if (!planned.has_steps) return {};
    double end = 0;
    for (const Span& span : Schedule(TasksOf(planned))) end = std::max(end, span.end);
    planned.values["copied"] = static_cast<double>(BytesOf(planned.pieces, &Piece::before) +
                                                   BytesOf(planned.pieces, &Piece::after));
    planned.values["phases"] = end;
    return {};
  }

  Result<CallTexture> TextureOf(const Texture& texture,
                                const std::vector<CallBuffer>& buffers) const {
    CallTexture made{.name = texture.name, .buffer = texture.buffer, .descriptor = texture.kind};
    TextureDescriptor& t = made.descriptor;
    const std::string of = " of the texture " + texture.name;
    const auto width = WARPCHECK_TRY(Size(texture.width, "the width" + of, kExtent));
    const auto height = WARPCHECK_TRY(Size(texture.height, "the height" + of));
    t.width = static_cast<std::uint32_t>(width);
    t.height = static_cast<std::uint32_t>(height);
    t.pitch = t.RowBytes();
    t.layer = t.pitch * std::max(t.height, 1U);
    if (t.is_pitched_memory != 0 && t.pitch % kTexturePitch != 0) {
      return Fail(fmt::format("a row of the texture {} has {} bytes, which is no multiple of {}{}",
                              texture.name, t.pitch, kTexturePitch, Where()),
                  texture.where, "choose another width, or layout = \"array\"");
    }
    if (t.layer > buffers[texture.buffer].bytes) {
      return Fail(fmt::format("the texture {} has {} bytes, and its buffer {}{}", texture.name,
                              t.layer, buffers[texture.buffer].bytes, Where()),
                  texture.where, "make the buffer larger, or the texture smaller");
    }
    return made;
  }

  Result<std::uint32_t> RegisterLimitOf(const Call& call) const {
    const auto limit = WARPCHECK_TRY(Size(call.registers, "the limit of registers"));
    if (limit != 0 && (limit < kFewestRegisters || limit > kMostRegisters)) {
      return Fail(
          fmt::format("the limit of registers is {}{}", limit, Where()), call.registers.where(),
          fmt::format("it may be {} to {}, or 0 for no limit", kFewestRegisters, kMostRegisters));
    }
    return static_cast<std::uint32_t>(limit);
  }

  Result<std::vector<PlannedCopy>> CopiesOf(const std::vector<Copy>& copies, std::uint64_t piece,
                                            std::uint64_t pieces,
                                            const std::vector<CallBuffer>& buffers) const {
    std::vector<PlannedCopy> planned;
    for (const Copy& copy : copies) {
      const CallBuffer& from = buffers[copy.from];
      const CallBuffer& to = buffers[copy.to];
      if (from.bytes != to.bytes) {
        return Fail(fmt::format("{} has {} bytes and {} has {}{}", from.name, from.bytes, to.name,
                                to.bytes, Where()),
                    copy.where, "a copy needs two buffers of one size");
      }
      if (from.bytes % pieces != 0) {
        return Fail(fmt::format("the {} bytes of {} cannot be cut into {} equal pieces{}",
                                from.bytes, from.name, pieces, Where()),
                    copy.where, "choose a number of pieces that divides the bytes");
      }
      const std::uint64_t bytes = from.bytes / pieces;
      planned.push_back(
          {.from = copy.from, .to = copy.to, .offset = piece * bytes, .bytes = bytes});
    }
    return planned;
  }

  Result<> AddPieces(const Variant& variant, Planned& planned, KernelNames& names) const {
    const auto pieces = WARPCHECK_TRY(Size(variant.pieces, "the number of pieces", kPieces));
    const auto streams = WARPCHECK_TRY(Size(variant.streams, "the number of streams", kStreams));
    planned.has_steps = lab_.has_steps;
    for (std::uint64_t i = 0; i < pieces; ++i) {
      Values values = values_;
      values["piece"] = static_cast<double>(i);
      values["pieces"] = static_cast<double>(pieces);
      values["streams"] = static_cast<double>(streams);
      Piece& piece = planned.pieces.emplace_back();
      piece.stream = static_cast<std::uint32_t>(i % streams);
      piece.before = WARPCHECK_TRY(CopiesOf(variant.before, i, pieces, planned.buffers));
      piece.call = WARPCHECK_TRY(CallOf(variant.call, values, planned.buffers, names));
      piece.after = WARPCHECK_TRY(CopiesOf(variant.after, i, pieces, planned.buffers));
    }
    return {};
  }

  // Computes a formula. `what` says what it is for: "the grid".
  Result<double> ValueOf(const Formula& formula, const Values& values,
                         const std::string& what) const {
    if (const auto value = formula.ValueFor(values, Division::kWhole)) return *value;
    const std::string nothing =
        fmt::format("{}: \"{}\" gives no number{}", what, formula.text(), Where());
    for (const std::string& name : formula.Names()) {
      if (values.at(name)) continue;
      return Fail(
          nothing, formula.where(),
          fmt::format("give the axis {0} whole numbers, or write a formula without {0}", name));
    }
    return Fail(nothing, formula.where(),
                "write a formula that does not divide by zero, and whose numbers are smaller");
  }

  Result<std::int64_t> Whole(const Formula& formula, const Values& values, const std::string& what,
                             const Range& range) const {
    const double value = WARPCHECK_TRY(ValueOf(formula, values, what));
    if (value >= range.least && value <= range.most && value == std::trunc(value)) {
      return static_cast<std::int64_t>(value);
    }
    const std::string number =
        formula.text() == fmt::format("{}", value)
            ? formula.text()
            : fmt::format("\"{}\" is {}{}", formula.text(), NumberText(value), Where());
    return Fail(fmt::format("{}: {}", what, number), formula.where(),
                fmt::format("it must be a whole number from {} to {}", NumberText(range.least),
                            NumberText(range.most)));
  }

  Result<std::uint64_t> Size(const Formula& formula, const std::string& what,
                             const Range& range = {}) const {
    return Size(formula, values_, what, range);
  }
  Result<std::uint64_t> Size(const Formula& formula, const Values& values, const std::string& what,
                             const Range& range = {}) const {
    return static_cast<std::uint64_t>(WARPCHECK_TRY(Whole(formula, values, what, range)));
  }
  std::string Where() const {
    std::string text;
    for (std::size_t i = 0; i < at_.size(); ++i) {
      text += fmt::format("{}{} = {}", i == 0 ? " at " : ", ", lab_.axes[i].name, at_[i].text);
    }
    return text;
  }

  Result<Dim3> Extent(const std::vector<Formula>& formulas, const Values& values,
                      const std::string& what) const {
    Dim3 extent;
    std::uint32_t* const parts[] = {&extent.x, &extent.y, &extent.z};
    for (std::size_t i = 0; i < formulas.size(); ++i) {
      const auto size = WARPCHECK_TRY(Size(formulas[i], values, what, kExtent));
      *parts[i] = static_cast<std::uint32_t>(size);
    }
    return extent;
  }

  Result<CallArgument> ArgumentOf(const Argument& argument, const Values& values,
                                  const std::vector<CallBuffer>& buffers) const {
    if (const auto* real = std::get_if<double>(&argument)) return *real;
    if (const auto* texture = std::get_if<TextureArgument>(&argument)) return *texture;
    if (const auto* pointer = std::get_if<PointerArgument>(&argument)) {
      const CallBuffer& buffer = buffers[pointer->buffer];
      const auto offset =
          WARPCHECK_TRY(Size(pointer->offset, values, "the offset in " + buffer.name,
                             {.most = static_cast<double>(buffer.bytes)}));
      return BufferPointer{.buffer = pointer->buffer, .offset = offset};
    }
    return WARPCHECK_TRY(Whole(std::get<Formula>(argument), values, "an argument", kArgument));
  }

  Result<KernelCall> CallOf(const Call& call, const Values& values,
                            const std::vector<CallBuffer>& buffers, KernelNames& names) const {
    KernelCall made;
    made.kernel = call.kernel;
    for (std::size_t i = 0; i < at_.size(); ++i) {
      const std::string mark = "{" + lab_.axes[i].name + "}";
      const std::string& text = at_[i].text;
      for (std::size_t at = 0; (at = made.kernel.find(mark, at)) != std::string::npos;
           at += text.size()) {
        made.kernel.replace(at, mark.size(), text);
      }
    }
    names.places.emplace(made.kernel, call.where);
    made.grid = WARPCHECK_TRY(Extent(call.grid, values, "the grid"));
    made.block = WARPCHECK_TRY(Extent(call.block, values, "the block"));
    made.dynamic_shared_bytes = WARPCHECK_TRY(Size(call.shared, values, "the shared memory"));
    for (const Argument& argument : call.arguments.list) {
      made.arguments.push_back(WARPCHECK_TRY(ArgumentOf(argument, values, buffers)));
    }
    return made;
  }

  const Lab& lab_;
  std::vector<AxisValue> at_;
  Values values_;
};

// Returns the engine that makes a copy. A copy within one memory needs no engine.
Engine EngineOf(const PlannedCopy& copy, const std::vector<CallBuffer>& buffers) {
  const bool from_host = buffers[copy.from].host.has_value();
  const bool to_host = buffers[copy.to].host.has_value();
  if (from_host == to_host) return Engine::kKernel;
  return from_host ? Engine::kCopyIn : Engine::kCopyOut;
}

}  // namespace

std::vector<Task> TasksOf(const Planned& planned) {
  std::vector<Task> tasks;
  for (const Piece& piece : planned.pieces) {
    const auto add = [&](std::vector<PlannedCopy> Piece::*copies) {
      const auto all = static_cast<double>(BytesOf(planned.pieces, copies));
      for (const PlannedCopy& copy : piece.*copies) {
        tasks.push_back({.stream = piece.stream,
                         .engine = EngineOf(copy, planned.buffers),
                         .length = all > 0 ? static_cast<double>(copy.bytes) / all : 0,
                         .host_waits = IsPageable(planned.buffers[copy.from]) ||
                                       IsPageable(planned.buffers[copy.to])});
      }
    };
    add(&Piece::before);
    tasks.push_back({.stream = piece.stream,
                     .engine = Engine::kKernel,
                     .length = 1.0 / static_cast<double>(planned.pieces.size())});
    add(&Piece::after);
  }
  return tasks;
}

Result<std::vector<Planned>> Plan(const Lab& lab, const Chosen& chosen, bool gpu,
                                  KernelNames& names) {
  // The last axis runs fastest.
  std::vector<std::vector<AxisValue>> points = {{}};
  for (const Axis& axis : lab.axes) {
    const auto set = chosen.find(axis.name);
    const auto& values = set != chosen.end() ? set->second : gpu ? axis.gpu_values : axis.values;
    if (points.size() * values.size() > kMostRows / lab.variants.size()) {
      return Fail(fmt::format("the table would have more than {} lines", Grouped(kMostRows)), {},
                  "choose fewer values of the axes in lab.toml, or with --set");
    }
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
