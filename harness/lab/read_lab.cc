#include "lab/read_lab.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <span>

#include "base/files.h"
#include "base/text.h"
#include "device/counters.h"
#include "grading/toml_reader.h"

namespace warpcheck::lab {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostDrawnLines = 6;
// The names that columns may use beside the axes and the counters.
constexpr std::string_view kMeasured[] = {
    "bytes",         "time_us",    "copy_gbps",   "occupancy",   "registers", "blocks",
    "blocks_per_sm", "threads",    "phases",      "local_bytes", "kernel_us", "spill_bytes",
    "copied",        "copy_in_us", "copy_out_us", "launches"};
// The names that the sizes and arguments of a variant may use beside the axes.
constexpr std::string_view kOfPieces[] = {"piece", "pieces", "streams"};
// The columns that every table may have.
constexpr std::string_view kOfEveryTable[] = {"variant", "refused", "limiter", "likely_limiter",
                                              "use"};
constexpr std::pair<std::string_view, Fill> kFills[] = {{"zeros", Fill::kZeros},
                                                        {"ones", Fill::kOnes},
                                                        {"hashed", Fill::kHashed},
                                                        {"index", Fill::kIndex},
                                                        {"floats", Fill::kFloats}};
constexpr std::pair<std::string_view, std::optional<HostMemory>> kMemories[] = {
    {"device", std::nullopt},
    {"pinned", HostMemory::kPinned},
    {"pageable", HostMemory::kPageable},
    {"managed", HostMemory::kManaged}};
// The layouts of a texture's texels.
enum class Layout : std::uint8_t { kArray, kPitch, kLinear };
constexpr std::pair<std::string_view, Layout> kLayouts[] = {
    {"array", Layout::kArray}, {"pitch", Layout::kPitch}, {"linear", Layout::kLinear}};
constexpr std::pair<std::string_view, bool> kFilters[] = {{"point", false}, {"linear", true}};
constexpr std::pair<std::string_view, TextureEdge> kEdges[] = {{"clamp", TextureEdge::kClamp},
                                                               {"wrap", TextureEdge::kWrap},
                                                               {"mirror", TextureEdge::kMirror},
                                                               {"border", TextureEdge::kBorder}};
// The types of a texel's channels.
struct Channel {
  std::uint32_t bytes = 4;
  bool is_float = false, is_signed = false;
};
constexpr std::pair<std::string_view, Channel> kChannels[] = {
    {"float", {.bytes = 4, .is_float = true, .is_signed = true}},
    {"char", {.bytes = 1, .is_signed = true}},
    {"uchar", {.bytes = 1}},
    {"short", {.bytes = 2, .is_signed = true}},
    {"ushort", {.bytes = 2}},
    {"int", {.bytes = 4, .is_signed = true}},
    {"uint", {.bytes = 4}}};

// Reads a parsed lab.toml, and keeps the first error.
class LabReader {
 public:
  LabReader(const fs::path& folder, std::string file) : reader_(file), file_(std::move(file)) {
    lab_.folder = folder;
    lab_.name = folder.filename().string();
  }

