#include "output/flame/palette_shades.h"

#include "output/flame/palette.h"

namespace perfsift::output {
namespace {

using Shades = std::span<const Palette::Shade>;

Json shade_json(const Palette::Shade& shade) { return {css_text(shade.light), css_text(shade.dark)}; }

Json shades_json(Shades shades) {
  Json all = Json::array();
  for (const Palette::Shade& shade : shades) all.push_back(shade_json(shade));
  return all;
}

// Calls use(group) with all groups of a palette.
template <typename Use>
void for_each_group(PaletteName name, Use&& use) {
  const analysis::FrameTable no_frames;
  const std::map<std::string, Colour, std::less<>> no_colours;
  const Palette palette(name, no_frames, no_colours);
  for (const Shades group : palette.groups()) use(group);
}

Json by_kind(PaletteName name) {
  Json kinds;
  const std::string_view* kind = Palette::kind_names().data();
  for_each_group(name, [&](Shades group) { kinds[std::string(*kind++)] = shades_json(group); });
  return kinds;
}

Json by_binary() {
  Json binaries = Json::array();
  for_each_group(PaletteName::dso, [&](Shades group) { binaries.push_back(shades_json(group)); });
  return binaries;
}

Json of_changes() {
  Json shades = Json::array();
  for (unsigned id = 0; id <= DifferencePalette::insignificant; ++id)
    shades.push_back(shade_json(DifferencePalette::shade(id)));
  return {{"shades", std::move(shades)},
          {"unchanged", DifferencePalette::unchanged},
          {"steps", DifferencePalette::steps},
          {"insignificant", DifferencePalette::insignificant},
          {"fewSamples", DifferencePalette::few_samples}};
}

}  // namespace

Json palette_shades() {
  return {{"kind", by_kind(PaletteName::kind)},
          {"safe", by_kind(PaletteName::safe)},
          {"binary", by_binary()},
          {"change", of_changes()}};
}

}  // namespace perfsift::output
