// Loads a trace into trace_processor and asks it: load(path), query(sql).
import {EngineBase} from "./engine.mjs";

class Engine extends EngineBase {
  constructor(port) {
    super();
    this.mode = "WASM";
    this.id = "perfsift";
    this.port = port;
    port.onmessage = ({data}) => this.onRpcResponseBytes(data);
  }
  rpcSendRequestBytes(data) { this.port.postMessage(data); }
}

let engine;
window.load = async (path) => {
  const {port1, port2} = new MessageChannel();
  new Worker("worker.js").postMessage(port1, [port1]);
  engine = new Engine(port2);
  await engine.parse(new Uint8Array(await (await fetch(path)).arrayBuffer()));
  await engine.notifyEof();
};
window.query = async (sql) => {
  const result = await engine.query(sql), columns = result.columns(), rows = [];
  if (result.error()) throw new Error(result.error());
  const plain = (value) => (typeof value === "bigint" ? Number(value) : value);
  for (const at = result.iter({}); at.valid(); at.next()) rows.push(columns.map((column) => plain(at.get(column))));
  return rows;
};
document.documentElement.dataset.ready = "";
