#include "report/html/page_template.h"

#include <fmt/format.h>

#include <algorithm>
#include <kainjow/mustache.hpp>
#include <map>
#include <sstream>
#include <utility>

#include "base/check.h"
#include "base/json/text.h"
#include "report/html/html_text.h"

namespace warpcheck {
namespace {

namespace mustache = kainjow::mustache;

constexpr std::size_t kMaxShownText = std::size_t{256} << 10;

constexpr PageFile kPageFiles[] = {
#include "report/html/pages.inc"
};

// Returns the text of a template, without the newline at its end, in which each {{> name}} is
// replaced by the file of that name.
std::string WithParts(std::string_view name) {
  constexpr std::string_view kBegin = "{{> ";
  constexpr std::string_view kEnd = "}}";
  const bool is_html = name.find('.') == std::string_view::npos;
  std::string_view text = PageText(std::string(name) + (is_html ? ".html" : ""));
  text.remove_suffix(text.ends_with('\n') ? 1 : 0);
  std::string whole;
  for (std::size_t at; (at = text.find(kBegin)) != std::string_view::npos;) {
    const std::size_t end = text.find(kEnd, at);
    WARPCHECK_CHECK(end != std::string_view::npos, name);
    whole += text.substr(0, at);
    whole += WithParts(text.substr(at + kBegin.size(), end - at - kBegin.size()));
    text.remove_prefix(end + kEnd.size());
  }
  return whole += text;
}

// Returns true for a line that contains only "{{#rows}}", "{{^rows}}" or "{{/rows}}".
bool IsSectionTag(std::string_view line) {
  return line.starts_with("{{") && line.find("}}") == line.size() - 2 &&
         std::string_view("#^/").find(line[2]) != std::string_view::npos;
}

// Joins these lines to the next line, so that they leave no empty line in the page. Mustache has
// this rule, but the library follows it only for sections that are shown.
std::string WithoutTagLines(std::string_view text) {
  std::string joined;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    joined += line;
    if (!IsSectionTag(line)) joined += '\n';
  }
  return joined;
}

mustache::mustache& TemplateOf(std::string_view name) {
  thread_local std::map<std::string, mustache::mustache, std::less<>> templates;
  if (const auto known = templates.find(name); known != templates.end()) return known->second;
  mustache::mustache made(WithoutTagLines(WithParts(name)));
  WARPCHECK_CHECK(made.is_valid(), fmt::format("{}: {}", name, made.error_message()));
  made.set_custom_escape(
      [](const std::string& text) { return EscapedHtml(Shortened(text, kMaxShownText)); });
  return templates.emplace(name, std::move(made)).first->second;
}

// Converts the model. An empty text counts as false.
mustache::data DataOf(const PageModel& model) {
  if (model.is_object()) {
    mustache::data object(mustache::data::type::object);
    for (const auto& [key, value] : model.items()) object[key] = DataOf(value);
    return object;
  }
  if (model.is_array()) {
    // Fills the list in place, because the library's functions for adding to a list copy the whole
    // list.
    mustache::data list(mustache::list(model.size(), mustache::data(false)));
    auto item = const_cast<mustache::list&>(list.list_value()).begin();
    for (const PageModel& value : model) *item++ = DataOf(value);
    return list;
  }
  if (model.is_string()) {
    const auto& text = model.get_ref<const std::string&>();
    return text.empty() ? mustache::data(false) : mustache::data(text);
  }
  if (model.is_boolean()) return model.get<bool>();
  if (model.is_null()) return false;
  return mustache::data(JsonText(model));
}

// Ends the program at a name that the model lacks, because this is a mistake in the template.
class StrictContext : public mustache::context<std::string> {
 public:
  const mustache::data* get(const std::string& name) const override {
    const mustache::data* const found = mustache::context<std::string>::get(name);
    WARPCHECK_CHECK(found != nullptr, "a template uses the name " + name);
    return found;
  }
};

}  // namespace

std::span<const PageFile> PageFiles() { return kPageFiles; }

std::string_view PageText(std::string_view name) {
  const auto file = std::ranges::find(kPageFiles, name, &PageFile::name);
  WARPCHECK_CHECK(file != std::ranges::end(kPageFiles), name);
  return file->text;
}

std::string Rendered(std::string_view name, const PageModel& model) {
  const mustache::data data = DataOf(model);
  StrictContext context;
  context.push(&data);
  std::ostringstream html;
  TemplateOf(name).render(static_cast<mustache::basic_context<std::string>&>(context), html);
  return FinishedHtml(html.str());
}

}  // namespace warpcheck
