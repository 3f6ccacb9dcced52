// Runs a Python program with the library's wheel in Pyodide: node pyodide.mjs WHEEL PROGRAM [--numpy]
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { loadPyodide } from "pyodide";

const [wheel, program, wantsNumpy] = process.argv.slice(2);
const began = performance.now();
const pyodide = await loadPyodide();
if (wantsNumpy) await installNumpy();
await pyodide.loadPackage(pathToFileURL(wheel).href, { messageCallback() {} });
pyodide.globals.set("started", (performance.now() - began) / 1000);
try {
  pyodide.runPython(readFileSync(program, "utf-8"));
} catch (error) {
  console.error(error.message); // uncaught, Node would print the megabyte of its source
  process.exitCode = 1;
}

// In a browser `await pyodide.loadPackage("numpy")` fetches Pyodide's own from its CDN. npm has one
// of emscripten-forge, built by the same compiler for the same Python.
async function installNumpy() {
  const folder = createRequire(import.meta.url).resolve("@emscripten-forge/numpy/package.json");
  const [name] = JSON.parse(readFileSync(folder, "utf-8")).keywords;
  const archive = readFileSync(new URL(`pkg/${name}`, pathToFileURL(folder)));
  pyodide.unpackArchive(new Uint8Array(archive), "tar.gz", { extractDir: "/numpy" });
  pyodide.FS.writeFile("/backtrace.so", backtrace());
  pyodide.runPython(`
import ctypes, sys
sys.path.append("/numpy/lib/python3.12/site-packages")
ctypes.CDLL("/backtrace.so", mode=ctypes.RTLD_GLOBAL)
`);
}

// It asks for the C function `backtrace`, which Pyodide has not: this module has one that returns 0
// ("no frames"), so that NumPy leaves out an optimisation.
function backtrace() {
  const sections = [
    [0x00, [8, ...Buffer.from("dylink.0"), 1, 4, 0, 0, 0, 0]], // no memory, no table
    [0x01, [1, 0x60, 2, 0x7f, 0x7f, 1, 0x7f]], // one type: (i32, i32) -> i32
    [0x03, [1, 0]], // one function, of that type
    [0x07, [1, 9, ...Buffer.from("backtrace"), 0, 0]], // exported
    [0x0a, [1, 4, 0, 0x41, 0, 0x0b]], // i32.const 0, end
  ];
  const body = sections.flatMap(([id, bytes]) => [id, bytes.length, ...bytes]);
  return new Uint8Array([0, ...Buffer.from("asm"), 1, 0, 0, 0, ...body]);
}
