// TomlReader reads values of a TOML file. Errors say which line is wrong, and what to write there.
#pragma once

#include <toml++/toml.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "grading/rubric.h"

namespace warpcheck {

// Parses a text. The error names the place where it is not TOML.
Result<toml::table> ParseToml(std::string_view text, const std::string& file);

// Reads values, and keeps the first error. After an error it returns empty values.
class TomlReader {
 public:
  explicit TomlReader(std::string file) : file_(std::move(file)) {}

  void Wrong(const toml::node& node, std::string message, std::string hint);
  void Check(const toml::node& node, const Result<>& checked) {
    if (!checked) Wrong(node, checked.error().message, checked.error().hint);
  }
  // Checks that the table has no keys other than these. `what` names the table in the error: "a
  // criterion".
  void CheckKeys(const toml::table& table, const std::vector<std::string_view>& known,
                 std::string_view what);

  // Returns a text. `example` shows in the error how to write it: `title = "Matrix transpose"`.
  std::string Text(const toml::table& table, std::string_view key, std::string_view example);
  // Returns the texts of a node that is a text or a list of texts.
  std::vector<std::string> Texts(const toml::node& node, std::string_view key);
  Points PointsIn(const toml::node& node, std::string_view key);
  // Returns the table with this key, or null if there is no such table.
  const toml::table* Table(const toml::table& table, std::string_view key);

  const std::optional<Error>& error() const { return error_; }

 private:
  std::string file_;
  std::optional<Error> error_;
};

}  // namespace warpcheck
