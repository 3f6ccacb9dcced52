// A device becomes a terminal: the code is used up, and the key stays here in a cookie that no script can read.
import { send } from "./api.js";

const at = (id) => document.getElementById(id);

at("enrol").addEventListener("submit", async (event) => {
  event.preventDefault();
  at("message").textContent = "";
  try {
    const found = await send("/api/enrol", { code: at("code").value });
    location.href = found.table ? `/tables/${found.table.split(":")[1]}` : "/";
  } catch (error) {
    at("message").textContent = error.message;
  }
});