  Result<Lab> Read(const toml::table& table) {
    reader_.CheckKeys(table,
                      {"title", "lecture", "source", "bytes", "launches_kernels", "axis", "buffer",
                       "texture", "launch", "variant", "check", "column", "figure", "timeline"},
                      "a lab");
    lab_.title = reader_.Text(table, "title", "title = \"Transposing n x n floats\"");
    lab_.lecture = reader_.Text(table, "lecture", "lecture = \"Memory, slides 12 to 20\"");
    lab_.source = lab_.folder / (table.contains("source")
                                     ? reader_.Text(table, "source", "source = \"kernels.cu\"")
                                     : lab_.name + ".cu");
    if (const toml::node* launches = table.get("launches_kernels")) {
      const auto value = launches->value_exact<bool>();
      if (!value) Wrong(*launches, "this must be true or false", "write launches_kernels = true");
      lab_.launches_kernels = value.value_or(false);
    }
    ForEach(table, "axis", true, [this](const auto& row) { ReadAxis(row); });
    if (const toml::node* bytes = table.get("bytes")) lab_.bytes = SizeIn(*bytes);
    ForEach(table, "buffer", false, [this](const auto& row) { ReadBuffer(row); });
    ForEach(table, "texture", false, [this](const auto& row) { ReadTexture(row); });
    if (const toml::node* launch = table.get("launch")) {
      launch_ = launch->as_table();
      if (launch_ == nullptr) Wrong(*launch, "\"launch\" must be a table", "write [launch]");
    }
    if (launch_ != nullptr) reader_.CheckKeys(*launch_, VariantKeys(), "[launch]");
    if (const toml::table* check = reader_.Table(table, "check")) {
      reader_.CheckKeys(*check, CallKeys(), "[check]");
      lab_.buffers.push_back(
          {.name = std::string(kWrong), .bytes = Number(4), .fill = Fill::kZeros});
      of_variant_ = false;
      lab_.check = ReadCall(*check, nullptr);
      CheckCounts(*check, lab_.check->arguments);
      of_variant_ = true;
    }
    ForEach(table, "variant", true, [this](const auto& row) { ReadVariant(row); });
    ForEach(table, "column", true, [this](const auto& row) { ReadColumn(row); });
    ForEach(table, "figure", false, [this](const auto& row) { ReadFigure(row); });
    ForEach(table, "timeline", false, [this](const auto& row) { ReadTimeline(row); });
    if (lab_.launches_kernels && lab_.has_steps) {
      Wrong(
          *table.get("launches_kernels"),
          "a lab whose kernels launch kernels has no copies, pieces, streams or memory of the host",
          "leave them out, or make two labs");
    }
    if (reader_.error()) return Fail(*reader_.error());
    return std::move(lab_);
  }

 private:
  static std::vector<std::string_view> CallKeys() {
    return {"kernel", "grid", "block", "shared", "arguments"};
  }
  static std::vector<std::string_view> VariantKeys() {
    auto keys = CallKeys();
    keys.insert(keys.end(), {"registers", "before", "after", "pieces", "streams"});
    return keys;
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
        Wrong(row, fmt::format("every [[{}]] must be a table", key),
              fmt::format("write [[{}]] with its keys below it", key));
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
        AxisValue value;
        if (const auto number = item.value_exact<std::int64_t>()) {
          value = AxisValueOf(std::to_string(*number));
        } else if (const auto text = item.value_exact<std::string>()) {
          value.text = *text;
        }
        if (value.text.empty()) {
          Wrong(item, "a value of an axis must be a whole number or a text that is not empty",
                fmt::format("write {} = [256, 512, 1024]", key));
        } else if (std::ranges::find(values, value) != values.end()) {
          Wrong(item, fmt::format("the axis has the value {} twice", value.text),
                "leave out one of them");
        }
        values.push_back(std::move(value));
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
    CheckName(row, axis.name, "axis",
              IsTaken(axis.name) || IsMeasured(axis.name) || IsOfEveryTable(axis.name));
    lab_.axes.push_back(std::move(axis));
  }

  bool IsAxis(std::string_view name) const {
    return std::ranges::find(lab_.axes, name, &Axis::name) != lab_.axes.end();
  }
  static bool IsIn(std::span<const std::string_view> names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
  }
  static bool IsMeasured(std::string_view name) {
    return CounterNamed(name) || IsIn(kMeasured, name);
  }
  static bool IsOfPieces(std::string_view name) { return IsIn(kOfPieces, name); }
  static bool IsOfEveryTable(std::string_view name) { return IsIn(kOfEveryTable, name); }
  // Returns "the axes are: n, m", for the hint of an error.
  template <class Item>
  static std::string List(std::string_view what, const std::vector<Item>& items) {
    std::vector<std::string> names;
    for (const Item& item : items) names.push_back(item.name);
    return fmt::format("the {} are: {}", what, fmt::join(names, ", "));
  }
  std::string Axes() const { return List("axes", lab_.axes); }

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
    auto formula = Formula::Parse(text, PlaceOf(node));
    reader_.Check(node, formula.map([](const Formula&) {}));
    return formula ? *std::move(formula) : Formula();
  }

