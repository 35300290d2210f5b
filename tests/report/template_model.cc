#include "report/template_model.h"

#include <algorithm>
#include <set>
#include <string_view>

namespace warpcheck {
namespace {

// Returns the names in {{name}}, {{#name}}, {{^name}} and {{/name}} of all templates.
std::set<std::string> NamesInTemplates() {
  std::set<std::string> names;
  for (const PageFile& file : PageFiles()) {
    std::string_view text = file.text;
    if (!IsTemplate(file)) continue;
    for (std::size_t at; (at = text.find("{{")) != std::string_view::npos;) {
      text.remove_prefix(at + 2);
      std::string_view name = text.substr(0, text.find("}}"));
      name.remove_prefix(std::min(name.find_first_not_of("#^/{"), name.size()));
      if (!name.starts_with('>') && name != ".") names.emplace(name);
    }
  }
  return names;
}

}  // namespace

bool IsTemplate(const PageFile& file) {
  return file.name.ends_with(".html") || file.name.ends_with(".svg");
}

std::string_view NameOf(const PageFile& file) {
  const std::string_view name = file.name;
  return name.substr(0, name.ends_with(".html") ? name.size() - 5 : name.size());
}

PageModel ModelOfTexts(const std::string& text, std::uint64_t absent) {
  static const std::set<std::string> kNames = NamesInTemplates();
  PageModel model;
  unsigned number = 0;
  for (const std::string& name : kNames) {
    const bool is_absent = (absent >> (number++ % 64) & 1) != 0;
    PageModel value = is_absent ? PageModel(false) : PageModel(text);
    const std::size_t dot = name.find('.');
    if (dot == std::string::npos) {
      model[name] = std::move(value);
    } else {
      model[name.substr(0, dot)][name.substr(dot + 1)] = std::move(value);
    }
  }
  model["document"]["script"] = false;
  model["document"]["style"] = false;
  return model;
}

}  // namespace warpcheck
