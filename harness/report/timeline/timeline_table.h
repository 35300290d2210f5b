// Makes the data of {{> timeline}}, a table of steps and streams.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "order/timeline.h"

namespace warpcheck {

// The type of the data of pages (html/page_template.h).
using TableModel = nlohmann::ordered_json;

// `place` returns the data of {{> place}}, or null.
TableModel TimelineModel(const order::Timeline& timeline, const std::string& test,
                         const std::function<TableModel(const SourceLocation&)>& place);

}  // namespace warpcheck