  // Reads a formula of the axes; if `in_pieces`, also of the numbers of pieces.
  Formula SizeIn(const toml::node& node, bool in_pieces = false) {
    Formula formula = ParsedFormula(node);
    CheckAxes(node, formula, in_pieces);
    return formula;
  }
  void CheckAxes(const toml::node& node, const Formula& formula, bool in_pieces) {
    for (const std::string& name : formula.Names()) {
      if (IsAxis(name) || (in_pieces && IsOfPieces(name))) continue;
      Wrong(node, fmt::format("\"{}\" uses {}, which is no axis", formula.text(), name), Axes());
    }
  }

  // Returns the value of a key whose text is one of a table; without the key, its first value.
  template <class Value, std::size_t kCount>
  Value OneOf(const toml::table& row, std::string_view key,
              const std::pair<std::string_view, Value> (&table)[kCount]) {
    const std::string text = TextOr(row, key, std::string(table[0].first));
    std::vector<std::string_view> names;
    for (const auto& [name, value] : table) {
      if (name == text) return value;
      names.push_back(name);
    }
    Wrong(row.contains(key) ? *row.get(key) : row, fmt::format("there is no {} \"{}\"", key, text),
          fmt::format("{} may be: {}", key, fmt::join(names, ", ")));
    return table[0].second;
  }

  SourceLocation PlaceOf(const toml::node& node) const {
    const toml::source_position& begin = node.source().begin;
    return {.file = file_,
            .line = static_cast<int>(begin.line),
            .column = static_cast<int>(begin.column)};
  }

  // Returns the index of the buffer with this name.
  std::size_t BufferNamed(const toml::node& node, std::string_view name) {
    const auto found = std::ranges::find(lab_.buffers, name, &Buffer::name);
    if (found == lab_.buffers.end()) {
      Wrong(node, fmt::format("there is no buffer {}", name), List("buffers", lab_.buffers));
    }
    return static_cast<std::size_t>(found - lab_.buffers.begin());
  }

  bool IsTaken(std::string_view name) const {
    return IsAxis(name) || IsOfPieces(name) || name == kWrong ||
           std::ranges::find(lab_.buffers, name, &Buffer::name) != lab_.buffers.end() ||
           std::ranges::find(lab_.textures, name, &Texture::name) != lab_.textures.end();
  }

  // Checks the name of something new. `what` says what it is ("axis"), and `taken` that something
  // else has this name.
  void CheckName(const toml::table& row, std::string_view name, std::string_view what, bool taken) {
    if (reader_.error()) return;
    const toml::node& node = *row.get("name");
    if (!IsFormulaName(name)) {
      Wrong(node, fmt::format("the {} cannot have the name \"{}\"", what, name),
            "use letters, digits and _, and begin with a letter; min, max and ceil are functions");
    }
    if (taken) {
      Wrong(node, fmt::format("{} is the name of something else", name),
            fmt::format("give the {} another name", what));
    }
  }

  void ReadBuffer(const toml::table& row) {
    reader_.CheckKeys(row, {"name", "bytes", "fill", "memory"}, "a buffer");
    Buffer buffer;
    buffer.name = reader_.Text(row, "name", "name = \"in\"");
    if (const toml::node* bytes = row.get("bytes")) {
      buffer.bytes = SizeIn(*bytes);
    } else {
      Wrong(row, "missing key \"bytes\"", "write bytes = \"4 * n\"");
    }
    buffer.fill = OneOf(row, "fill", kFills);
    buffer.host = OneOf(row, "memory", kMemories);
    lab_.has_steps |= buffer.host.has_value();
    CheckName(row, buffer.name, "buffer", IsTaken(buffer.name));
    lab_.buffers.push_back(std::move(buffer));
  }

