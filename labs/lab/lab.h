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

#include "base/result.h"
#include "labs/lab/formula.h"
#include "labs/launch/kernel_call.h"

namespace warpcheck::lab {

// A value of an axis: a whole number, or a text such as the name of a type.
struct AxisValue {
  std::string text;
  std::optional<double> number{};

  friend bool operator==(const AxisValue&, const AxisValue&) = default;
};

// Returns the value that a text stands for: "32" is a number.
AxisValue AxisValueOf(std::string text);

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
};

// An argument that is a pointer into a buffer.
struct PointerArgument {
  std::size_t buffer = 0;
  Formula offset;  // in bytes
};
using Argument = std::variant<PointerArgument, Formula, double>;

// A launch whose sizes depend on the axes.
struct Call {
  std::string kernel;  // {axis} stands for the value of an axis
  std::vector<Formula> grid;
  std::vector<Formula> block;
  Formula shared;
  std::vector<Argument> arguments;
  SourceLocation where;  // the place of the kernel's name in lab.toml
};

struct Variant {
  std::string name;
  Call call;
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

struct Lab {
  std::string name;  // the name of its folder
  std::filesystem::path folder;
  std::string title;
  std::string lecture;
  std::filesystem::path source;  // the .cu file
  std::optional<Formula> bytes;  // the bytes that a launch must move
  std::vector<Axis> axes;
  std::vector<Buffer> buffers;
  std::vector<Variant> variants;
  // A launch after each variant, which counts wrong elements in the buffer `wrong`.
  std::optional<Call> check;
  std::vector<Column> columns;
  std::vector<Figure> figures;
};

// The name of the buffer in which a check counts wrong elements, as an unsigned int.
inline constexpr std::string_view kWrong = "wrong";

// Reads <folder>/lab.toml. The error says where in the file it is wrong.
Result<Lab> ReadLab(const std::filesystem::path& folder);

}  // namespace warpcheck::lab
