// Templates of pages: what a page looks like stands in the files of harness/report/pages/, which
// are part of the program. Their language is Mustache (https://mustache.github.io/mustache.5.html).
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

namespace warpcheck {

// What templates are filled with, under the names of the JSON report where it has the same.
using PageModel = nlohmann::ordered_json;

// A file of harness/report/pages/.
struct PageFile {
  std::string_view name;  // "student.html"
  std::string_view text;
};

std::span<const PageFile> PageFiles();

// The text of the file `name`, which has to be there.
std::string_view PageText(std::string_view name);

// A template filled with `model`: the file `<name>.html`, or `name` where it has an ending of its
// own ("line_plot.svg"). {{> bar}} stands for the file bar.html. Texts are
// escaped for where they stand (report/html_text.h), and at most 256 KiB of each are shown. "",
// null and false are "no" to a section; every name that a template uses has to be in the model.
std::string Rendered(std::string_view name, const PageModel& model);

}  // namespace warpcheck