  void ReadTexture(const toml::table& row) {
    reader_.CheckKeys(
        row,
        {"name", "buffer", "layout", "type", "width", "height", "filter", "address", "normalized"},
        "a texture");
    Texture texture;
    texture.where = PlaceOf(row);
    texture.name = reader_.Text(row, "name", "name = \"image\"");
    CheckName(row, texture.name, "texture", IsTaken(texture.name));
    const std::string buffer = reader_.Text(row, "buffer", "buffer = \"in\"");
    texture.buffer = BufferNamed(row, buffer);
    if (texture.buffer < lab_.buffers.size() && lab_.buffers[texture.buffer].host) {
      Wrong(row, fmt::format("the buffer {} is no memory of the device", buffer),
            "a texture needs a buffer with memory = \"device\"");
    }
    if (const toml::node* width = row.get("width")) {
      texture.width = SizeIn(*width);
    } else {
      Wrong(row, "missing key \"width\"", "write width = \"n\", in texels");
    }
    if (const toml::node* height = row.get("height")) texture.height = SizeIn(*height);
    ReadTexels(row, texture.kind);
    ReadSampling(row, texture.kind);
    lab_.textures.push_back(std::move(texture));
  }

  // Reads the type of the texels: "uchar4" has four channels.
  void ReadTexels(const toml::table& row, TextureDescriptor& kind) {
    std::string type = TextOr(row, "type", "float");
    if (type.ends_with('2') || type.ends_with('4')) {
      kind.channels = type.back() == '2' ? 2 : 4;
      type.pop_back();
    }
    for (const auto& [name, channel] : kChannels) {
      if (name != type) continue;
      kind.channel_bytes = channel.bytes;
      kind.is_float = channel.is_float ? 1 : 0;
      kind.is_signed = channel.is_signed ? 1 : 0;
      return;
    }
    Wrong(
        *row.get("type"), fmt::format("there is no type \"{}\" of texels", type),
        "type may be: float, char, uchar, short, ushort, int, uint, perhaps with 2 or 4 after it");
  }

  void ReadSampling(const toml::table& row, TextureDescriptor& kind) {
    const Layout layout = OneOf(row, "layout", kLayouts);
    kind.is_linear_memory = layout == Layout::kLinear ? 1 : 0;
    kind.is_pitched_memory = layout == Layout::kPitch ? 1 : 0;
    kind.interpolates = OneOf(row, "filter", kFilters) ? 1 : 0;
    kind.edge.fill(OneOf(row, "address", kEdges));
    const toml::node* normalized = row.get("normalized");
    if (normalized != nullptr && !normalized->is_boolean()) {
      Wrong(*normalized, "\"normalized\" must be true or false", "write normalized = true");
    }
    kind.normalized_coordinates = row["normalized"].value_or(false) ? 1 : 0;
    if (layout == Layout::kPitch && !row.contains("height")) {
      Wrong(row, "a texture with layout = \"pitch\" needs a height", "write height = \"n\"");
    }
    if (layout == Layout::kLinear) {
      for (const char* key : {"height", "filter", "address", "normalized"}) {
        if (!row.contains(key)) continue;
        Wrong(*row.get(key), fmt::format("a texture with layout = \"linear\" has no {}", key),
              "leave it out, or choose layout = \"array\"");
      }
    }
    const bool repeats = kind.edge[0] == TextureEdge::kWrap || kind.edge[0] == TextureEdge::kMirror;
    if (repeats && kind.normalized_coordinates == 0) {
      Wrong(*row.get("address"), "wrap and mirror need normalized coordinates",
            "write normalized = true");
    }
    if (kind.interpolates != 0 && kind.is_float == 0) {
      Wrong(*row.get("filter"), "only texels of floats can be interpolated",
            "write type = \"float\", or filter = \"point\"");
    }
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
      for (const toml::node& item : *list) extent.push_back(SizeIn(item, of_variant_));
    } else if (node != nullptr) {
      extent.push_back(SizeIn(*node, of_variant_));
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
    const auto texture = std::ranges::find(lab_.textures, text, &Texture::name);
    if (texture != lab_.textures.end()) {
      return TextureArgument{static_cast<std::size_t>(texture - lab_.textures.begin())};
    }
    const auto buffer = std::ranges::find(lab_.buffers, name, &Buffer::name);
    if (buffer == lab_.buffers.end()) return SizeOrBuffer(node);
    if (buffer->host == HostMemory::kPageable) {
      Wrong(node, fmt::format("a kernel cannot use {}, which is pageable memory", name),
            "copy it with before = [\"" + name + " -> ...\"], or write memory = \"pinned\"");
    }
    PointerArgument pointer{.buffer = static_cast<std::size_t>(buffer - lab_.buffers.begin()),
                            .offset = {}};
    if (plus < text.size()) {
      pointer.offset = Parsed(node, std::string(Trimmed(text.substr(plus + 1))));
      CheckAxes(node, pointer.offset, of_variant_);
    }
    return pointer;
  }
  Formula SizeOrBuffer(const toml::node& node) {
    Formula formula = ParsedFormula(node);
    for (const std::string& name : formula.Names()) {
      if (IsAxis(name) || (of_variant_ && IsOfPieces(name))) continue;
      Wrong(node,
            fmt::format("the argument \"{}\" uses {}, which is no buffer and no axis",
                        formula.text(), name),
            "write the name of a buffer, perhaps with \"+ bytes\", or of a texture, or a formula "
            "of the axes; " +
                Axes());
    }
    return formula;
  }

