// Somebody of the staff as `GET /api/staff/me` has them: what a role sees and may is the server's, in roles.json.
import { readFileSync } from "node:fs";

const ROLES = JSON.parse(readFileSync(new URL("roles.json", import.meta.url), "utf8"));

export const staff = (name, role) =>
  ({ name, role, csrf: "token", house: "House", demo: false, idle_s: 300, zone: "UTC", ...ROLES[role] });
