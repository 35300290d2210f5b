#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "base/files.h"
#include "device/counters.h"
#include "grading/toml_reader.h"
#include "labs/lab/lab.h"

namespace warpcheck::lab {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostLines = 6;
// The names that columns may use beside the axes and the counters.
constexpr std::string_view kMeasured[] = {"bytes",     "time_us",       "copy_gbps", "occupancy",
                                          "registers", "blocks_per_sm", "threads",   "blocks"};
constexpr std::pair<std::string_view, Fill> kFills[] = {{"zeros", Fill::kZeros},
                                                        {"ones", Fill::kOnes},
                                                        {"hashed", Fill::kHashed},
                                                        {"index", Fill::kIndex},
                                                        {"floats", Fill::kFloats}};

// Reads a parsed lab.toml, and keeps the first error.
class LabReader {
 public:
  LabReader(const fs::path& folder, std::string file) : reader_(file), file_(std::move(file)) {
    lab_.folder = folder;
    lab_.name = folder.filename().string();
  }

  Result<Lab> Read(const toml::table& table) {
    reader_.CheckKeys(table,
                      {"title", "lecture", "source", "bytes", "axis", "buffer", "launch", "variant",
                       "check", "column", "figure"},
                      "a lab");
    lab_.title = reader_.Text(table, "title", "title = \"Transposing n x n floats\"");
    lab_.lecture = reader_.Text(table, "lecture", "lecture = \"Memory, slides 12 to 20\"");
    lab_.source = lab_.folder / (table.contains("source")
                                     ? reader_.Text(table, "source", "source = \"kernels.cu\"")
                                     : lab_.name + ".cu");
    ForEach(table, "axis", true, [this](const auto& row) { ReadAxis(row); });
    if (const toml::node* bytes = table.get("bytes")) lab_.bytes = SizeIn(*bytes);
    ForEach(table, "buffer", false, [this](const auto& row) { ReadBuffer(row); });
    if (const toml::node* launch = table.get("launch")) {
      launch_ = launch->as_table();
      if (launch_ == nullptr) Wrong(*launch, "\"launch\" must be a table", "write [launch]");
    }
    if (launch_ != nullptr) reader_.CheckKeys(*launch_, CallKeys(), "[launch]");
    ForEach(table, "variant", true, [this](const auto& row) { ReadVariant(row); });
    if (const toml::table* check = reader_.Table(table, "check")) {
      reader_.CheckKeys(*check, CallKeys(), "[check]");
      lab_.buffers.push_back(
          {.name = std::string(kWrong), .bytes = Number(4), .fill = Fill::kZeros});
      lab_.check = ReadCall(*check, nullptr);
    }
    ForEach(table, "column", true, [this](const auto& row) { ReadColumn(row); });
    ForEach(table, "figure", false, [this](const auto& row) { ReadFigure(row); });
    if (reader_.error()) return Fail(*reader_.error());
    return std::move(lab_);
  }

 private:
  static std::vector<std::string_view> CallKeys() {
    return {"kernel", "grid", "block", "shared", "arguments"};
  }
  static Formula Number(int number) { return *Formula::Parse(std::to_string(number)); }

  void Wrong(const toml::node& node, std::string message, std::string hint) {
    reader_.Wrong(node, std::move(message), std::move(hint));
  }

  void ForEach(const toml::table& table, std::string_view key, bool needed, const auto& read) {
    const toml::node* node = table.get(key);
    const toml::array* rows = node == nullptr ? nullptr : node->as_array();
    if (node == nullptr && !needed) return;
    if (rows == nullptr || rows->empty()) {
      return Wrong(node == nullptr ? table : *node, fmt::format("the lab has no [[{}]]", key),
                   fmt::format("write [[{}]] with its keys below it", key));
    }
    for (const toml::node& row : *rows) {
      if (const toml::table* inner = row.as_table()) {
        read(*inner);
      } else {
        Wrong(row, fmt::format("every [[{}]] must be a table", key), "");
      }
    }
  }

  std::string TextOr(const toml::table& table, std::string_view key, const std::string& otherwise) {
    if (!table.contains(key)) return otherwise;
    return reader_.Text(table, key, fmt::format("{} = \"{}\"", key, otherwise));
  }