  Arguments ArgumentsIn(const toml::table& row, const toml::table* base, std::string_view key) {
    Arguments arguments;
    const toml::node* list = Either(row, base, key);
    if (list == nullptr || !list->is_array()) {
      Wrong(list == nullptr ? row : *list, fmt::format("\"{}\" must be a list", key),
            fmt::format("write {} = [\"in\", \"out\", \"n\"]", key));
      return arguments;
    }
    arguments.where = PlaceOf(*list);
    for (const toml::node& item : *list->as_array()) arguments.list.push_back(ArgumentIn(item));
    return arguments;
  }

  Call ReadCall(const toml::table& row, const toml::table* base) {
    Call call;
    const toml::node* kernel = Either(row, base, "kernel");
    const bool is_in_base = !row.contains("kernel") && base != nullptr && base->contains("kernel");
    call.kernel = reader_.Text(is_in_base ? *base : row, "kernel",
                               "kernel = \"transpose\" or kernel = \"copy<{stride}>\"");
    call.where = PlaceOf(kernel == nullptr ? row : *kernel);
    for (std::size_t open = 0; (open = call.kernel.find('{', open)) != std::string::npos; ++open) {
      const std::string name = call.kernel.substr(open + 1, call.kernel.find('}', open) - open - 1);
      if (IsAxis(name)) continue;
      Wrong(kernel == nullptr ? row : *kernel,
            fmt::format("{{{}}} in the kernel's name is no axis", name), Axes());
    }
    call.grid = Extent(row, base, "grid");
    call.block = Extent(row, base, "block");
    if (const toml::node* shared = Either(row, base, "shared")) {
      call.shared = SizeIn(*shared, of_variant_);
    }
    if (const toml::node* limit = Either(row, base, "registers")) call.registers = SizeIn(*limit);
    call.arguments = ArgumentsIn(row, base, "arguments");
    return call;
  }

  // A check that does not get the buffer `wrong` could not fail.
  void CheckCounts(const toml::node& node, const Arguments& arguments) {
    const bool counts = std::ranges::any_of(arguments.list, [&](const Argument& argument) {
      const auto* const pointer = std::get_if<PointerArgument>(&argument);
      return pointer != nullptr && lab_.buffers[pointer->buffer].name == kWrong;
    });
    if (counts) return;
    Wrong(node, "the check has no argument \"wrong\"",
          "give its kernel the buffer wrong, an unsigned int, and add 1 for each wrong element");
  }

