// Forms of staff screens: labelled fields with their bounds, what is wrong beside the field, a few common checks. Pure.
import { html } from "../base/dom.js";
import { saidHere } from "../base/words.js";
import { t } from "./words.js";

const MAX_REASON = 400;

/** @import { Choice } from "server" */
/** @import { Html } from "../base/dom.js" */

/**
 * @typedef {Record<string, any>} Values what a form holds: texts, and true for a box that is ticked
 * @typedef {Record<string, string>} Wrong what is wrong, by field
 * @typedef {{
 *   name: string, label: string, type?: string, value?: unknown, hint?: string, wrong?: string,
 *   options?: unknown[][] | null, act?: string, max?: number, mode?: string, list?: string,
 * }} Field
 */

/** One field. `wrong` is what stands beside it; `hint` says beforehand what it may be. @param {Field} field */
export function field({ name, label, type = "text", value = "", hint = "", wrong = "", options = null, ...more }) {
  const id = `f-${name}`;
  const described = [hint && `${id}-hint`, wrong && `${id}-wrong`].filter(Boolean).join(" ");
  const about = html`id="${id}" name="${name}" ${described ? html`aria-describedby="${described}"` : null}
    ${wrong ? html`aria-invalid="true"` : null}`;
  return html`<div class="field" data-key="field-${name}"><label for="${id}">${label}</label>
    ${control({ about, type, value, options, more })}
    ${hint ? html`<small class="dim" id="${id}-hint">${hint}</small>` : null}
    ${wrong ? wrongNote(id, wrong) : null}</div>`;
}

const wrongNote = (/** @type {string} */ id, /** @type {string} */ text) => html`<small class="wrong" id="${id}-wrong"><pb-icon name="warn" size="14"></pb-icon>
  ${text}</small>`;

function control({ about, type, value, options, more }) {
  if (options) {
    return html`<select ${about} ${more.act ? html`data-change="${more.act}"` : null}>${options.map(([id, text]) =>
      html`<option value="${id}" ${String(id) === String(value) ? html`selected` : null}>${text}</option>`)}</select>`;
  }
  const max = more.max ?? MAX_REASON;
  if (type === "area") return html`<textarea ${about} rows="2" maxlength="${max}">${value}</textarea>`;
  return html`<input ${about} type="${type}" value="${value}" autocomplete="off" spellcheck="false"
    ${more.max ? html`maxlength="${more.max}"` : null} ${more.mode ? html`inputmode="${more.mode}"` : null}
    ${more.list ? html`list="${more.list}"` : null}>`;
}

/** @param {{ name: string, label: string, on: unknown, hint?: string }} box */
export const check = ({ name, label, on, hint = "" }) => html`<label class="check" data-key="field-${name}"><input
  type="checkbox" name="${name}"
  ${on ? html`checked` : null}><span>${label}${hint ? html`<small class="dim">${hint}</small>` : null}</span></label>`;

/**
 * Why something is done: asked for wherever the server writes it down.
 * @param {{ values?: Values, wrong?: Wrong | null }} sheet
 * @param {string} label
 * @param {string} hint
 */
export const reasonField = (sheet, label, hint) =>
  field({ name: "reason", label, type: "area", value: sheet.values?.reason ?? "", hint, wrong: sheet.wrong?.reason });

/**
 * Why play stops, by one of the server's causes, and a note; nothing to choose from while they are asked for.
 * @param {{ values?: Values, wrong?: Wrong | null }} sheet
 * @param {Choice[] | null | undefined} causes
 */
export function causeFields({ values, wrong }, causes) {
  if (!causes) return html`<p class="muted">${t("Asking for the causes …")}</p>`;
  const options = [["", t("Choose …")], ...causes.map((cause) => [cause.code, saidHere(cause.text)])];
  return html`${field({
    name: "cause", label: t("Cause"), options, value: values?.cause ?? "", wrong: wrong?.cause,
    hint: t("Patrons read it, each in their language."),
  })}${field({
    name: "note", label: t("Note"), type: "area", value: values?.note ?? "", wrong: wrong?.note,
    hint: t("For staff: it is written in the journal, and patrons are not told."),
  })}`;
}

// Checks: "" where a value is right, else what is wrong, in words. They mirror the server's bounds.

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
const PATRON = /^[A-Za-z0-9][A-Za-z0-9._:@-]*$/;

/** @param {string} text @param {string[]} [taken] @param {string} [what] */
export function nameWrong(text, taken = [], what = "name") {
  if (!text) return what === "name" ? t("A name is needed.") : t("A {0} is needed.", what);
  if (text.length > 32) return t("At most 32 letters.");
  if (!NAME.test(text)) return t("Letters, digits, dot, hyphen and underscore; a letter or digit first.");
  return taken.includes(text) ? t("{0} is there already.", text) : "";
}

/** @param {string} text */
export function patronWrong(text) {
  if (!text) return t("Say which patron.");
  if (text.length > 64) return t("At most 64 letters.");
  return PATRON.test(text) ? "" : t("Letters, digits and . _ : @ -, a letter or digit first.");
}

/** @param {string} text */
export function reasonWrong(text) {
  if (!text.trim()) return t("Say why.");
  return text.length > MAX_REASON ? t("At most {0} letters.", MAX_REASON) : "";
}

const OTHER = "another-reason";

/** What is wrong with a cause and its note, by field. @param {Values} values */
export function causeWrong({ cause, note = "" }) {
  const written = note.trim() || cause === OTHER ? reasonWrong(note) : "";
  return wrongs({ cause: cause ? "" : t("Choose."), note: written });
}

/** What the server is told. @param {Values} values */
export const whyOf = ({ cause, note = "" }) => ({ cause, note: note.trim() });

/** @param {unknown} text @param {number} least @param {number} most */
export function wholeWrong(text, least, most) {
  if (!/^\d{1,9}$/.test(String(text).trim())) return t("A whole number.");
  const n = Number(text);
  return n < least || n > most ? t("{0} to {1}.", least.toLocaleString("en"), most.toLocaleString("en")) : "";
}

/** Only what is wrong: {reason: "Say why."}, or null where all is right. @param {Wrong} found */
export function wrongs(found) {
  const kept = Object.entries(found).filter(([, text]) => text);
  return kept.length ? Object.fromEntries(kept) : null;
}
