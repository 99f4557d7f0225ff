// The scripts and the style of pictures, from the files in script/.
#pragma once

#include <string_view>

namespace perfsift::output::flame_script {

extern const std::string_view change_js;  // only for differences; pages have it, too
extern const std::string_view tree_js;
extern const std::string_view margins_js;
extern const std::string_view picture_js;
extern const std::string_view words_js;
extern const std::string_view controls_js;
extern const std::string_view start_js;
extern const std::string_view flame_css;
extern const std::string_view dark_css;

}  // namespace perfsift::output::flame_script