  std::vector<AxisValue> ValuesIn(const toml::table& row, std::string_view key) {
    std::vector<AxisValue> values;
    const toml::array* list = row[key].as_array();
    if (list != nullptr) {
      for (const toml::node& item : *list) {
        if (const auto number = item.value_exact<std::int64_t>()) {
          values.push_back(AxisValueOf(std::to_string(*number)));
        } else if (const auto text = item.value_exact<std::string>(); text && !text->empty()) {
          values.push_back({.text = *text});
        } else {
          Wrong(item, "a value of an axis must be a whole number or a text", "");
        }
      }
    }
    if (values.empty()) {
      Wrong(row, fmt::format("the axis has no {}", key),
            fmt::format("write {} = [256, 512, 1024]", key));
    }
    return values;
  }

  void ReadAxis(const toml::table& row) {
    reader_.CheckKeys(row, {"name", "label", "values", "gpu_values"}, "an axis");
    Axis axis;
    axis.name = reader_.Text(row, "name", "name = \"n\"");
    axis.label = TextOr(row, "label", axis.name);
    axis.values = ValuesIn(row, "values");
    axis.gpu_values = row.contains("gpu_values") ? ValuesIn(row, "gpu_values") : axis.values;
    if (IsAxis(axis.name)) Wrong(row, fmt::format("there are two axes {}", axis.name), "");
    if (IsMeasured(axis.name)) {
      Wrong(row, fmt::format("{} is the name of something measured", axis.name),
            "give the axis another name");
    }
    lab_.axes.push_back(std::move(axis));
  }

  bool IsAxis(std::string_view name) const {
    return std::ranges::find(lab_.axes, name, &Axis::name) != lab_.axes.end();
  }
  static bool IsMeasured(std::string_view name) {
    return CounterNamed(name) || std::ranges::find(kMeasured, name) != std::ranges::end(kMeasured);
  }
  std::string AxisNames() const {
    std::vector<std::string> names;
    for (const Axis& axis : lab_.axes) names.push_back(axis.name);
    return fmt::format("{}", fmt::join(names, ", "));
  }

  Formula ParsedFormula(const toml::node& node) {
    if (const auto number = node.value_exact<std::int64_t>()) {
      return Parsed(node, std::to_string(*number));
    }
    const auto text = node.value_exact<std::string>();
    if (text) return Parsed(node, *text);
    Wrong(node, "this must be a whole number or a formula", "write it as a text: \"n / 32\"");
    return {};
  }
  Formula Parsed(const toml::node& node, const std::string& text) {
    auto formula = Formula::Parse(text);
    reader_.Check(node, formula.map([](const Formula&) {}));
    return formula ? *std::move(formula) : Formula();
  }

  // Reads a formula of the axes.
  Formula SizeIn(const toml::node& node) {
    Formula formula = ParsedFormula(node);
    CheckAxes(node, formula);
    return formula;
  }
  void CheckAxes(const toml::node& node, const Formula& formula) {
    for (const std::string& name : formula.Names()) {
      if (IsAxis(name)) continue;
      Wrong(node, fmt::format("\"{}\" uses {}, which is no axis", formula.text(), name),
            "the axes are: " + AxisNames());
    }
  }

  void ReadBuffer(const toml::table& row) {
    reader_.CheckKeys(row, {"name", "bytes", "fill"}, "a buffer");
    Buffer buffer;
    buffer.name = reader_.Text(row, "name", "name = \"in\"");
    if (const toml::node* bytes = row.get("bytes")) {
      buffer.bytes = SizeIn(*bytes);
    } else {
      Wrong(row, "missing key \"bytes\"", "write bytes = \"4 * n\"");
    }
    const std::string fill = TextOr(row, "fill", "zeros");
    const auto* const found =
        std::ranges::find(kFills, fill, &std::pair<std::string_view, Fill>::first);
    if (found == std::end(kFills)) {
      Wrong(row, fmt::format("there is no fill \"{}\"", fill),
            "fill may be: zeros, ones, hashed, index, floats");
    } else {
      buffer.fill = found->second;
    }
    if (IsAxis(buffer.name) || buffer.name == kWrong) {
      Wrong(row, fmt::format("{} is the name of something else", buffer.name),
            "give the buffer another name");
    }
    lab_.buffers.push_back(std::move(buffer));
  }

  // Returns the key's value in the row, or else in [launch].
  static const toml::node* Either(const toml::table& row, const toml::table* base,
                                  std::string_view key) {
    const toml::node* node = row.get(key);
    return node == nullptr && base != nullptr ? base->get(key) : node;
  }

  std::vector<Formula> Extent(const toml::table& row, const toml::table* base,
                              std::string_view key) {
    std::vector<Formula> extent;
    const toml::node* node = Either(row, base, key);
    const toml::array* list = node == nullptr ? nullptr : node->as_array();
    if (list != nullptr) {
      for (const toml::node& item : *list) extent.push_back(SizeIn(item));
    } else if (node != nullptr) {
      extent.push_back(SizeIn(*node));
    }
    if (extent.empty() || extent.size() > 3) {
      Wrong(node == nullptr ? row : *node,
            fmt::format("\"{}\" must be one to three whole numbers or formulas", key),
            fmt::format("write {} = [\"n / 32\", 8]", key));
    }
    return extent;
  }

