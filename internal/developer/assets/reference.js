// Shows the API's description in Swagger UI. It stands in a shadow root, so that its
// style and that of the page leave each other alone.
"use strict";

const place = document.getElementById("reference");
const root = place.attachShadow({ mode: "open" });
for (const href of [place.dataset.viewer, place.dataset.style]) {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = href;
  root.append(link);
}
const domNode = document.createElement("div");
root.append(domNode);

SwaggerUIBundle({
  domNode,
  url: place.dataset.description,
  presets: [SwaggerUIBundle.presets.apis],
  layout: "BaseLayout",
  deepLinking: false,
  docExpansion: "none",
  defaultModelsExpandDepth: -1,
  displayRequestDuration: true,
  persistAuthorization: false,
  tryItOutEnabled: true,
  validatorUrl: null,
});
