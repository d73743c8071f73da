// What the pages gain where scripts run: copying, a question before what cannot be
// undone, and forms that are sent once. Without it every page does the same, plainer.
"use strict";

document.documentElement.classList.add("scripted");

// What has just happened, for those who listen.
const spoken = document.createElement("p");
spoken.className = "spoken";
spoken.setAttribute("aria-live", "polite");
document.body.append(spoken);

// -- Copying: data-copy on a button in a figure, or data-copy="id" of what to copy.

for (const button of document.querySelectorAll("[data-copy]")) button.hidden = false;

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const source = document.getElementById(button.dataset.copy) ?? button.closest("figure")?.querySelector("code, pre");
  if (!source) return;
  const said = (await copy(source)) ? "Copied" : "Press Ctrl+C to copy";
  button.dataset.label ??= button.textContent;
  button.textContent = spoken.textContent = said;
  setTimeout(() => {
    button.textContent = button.dataset.label;
    spoken.textContent = "";
  }, 2000);
});

// copy tells whether the text is in the clipboard. Where a page may not write there,
// as without TLS, the text is left selected for the person to do it.
async function copy(source) {
  try {
    await navigator.clipboard.writeText(source.value ?? source.textContent.trim());
    return true;
  } catch {
    getSelection().selectAllChildren(source);
    return document.execCommand("copy");
  }
}

// -- Forms: data-confirm asks first; a form that is on its way is not sent again.

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method === "dialog" || event.defaultPrevented) return;
  if (form.dataset.sent) return event.preventDefault();
  if (form.dataset.confirm && !form.dataset.confirmed) {
    event.preventDefault();
    return ask(form, event.submitter);
  }
  form.dataset.sent = "yes";
  event.submitter?.setAttribute("aria-busy", "true");
});

// A page that comes back from the browser's memory is as it was before.
window.addEventListener("pageshow", () => {
  for (const form of document.forms) {
    delete form.dataset.sent;
    delete form.dataset.confirmed;
  }
  for (const button of document.querySelectorAll("[aria-busy]")) button.removeAttribute("aria-busy");
});

// ask shows the form's question, and sends the form when it is answered with the
// word on the button that was pressed.
function ask(form, submitter) {
  const dialog = document.createElement("dialog");
  const answers = document.createElement("form");
  answers.method = "dialog";
  const question = document.createElement("p");
  question.id = "question";
  question.textContent = form.dataset.confirm;
  const row = document.createElement("div");
  row.className = "actions";
  row.append(answer("cancel", "Cancel"), answer("confirm", submitter?.textContent || "Continue", submitter?.className));
  answers.append(question, row);
  dialog.append(answers);
  dialog.setAttribute("aria-labelledby", question.id);
  dialog.addEventListener("close", () => {
    dialog.remove();
    submitter?.focus();
    if (dialog.returnValue !== "confirm") return;
    form.dataset.confirmed = "yes";
    form.requestSubmit(submitter);
  });
  document.body.append(dialog);
  dialog.showModal();
}

function answer(value, text, className = "") {
  const button = document.createElement("button");
  button.value = value;
  button.textContent = text;
  button.className = className;
  return button;
}
