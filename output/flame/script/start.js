// Begins with the picture of the document that holds this script.
"use strict";
perfsift.controls = new perfsift.Controls(new perfsift.Picture(
  document.querySelector("svg.perfsift"), JSON.parse(document.querySelector(".perfsift-data").textContent)));
