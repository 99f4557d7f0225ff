// The files of the folder web/, compiled in.
#pragma once

#include <string_view>

namespace perfsift::output::web {

extern const std::string_view page_html, page_css;
// In the order in which a page has them: a file uses what is above.
extern const std::string_view theme_js, dom_js, format_js, columns_js, model_js, selection_js, trees_js, groups_js,
    colours_js, search_js, state_js, layout_js, flame_js, live_js, expression_js, drawing_js, save_js, overview_js,
    selection_bar_js, flame_view_js, functions_view_js, function_view_js, lanes_view_js, heat_view_js, waits_view_js,
    summary_view_js, main_js;

}  // namespace perfsift::output::web