  Argument ArgumentIn(const toml::node& node) {
    if (const auto real = node.value_exact<double>()) return *real;
    const std::string text = node.value_exact<std::string>().value_or("");
    const std::size_t plus = std::min(text.find('+'), text.size());
    std::string name = text.substr(0, plus);
    while (name.ends_with(' ')) name.pop_back();
    const auto buffer = std::ranges::find(lab_.buffers, name, &Buffer::name);
    if (buffer == lab_.buffers.end()) return SizeOrBuffer(node);
    PointerArgument pointer{.buffer = static_cast<std::size_t>(buffer - lab_.buffers.begin()),
                            .offset = {}};
    if (plus < text.size()) {
      pointer.offset = Parsed(node, text.substr(plus + 1));
      CheckAxes(node, pointer.offset);
    }
    return pointer;
  }
  Formula SizeOrBuffer(const toml::node& node) {
    Formula formula = ParsedFormula(node);
    for (const std::string& name : formula.Names()) {
      if (IsAxis(name)) continue;
      Wrong(node,
            fmt::format("the argument \"{}\" uses {}, which is no buffer and no axis",
                        formula.text(), name),
            "write the name of a buffer, perhaps with \"+ bytes\", or a formula of the axes: " +
                AxisNames());
    }
    return formula;
  }

  Call ReadCall(const toml::table& row, const toml::table* base) {
    Call call;
    const toml::node* kernel = Either(row, base, "kernel");
    call.kernel = reader_.Text(kernel != nullptr && !row.contains("kernel") ? *base : row, "kernel",
                               "kernel = \"transpose\" or kernel = \"copy<{stride}>\"");
    const toml::source_position begin = (kernel == nullptr ? row : *kernel).source().begin;
    call.where = {.file = file_, .line = static_cast<int>(begin.line)};
    for (std::size_t open = 0; (open = call.kernel.find('{', open)) != std::string::npos; ++open) {
      const std::string name = call.kernel.substr(open + 1, call.kernel.find('}', open) - open - 1);
      if (IsAxis(name)) continue;
      Wrong(kernel == nullptr ? row : *kernel,
            fmt::format("{{{}}} in the kernel's name is no axis", name),
            "the axes are: " + AxisNames());
    }
    call.grid = Extent(row, base, "grid");
    call.block = Extent(row, base, "block");
    if (const toml::node* shared = Either(row, base, "shared")) call.shared = SizeIn(*shared);
    const toml::node* list = Either(row, base, "arguments");
    if (list == nullptr || !list->is_array()) {
      Wrong(list == nullptr ? row : *list, "\"arguments\" must be a list",
            "write arguments = [\"in\", \"out\", \"n\"]");
    } else {
      for (const toml::node& item : *list->as_array()) call.arguments.push_back(ArgumentIn(item));
    }
    return call;
  }

  void ReadVariant(const toml::table& row) {
    auto keys = CallKeys();
    keys.emplace_back("name");
    reader_.CheckKeys(row, keys, "a variant");
    Variant variant;
    variant.name = reader_.Text(row, "name", "name = \"naive\"");
    variant.call = ReadCall(row, launch_);
    lab_.variants.push_back(std::move(variant));
  }

  void ReadColumn(const toml::table& row) {
    reader_.CheckKeys(row, {"name", "title", "formula", "digits"}, "a column");
    Column column;
    column.name = reader_.Text(row, "name", "name = \"coalescing\"");
    column.title = TextOr(row, "title", column.name);
    if (const toml::node* formula = row.get("formula")) {
      column.formula = ParsedFormula(*formula);
      CheckMeasured(*formula, column.formula);
    } else if (const auto counter = CounterNamed(column.name)) {
      column.formula = *Formula::Parse(Info(*counter).name);
    } else {
      Wrong(row, fmt::format("the column {} has no formula, and is no counter", column.name),
            "write formula = \"...\", or give it the name of a counter (docs/counters.md)");
    }
    const auto digits = row["digits"].value_exact<std::int64_t>();
    if (row.contains("digits") && (!digits || *digits < 0 || *digits > 6)) {
      Wrong(row, "\"digits\" must be a number from 0 to 6", "write digits = 1");
    } else {
      column.digits = static_cast<int>(digits.value_or(0));
    }
    lab_.columns.push_back(std::move(column));
  }
  void CheckMeasured(const toml::node& node, const Formula& formula) {
    for (const std::string& name : formula.Names()) {
      if (IsAxis(name) || IsMeasured(name)) continue;
      Wrong(node, fmt::format("there is no counter {}", name),
            fmt::format("a column may use the counters of docs/counters.md, the axes ({}), and: {}",
                        AxisNames(), fmt::join(kMeasured, ", ")));
    }
  }

