// Begins with the picture of the document that holds this script.

import {Controls} from "./controls.js";
import {Picture} from "./picture.js";

const data = JSON.parse(document.querySelector(".perfsift-data").textContent);
globalThis.perfsift = {
  controls: new Controls(new Picture(document.querySelector("svg.perfsift"), data))
};