  // Reads a list of copies, such as ["host_in -> in"].
  std::vector<Copy> CopiesIn(const toml::table& row, std::string_view key) {
    std::vector<Copy> copies;
    const toml::node* node = Either(row, launch_, key);
    if (node == nullptr) return copies;
    for (const std::string& text : reader_.Texts(*node, key)) {
      const std::size_t arrow = text.find("->");
      if (arrow == std::string::npos) {
        Wrong(*node, fmt::format("\"{}\" is no copy", text),
              fmt::format("write {} = [\"host_in -> in\"], with the names of two buffers", key));
        continue;
      }
      const auto name = [&](std::string part) {
        part.erase(0, std::min(part.find_first_not_of(' '), part.size()));
        part.erase(part.find_last_not_of(' ') + 1);
        return BufferNamed(*node, part);
      };
      copies.push_back({.from = name(text.substr(0, arrow)),
                        .to = name(text.substr(arrow + 2)),
                        .where = PlaceOf(*node)});
    }
    lab_.has_steps = true;
    return copies;
  }

  void ReadVariant(const toml::table& row) {
    auto keys = VariantKeys();
    keys.insert(keys.end(), {"name", "check_arguments"});
    reader_.CheckKeys(row, keys, "a variant");
    Variant variant;
    variant.name = reader_.Text(row, "name", "name = \"naive\"");
    if (IsVariant(variant.name)) {
      Wrong(row, fmt::format("there are two variants {}", variant.name),
            "give one of them another name");
    }
    variant.call = ReadCall(row, launch_);
    variant.before = CopiesIn(row, "before");
    variant.after = CopiesIn(row, "after");
    if (const toml::node* pieces = Either(row, launch_, "pieces")) {
      variant.pieces = SizeIn(*pieces);
      lab_.has_steps = true;
    }
    if (const toml::node* streams = Either(row, launch_, "streams")) {
      variant.streams = SizeIn(*streams);
      lab_.has_steps = true;
    }
    if (row.contains("check_arguments")) {
      if (!lab_.check)
        Wrong(*row.get("check_arguments"), "the lab has no [check]", "write [check]");
      of_variant_ = false;
      variant.check_arguments = ArgumentsIn(row, nullptr, "check_arguments");
      CheckCounts(*row.get("check_arguments"), *variant.check_arguments);
      of_variant_ = true;
    }
    lab_.variants.push_back(std::move(variant));
  }

