#include "proof/parity/set.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <limits>
#include <optional>

#include "base/files.h"

namespace warpcheck::parity {
namespace {

// Reads a parsed file and keeps the first error.
class SetReader {
 public:
  SetReader(std::string file, std::filesystem::path folder)
      : file_(std::move(file)), folder_(std::move(folder)) {}

  Result<Set> Read(const toml::table& table) {
    set_.module = folder_ / Text(table, "module");
    set_.buffer_bytes = Whole(table, "buffer_bytes", 0);
    ForEach(table, "launch", [this](const toml::table& row) { ReadLaunch(row); });
    ForEach(table, "assignment", [this](const toml::table& row) {
      set_.assignments.push_back({Text(row, "name"), Text(row, "cases")});
    });
    if (error_) return Fail(*std::move(error_));
    return std::move(set_);
  }

 private:
  void Wrong(const toml::node& node, std::string message) {
    if (error_) return;
    const toml::source_position begin = node.source().begin;
    error_ = Error{std::move(message),
                   {.file = file_,
                    .line = static_cast<int>(begin.line),
                    .column = static_cast<int>(begin.column)},
                   {}};
  }

  std::string Text(const toml::table& table, std::string_view key) {
    const auto text = table[key].value_exact<std::string>();
    if (!text || text->empty()) Wrong(table, fmt::format("\"{}\" must be a text", key));
    return text.value_or("");
  }

  std::uint32_t Whole(const toml::table& table, std::string_view key, std::int64_t otherwise) {
    const toml::node* node = table.get(key);
    const auto value =
        node == nullptr ? std::optional(otherwise) : node->value_exact<std::int64_t>();
    if (value && *value >= 0 && *value <= std::numeric_limits<std::uint32_t>::max()) {
      return static_cast<std::uint32_t>(*value);
    }
    Wrong(*node, fmt::format("\"{}\" must be a whole number from 0 to 2^32 - 1", key));
    return 0;
  }

  void ForEach(const toml::table& table, std::string_view key, const auto& read) {
    const toml::array* rows = table[key].as_array();
    if (rows == nullptr) return Wrong(table, fmt::format("there is no [[{}]]", key));
    for (const toml::node& row : *rows) {
      if (row.is_table()) read(*row.as_table());
      if (!row.is_table()) Wrong(row, fmt::format("every [[{}]] must be a table", key));
    }
  }

  Dim3 Extent(const toml::table& table, std::string_view key) {
    Dim3 extent;
    std::uint32_t* const parts[] = {&extent.x, &extent.y, &extent.z};
    const toml::array* numbers = table[key].as_array();
    bool good = numbers != nullptr && !numbers->empty() && numbers->size() <= std::size(parts);
    for (std::size_t i = 0; good && i < numbers->size(); ++i) {
      const auto number = numbers->get(i)->value_exact<std::int64_t>();
      good = number && *number >= 1 && *number <= std::numeric_limits<std::int32_t>::max();
      if (good) *parts[i] = static_cast<std::uint32_t>(*number);
    }
    if (!good) Wrong(table, fmt::format("\"{}\" must be one to three whole numbers", key));
    return extent;
  }

  // Reads an integer, or one of "ones", "zeros" and "hashed". Each may be followed by "+bytes".
  void ReadArgument(const toml::node& node, PlainLaunch& launch) {
    if (const auto number = node.value_exact<std::int64_t>()) {
      if (*number >= std::numeric_limits<std::int32_t>::min() &&
          *number <= std::numeric_limits<std::int32_t>::max()) {
        launch.arguments.emplace_back(static_cast<std::int32_t>(*number));
        return;
      }
    }
    const std::string text = node.value_exact<std::string>().value_or("");
    const std::size_t plus = std::min(text.find('+'), text.size());
    const std::string name = text.substr(0, plus);
    Pointer pointer;
    pointer.buffer = name == "zeros"    ? Buffer::kZeros
                     : name == "hashed" ? Buffer::kHashed
                                        : Buffer::kOnes;
    const std::string offset = plus == text.size() ? "0" : text.substr(plus + 1);
    const bool digits = !offset.empty() && offset.size() < 10 &&
                        offset.find_first_not_of("0123456789") == std::string::npos;
    if ((pointer.buffer == Buffer::kOnes && name != "ones") || !digits) {
      return Wrong(node,
                   "an argument must be a 32-bit number, or \"ones\", \"zeros\" or \"hashed\", "
                   "perhaps with \"+bytes\"");
    }
    pointer.offset = std::stoull(offset);
    if (pointer.offset > set_.buffer_bytes) Wrong(node, "the offset is beyond the buffer");
    launch.arguments.emplace_back(pointer);
  }

  void ReadLaunch(const toml::table& row) {
    PlainLaunch launch;
    launch.name = Text(row, "name");
    launch.kernel = Text(row, "kernel");
    launch.grid = Extent(row, "grid");
    launch.block = Extent(row, "block");
    launch.dynamic_shared_bytes = Whole(row, "shared", 0);
    const toml::array* arguments = row["arguments"].as_array();
    if (arguments == nullptr) return Wrong(row, "\"arguments\" must be a list");
    for (const toml::node& argument : *arguments) ReadArgument(argument, launch);
    set_.launches.push_back(std::move(launch));
  }

  std::string file_;
  std::filesystem::path folder_;
  Set set_;
  std::optional<Error> error_;
};

}  // namespace

Result<Set> ReadSet(const std::filesystem::path& path) {
  const auto text = WARPCHECK_TRY(ReadFile(path));
  try {
    const toml::table table = toml::parse(text, path.string());
    return SetReader(path.string(), path.parent_path()).Read(table);
  } catch (const toml::parse_error& error) {
    return Fail(std::string(error.description()),
                {.file = path.string(), .line = static_cast<int>(error.source().begin.line)});
  }
}

}  // namespace warpcheck::parity