  std::size_t ColumnNamed(const toml::table& row, const std::string& name) {
    const auto found = std::ranges::find(lab_.columns, name, &Column::name);
    if (found == lab_.columns.end()) Wrong(row, fmt::format("there is no column {}", name), "");
    return static_cast<std::size_t>(found - lab_.columns.begin());
  }
  std::size_t AxisNamed(const toml::table& row, const std::string& name) {
    const auto found = std::ranges::find(lab_.axes, name, &Axis::name);
    if (found == lab_.axes.end()) {
      Wrong(row, fmt::format("there is no axis {}", name), "the axes are: " + AxisNames());
    }
    return static_cast<std::size_t>(found - lab_.axes.begin());
  }

  // Reads which variants are lines; without the key, all are.
  void ReadVariants(const toml::table& row, Figure& figure) {
    if (const toml::node* names = row.get("variants")) {
      figure.variants = reader_.Texts(*names, "variants");
    } else {
      for (const Variant& variant : lab_.variants) figure.variants.push_back(variant.name);
    }
    for (const std::string& name : figure.variants) {
      if (std::ranges::find(lab_.variants, name, &Variant::name) != lab_.variants.end()) continue;
      Wrong(row, fmt::format("there is no variant {}", name), "");
    }
  }

  void ReadFigure(const toml::table& row) {
    reader_.CheckKeys(row,
                      {"title", "x", "column", "lines", "variant", "variants", "at", "reference"},
                      "a figure");
    Figure figure;
    figure.title = reader_.Text(row, "title", "title = \"Bandwidth of each transpose\"");
    figure.x = AxisNamed(row, reader_.Text(row, "x", "x = \"n\""));
    figure.column = ColumnNamed(row, reader_.Text(row, "column", "column = \"gbps\""));
    const std::string lines = TextOr(row, "lines", "variant");
    if (lines != "variant") figure.lines = AxisNamed(row, lines);
    figure.variant = TextOr(row, "variant", lab_.variants.empty() ? "" : lab_.variants[0].name);
    if (std::ranges::find(lab_.variants, figure.variant, &Variant::name) == lab_.variants.end()) {
      Wrong(row, fmt::format("there is no variant {}", figure.variant), "");
    }
    ReadVariants(row, figure);
    if (row.contains("reference")) {
      figure.reference =
          ColumnNamed(row, reader_.Text(row, "reference", "reference = \"copy_gbps\""));
    }
    if (row.contains("at")) {
      const toml::table* at = reader_.Table(row, "at");
      if (at == nullptr) return;
      for (const auto& [key, value] : *at) {
        const std::string name(key.str());
        AxisNamed(*at, name);
        const auto number = value.value_exact<std::int64_t>();
        figure.at[name] =
            number ? std::to_string(*number) : value.value_exact<std::string>().value_or("");
      }
    }
    const std::size_t count = (figure.lines && *figure.lines < lab_.axes.size()
                                   ? std::max(lab_.axes[*figure.lines].values.size(),
                                              lab_.axes[*figure.lines].gpu_values.size())
                                   : figure.variants.size()) +
                              (figure.reference ? 1 : 0);
    if (count > kMostLines) {
      Wrong(row,
            fmt::format("the figure has {} lines, and at most {} can be told apart", count,
                        kMostLines),
            "draw fewer lines in each of two figures");
    }
    lab_.figures.push_back(std::move(figure));
  }

  TomlReader reader_;
  std::string file_;
  Lab lab_;
  const toml::table* launch_ = nullptr;
};

}  // namespace

AxisValue AxisValueOf(std::string text) {
  std::int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  const bool whole = error == std::errc() && stop == end && !text.empty();
  return {.text = std::move(text),
          .number = whole ? std::optional(static_cast<double>(number)) : std::nullopt};
}

Result<Lab> ReadLab(const fs::path& folder) {
  const fs::path file = folder / "lab.toml";
  const auto text = WARPCHECK_TRY(ReadFile(file));
  const auto table = WARPCHECK_TRY(ParseToml(text, file.string()));
  return LabReader(folder, file.string()).Read(table);
}

}  // namespace warpcheck::lab
