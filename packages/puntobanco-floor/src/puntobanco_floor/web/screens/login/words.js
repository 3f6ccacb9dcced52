// The login's words, in English and Traditional Chinese.
import { texts } from "../base/words.js";

export const WORDS = [
  ["Staff", "職員"],
  ["DEMO", "示範"],
  ["Name", "名稱"],
  ["Password", "密碼"],
  ["Checking…", "核對中…"],
  ["Log in", "登入"],
  ["I have a code to enrol with", "我有登記代碼"],
  ["One-time code; dealers have none", "一次性驗證碼；荷官無須輸入"],
  ["Log in to go on. You come back to the page you were on.", "請登入以繼續。登入後返回原來頁面。"],
  ["A demonstration", "示範"],
  [
    "The server printed a password for each of these where it was started. Choose a name, then type its "
      + "password. A floor for money has a second factor too.",
    "伺服器啟動時已顯示各人的密碼。請選擇名稱，再輸入密碼。真錢場地另設第二重驗證。",
  ],
  ["You are logged in as {0}, {1}.", "你已登入為 {0}（{1}）。"],
  ["Go on", "繼續"],
  ["Screens", "畫面"],
  ["Log out", "登出"],
  ["Your own password", "你的密碼"],
  ["Password until now", "現時密碼"],
  ["New password", "新密碼"],
  ["New PIN", "新個人密碼"],
  ["Change, and log in again", "更改並重新登入"],
  [
    "Type the code that two people have given you, both parts of it; or the first password.",
    "請輸入兩人給你的代碼的兩個部分；或首個密碼。",
  ],
  ["Code", "代碼"],
  ["Back to the login", "返回登入"],
  ["Choose a password of your own, {0}. Nobody else knows it.", "{0}，請自行設定密碼。他人不得知悉。"],
  ["A PIN, to confirm decisions with; you may leave it out", "個人密碼，用於確認決定；可不設定"],
  ["Enrol", "登記"],
  ["Scan this with an app for one-time codes on your telephone, or", "請以電話上的驗證碼應用程式掃描，或"],
  ["open the app on this device", "在本裝置開啟應用程式"],
  [", or type:", "，或輸入："],
  ["QR code of the second factor", "第二重驗證的二維碼"],
  ["The code that it shows now", "現時顯示的驗證碼"],
  ["The server does not answer. Try again in a moment.", "伺服器沒有回應。請稍後再試。"],
];
export const t = texts(WORDS);
