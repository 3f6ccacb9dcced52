// To the printer: what is printed stands in one element, and while it does nothing else of the page is.

export function print(markup) {
  let out = document.getElementById("printout");
  if (!out) {
    out = document.createElement("div");
    out.id = "printout";
    out.setAttribute("aria-hidden", "true");
    document.body.append(out);
  }
  out.innerHTML = String(markup);
  requestAnimationFrame(() => window.print()); // its codes are drawn by then
}
