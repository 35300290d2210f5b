// Fills the templates of pages, which are the files of harness/report/html/pages/ and part of
// the program. Their language is Mustache (https://mustache.github.io/mustache.5.html).
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

namespace warpcheck {

// The data of a template. Fields that the JSON report also has have the same names here.
using PageModel = nlohmann::ordered_json;

// A file of harness/report/html/pages/.
struct PageFile {
  std::string_view name;  // "student.html"
  std::string_view text;
};

std::span<const PageFile> PageFiles();

// Returns the text of the file `name`, which must exist.
std::string_view PageText(std::string_view name);

// Returns a template filled with `model`. `name` means the file `<name>.html`, unless it has an
// extension of its own ("line_plot.svg"). {{> bar}} stands for the file bar.html. Texts are escaped
// for their places (report/html/html_text.h), and cut after 256 KiB. For a section, "", null and
// false count as false. Every name that a template uses must be in the model.
std::string Rendered(std::string_view name, const PageModel& model);

}  // namespace warpcheck