  void ReadColumn(const toml::table& row) {
    reader_.CheckKeys(row, {"name", "title", "formula", "digits"}, "a column");
    Column column;
    column.name = reader_.Text(row, "name", "name = \"coalescing\"");
    CheckName(
        row, column.name, "column",
        IsAxis(column.name) || IsOfEveryTable(column.name) ||
            std::ranges::find(lab_.columns, column.name, &Column::name) != lab_.columns.end());
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
            fmt::format("a column may use the counters of docs/counters.md, the axes, and: {}; {}",
                        fmt::join(kMeasured, ", "), Axes()));
    }
  }

  std::size_t ColumnNamed(const toml::table& row, const std::string& name) {
    const auto found = std::ranges::find(lab_.columns, name, &Column::name);
    if (found == lab_.columns.end()) {
      Wrong(row, fmt::format("there is no column {}", name), List("columns", lab_.columns));
    }
    return static_cast<std::size_t>(found - lab_.columns.begin());
  }
  std::size_t AxisNamed(const toml::table& row, const std::string& name) {
    const auto found = std::ranges::find(lab_.axes, name, &Axis::name);
    if (found == lab_.axes.end()) {
      Wrong(row, fmt::format("there is no axis {}", name), Axes());
    }
    return static_cast<std::size_t>(found - lab_.axes.begin());
  }

  bool IsVariant(std::string_view name) const {
    return std::ranges::find(lab_.variants, name, &Variant::name) != lab_.variants.end();
  }
  void CheckVariant(const toml::table& row, const std::string& name) {
    if (IsVariant(name)) return;
    Wrong(row, fmt::format("there is no variant {}", name), List("variants", lab_.variants));
  }

  // Reads which variants are lines; without the key, all are.
  void ReadVariants(const toml::table& row, Figure& figure) {
    if (const toml::node* names = row.get("variants")) {
      figure.variants = reader_.Texts(*names, "variants");
    } else {
      for (const Variant& variant : lab_.variants) figure.variants.push_back(variant.name);
    }
    for (const std::string& name : figure.variants) CheckVariant(row, name);
  }

  // Reads which values the axes have: at = { n = 64 }.
  std::map<std::string, std::string> PlaceAt(const toml::table& row) {
    std::map<std::string, std::string> place;
    const toml::table* at = row.contains("at") ? reader_.Table(row, "at") : nullptr;
    if (at == nullptr) return place;
    for (const auto& [key, value] : *at) {
      const std::string name(key.str());
      const std::size_t axis = AxisNamed(*at, name);
      if (axis == lab_.axes.size()) break;
      const auto number = value.value_exact<std::int64_t>();
      std::string text =
          number ? std::to_string(*number) : value.value_exact<std::string>().value_or("");
      CheckValue(value, lab_.axes[axis].values, text, name);
      CheckValue(value, lab_.axes[axis].gpu_values, text, name + " of a GPU");
      place[name] = std::move(text);
    }
    return place;
  }
  void CheckValue(const toml::node& node, const std::vector<AxisValue>& values,
                  const std::string& text, const std::string& axis) {
    if (std::ranges::find(values, text, &AxisValue::text) != values.end()) return;
    std::vector<std::string> texts;
    for (const AxisValue& value : values) texts.push_back(value.text);
    Wrong(node,
          text.empty() ? "a value of an axis must be a whole number or a text that is not empty"
                       : fmt::format("the axis {} has no value {}", axis, text),
          fmt::format("its values are: {}", fmt::join(texts, ", ")));
  }

  void ReadTimeline(const toml::table& row) {
    reader_.CheckKeys(row, {"title", "variant", "at"}, "a timeline");
    ShownTimeline timeline;
    timeline.title = reader_.Text(row, "title", "title = \"Four pieces in four streams\"");
    timeline.variant = reader_.Text(row, "variant", "variant = \"streams\"");
    CheckVariant(row, timeline.variant);
    if (!lab_.has_steps) {
      Wrong(row, "the lab has no steps for a timeline",
            "give a variant copies, pieces or streams, or a buffer memory of the host");
    }
    timeline.at = PlaceAt(row);
    lab_.timelines.push_back(std::move(timeline));
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
    CheckVariant(row, figure.variant);
    ReadVariants(row, figure);
    if (row.contains("reference")) {
      figure.reference =
          ColumnNamed(row, reader_.Text(row, "reference", "reference = \"copy_gbps\""));
    }
    figure.at = PlaceAt(row);
    const std::size_t count = (figure.lines && *figure.lines < lab_.axes.size()
                                   ? std::max(lab_.axes[*figure.lines].values.size(),
                                              lab_.axes[*figure.lines].gpu_values.size())
                                   : figure.variants.size()) +
                              (figure.reference ? 1 : 0);
    if (count > kMostDrawnLines) {
      Wrong(row,
            fmt::format("the figure has {} lines, and at most {} can be told apart", count,
                        kMostDrawnLines),
            "draw fewer lines in each of two figures");
    }
    lab_.figures.push_back(std::move(figure));
  }

  TomlReader reader_;
  std::string file_;
  Lab lab_;
  const toml::table* launch_ = nullptr;
  bool of_variant_ = true;  // false while the check is read, which has no pieces
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
