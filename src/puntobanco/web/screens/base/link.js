// The live side: sockets that come back by themselves.
import { setNow } from "./clock.js";

const RETRY_MS = 400, RETRY_MOST_MS = 4000;
const pause = (tries) => Math.min(RETRY_MOST_MS, RETRY_MS * tries) * (0.75 + Math.random() / 2); // not all at once
const address = (path) => `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`;

// A socket at `path`. `onMessage` gets what it says; `onState` "connecting", "open" or "lost" with the number of tries.
// Returns {send, close}; what is sent while it is not open is dropped, and said by the answer.
export function link(path, { onMessage, onState = () => {}, onOpen = () => {} }) {
  let socket = null, tries = 0, over = false;
  function connect() {
    socket = new WebSocket(address(path));
    socket.onopen = () => { tries = 0; onState("open", 0); onOpen(); };
    socket.onmessage = (event) => onMessage(JSON.parse(event.data));
    socket.onclose = (event) => {
      if (over) return;
      tries += 1;
      onState("lost", tries, event);
      if (!over) setTimeout(connect, pause(tries));
    };
  }
  onState("connecting", 0);
  connect();
  return {
    send(message) {
      const open = socket.readyState === WebSocket.OPEN;
      if (open) socket.send(JSON.stringify(message));
      return open;
    },
    close() { over = true; socket.close(); },
  };
}

// Views of the floor, whole and anew after every change: views({pit: (view, at) => ...}, {onState, onRefused, onBye}).
export function views(topics, { onState = () => {}, onRefused = () => {}, onBye = () => {} } = {}) {
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
