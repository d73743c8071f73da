// Shows the API's description in Swagger UI. It stands in a shadow root, so that its
// style and that of the page leave each other alone.
"use strict";

const place = document.getElementById("reference");
const root = place.attachShadow({ mode: "open" });
for (const href of [place.dataset.viewer, place.dataset.theme]) {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = href;
  root.append(link);
}
const domNode = document.createElement("div");
domNode.id = "viewer";
root.append(domNode);

// What Swagger UI leaves out: for those who do not see the page or use no mouse, and
// that no browser is to remember the key.
const mends = [
  [".close-modal:not([aria-label])", "aria-label", "Close"],
  [".copy-to-clipboard button:not([aria-label])", "aria-label", "Copy"],
  [".examples-select-element:not([aria-label])", "aria-label", "Example"],
  [".auth-container input:not([autocomplete])", "autocomplete", "off"],
  ["pre:not([tabindex])", "tabindex", "0"],
  [".authorize[aria-label]", "aria-label", null], // it is not what the button says
];
new MutationObserver(() => {
  for (const [selector, name, value] of mends) {
    for (const element of root.querySelectorAll(selector)) {
      if (value === null) element.removeAttribute(name);
      else element.setAttribute(name, value);
    }
  }
}).observe(root, { childList: true, subtree: true });

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
  syntaxHighlight: false,
  tryItOutEnabled: true,
  validatorUrl: null,
});
