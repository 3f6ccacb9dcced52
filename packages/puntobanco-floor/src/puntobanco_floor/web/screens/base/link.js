// The live side: sockets that come back by themselves.
import { setNow } from "./clock.js";

/** @import { Views, Words as Bilingual } from "server" */

const RETRY_MS = 400, RETRY_MOST_MS = 4000;
const QUIET_MS = 15_000; // the floor says something every 10 s at the latest: in such a silence it is gone
const LOOK_MS = 1000;
const pause = (tries) => Math.min(RETRY_MOST_MS, RETRY_MS * tries) * (0.75 + Math.random() / 2); // not all at once
const address = (path) => `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`;

/** @typedef {"connecting" | "open" | "lost"} LinkState */

/**
 * A socket at `path`, opened again whenever it is lost. `onMessage` gets what it says; `onState` how it stands, with
 * the number of tries. What is sent while it is not open is dropped, and said by the answer.
 * @param {string} path
 * @param {{
 *   onMessage: (message: any) => void, onState?: (state: LinkState, tries: number) => void, onOpen?: () => void,
 * }} handlers
 */
export function link(path, { onMessage, onState = () => {}, onOpen = () => {} }) {
  /** @type {WebSocket} */
  let socket;
  let tries = 0, over = false, heard = 0;
  function connect() {
    heard = Date.now();
    socket = new WebSocket(address(path));
    socket.onopen = () => { tries = 0; onState("open", 0); onOpen(); };
    socket.onmessage = (event) => {
      heard = Date.now();
      const message = JSON.parse(event.data);
      if (message.t === "beat") setNow(message.at);
      else onMessage(message);
    };
    socket.onclose = lost;
  }
  function lost() {
    if (over) return;
    heard = Infinity; // until the next try there is nothing to hear
    tries += 1;
    onState("lost", tries);
    if (!over) setTimeout(() => { if (!over) connect(); }, pause(tries));
  }
  function drop() {
    if (heard === Infinity) return;
    Object.assign(socket, { onopen: null, onmessage: null, onclose: null });
    socket.close();
    lost();
  }
  // A cable that is pulled closes no socket: silence does, or the machine that says that it has no network.
  const looking = setInterval(() => { if (Date.now() - heard >= QUIET_MS) drop(); }, LOOK_MS);
  globalThis.addEventListener?.("offline", drop);
  onState("connecting", 0);
  connect();
  return {
    /** @param {object} message */
    send(message) {
      const open = socket.readyState === WebSocket.OPEN;
      if (open) socket.send(JSON.stringify(message));
      return open;
    },
    close() {
      over = true;
      clearInterval(looking);
      globalThis.removeEventListener?.("offline", drop);
      Object.assign(socket, { onopen: () => socket.close(), onmessage: null, onclose: null });
      if (socket.readyState !== WebSocket.CONNECTING) socket.close(); // before it is open, browsers call that an error
    },
  };
}

/**
 * What is done with each view, by topic.
 * @typedef {{ [T in keyof Views]?: (view: Views[T], at: number) => void }} Topics
 */

/**
 * Views of the floor, each whole and again after every change: views({pit: (view, at) => ...}, {onState, onBye}).
 * @param {Topics} topics
 * @param {{
 *   onState?: (state: LinkState, tries: number) => void,
 *   onRefused?: (what: string, reason: Bilingual) => void,
 *   onBye?: (reason: Bilingual) => void,
 * }} [handlers]
 */
export function views(topics, { onState = () => {}, onRefused = () => {}, onBye = () => {} } = {}) {
  /** @type {Record<string, any>} */
  let table = topics;
  const watch = () => socket.send({ t: "watch", what: Object.keys(table) });
  const socket = link("/ws/views", {
    onState, onOpen: () => watch(),
    onMessage(message) {
      if (message.t === "view") {
        setNow(message.at);
        table[message.what]?.(message.view, message.at);
      } else if (message.t === "refused") onRefused(message.what, message.reason);
      else if (message.t === "bye") onBye(message.reason);
    },
  });
  return { ...socket, watch(next) { table = next; watch(); } };
}
