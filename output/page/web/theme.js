// Light or dark colours, as in the system until the viewer chooses.

const systemIsDark = matchMedia("(prefers-color-scheme: dark)");
const themeListeners = [];
let theme = "";  // "": the system's theme

export const chosenTheme = () => theme;
export const themeChanged = (act) => themeListeners.push(act);

export function applyTheme() {
  document.documentElement.classList.toggle("dark", theme === "dark" || (theme === "" && systemIsDark.matches));
}
export function chooseTheme(chosen) {
  theme = chosen;
  applyTheme();
  for (const act of themeListeners) act();
}
systemIsDark.addEventListener("change", () => chooseTheme(theme));
