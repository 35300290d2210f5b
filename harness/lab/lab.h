// A Lab is what lab.toml says (docs/labs.md): kernels of a lecture, the axes over which they are
// run, and the columns and figures that show what was measured.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/source_location.h"
#include "lab/formula.h"
#include "lab/launch/kernel_call.h"

namespace warpcheck::lab {

// A value of an axis: a whole number, or a text such as the name of a type.
struct AxisValue {
  std::string text;
  std::optional<double> number{};

  friend bool operator==(const AxisValue&, const AxisValue&) = default;
};

struct Axis {
  std::string name;   // the name in formulas
  std::string label;  // with its unit, for tables and figures
  std::vector<AxisValue> values;
  std::vector<AxisValue> gpu_values;  // the values with a GPU; at first, `values`
};

struct Buffer {
  std::string name;
  Formula bytes;
  Fill fill = Fill::kZeros;
  std::optional<HostMemory> host{};  // nullopt for memory of the device
};

// A texture over a buffer. Its sizes depend on the axes.
struct Texture {
  std::string name;
  std::size_t buffer = 0;
  TextureDescriptor kind;  // everything except addresses and sizes
  Formula width, height;   // in texels; the height is 0 for one dimension
  SourceLocation where;    // its place in lab.toml
};

// An argument that is a pointer into a buffer.
struct PointerArgument {
  std::size_t buffer = 0;
  Formula offset;  // in bytes
};
using Argument = std::variant<PointerArgument, TextureArgument, Formula, double>;

struct Arguments {
  std::vector<Argument> list;
  SourceLocation where;  // their place in lab.toml
};

// A launch whose sizes depend on the axes.
struct Call {
  std::string kernel;  // {axis} stands for the value of an axis
  std::vector<Formula> grid;
  std::vector<Formula> block;
  Formula shared;
  Arguments arguments;
  Formula registers;     // the most registers of a thread; 0 for no limit
  SourceLocation where;  // the place of the kernel's name in lab.toml
};

// A copy of a whole buffer to another one.
struct Copy {
  std::size_t from = 0, to = 0;
  SourceLocation where;  // its place in lab.toml
};

// A launch, or several: with pieces, each copy and the launch are done for each piece, and piece i
// belongs to stream i % streams.
struct Variant {
  std::string name;
  Call call;
  std::vector<Copy> before, after;  // the copies before and after the kernel
  Formula pieces = *Formula::Parse("1");
  Formula streams = *Formula::Parse("1");
  std::optional<Arguments> check_arguments;  // of the check; else its own
};

struct Column {
  std::string name;   // the name in CSV and JSON
  std::string title;  // with its unit, for tables and figures
  Formula formula;
  int digits = 0;
};

// A picture of a column. Its lines are the variants, or the values of an axis.
struct Figure {
  std::string title;
  std::size_t x = 0;  // the axis along the picture
  std::size_t column = 0;
  std::optional<std::size_t> lines;       // the axis of the lines; nullopt for the variants
  std::string variant;                    // the variant, if an axis gives the lines
  std::vector<std::string> variants;      // the variants that are drawn, if they are the lines
  std::map<std::string, std::string> at;  // the value of each other axis; else its first value
  std::optional<std::size_t> reference;   // a column that is drawn as one dashed line
};

// A timeline of the steps of a variant.
struct ShownTimeline {
  std::string title;
  std::string variant;
  std::map<std::string, std::string> at;  // the values of axes; else their first values
};

struct Lab {
  std::string name;  // the name of its folder
  std::filesystem::path folder;
  std::string title;
  std::string lecture;
  std::filesystem::path source;  // the .cu file
  std::optional<Formula> bytes;  // the bytes that a launch must move
  // True if its kernels launch kernels. Only the emulator runs them.
  bool launches_kernels = false;
  std::vector<Axis> axes;
  std::vector<Buffer> buffers;
  std::vector<Texture> textures;
  std::vector<Variant> variants;
  // True if a variant has copies, pieces or streams, or a buffer is memory of the host. Each
  // variant is then run as steps in streams (device/step_runner.h).
  bool has_steps = false;
  // A launch after each variant, which counts wrong elements in the buffer `wrong`.
  std::optional<Call> check;
  std::vector<Column> columns;
  std::vector<Figure> figures;
  std::vector<ShownTimeline> timelines;
};

// The name of the buffer in which a check counts wrong elements, as an unsigned int.
inline constexpr std::string_view kWrong = "wrong";

}  // namespace warpcheck::lab
