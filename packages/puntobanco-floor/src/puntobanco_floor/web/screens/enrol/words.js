// The words of a device's enrolment, in English and Traditional Chinese.
import { texts } from "../base/words.js";

export const WORDS = [
  ["Enrol this terminal", "登記本終端機"],
  [
    "The administrator has a code for this device: 12 letters and digits. It works once, for an hour.",
    "管理員備有本機登記碼：12 個字母及數字，一小時內有效，只可使用一次。",
  ],
  ["Code", "登記碼"],
  ["Enrol", "登記"],
  ["All tables", "所有賭枱"],
  ["The server does not answer; please try again.", "伺服器沒有回應，請再試。"],
];
export const t = texts(WORDS);
