// The texts and scripts of pages and pictures, compiled in. A script consists of the ES modules of its folder and of
// this folder.
#pragma once

#include <string_view>

namespace perfsift::output::web {

extern const std::string_view flame_css, dark_css, picture_js;  // output/flame/web/
extern const std::string_view page_html, page_css, page_js;     // output/page/web/

}  // namespace perfsift::output::web
