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

const viz = await instance();
const schema = JSON.parse(readFileSync(new URL('../../doc/report.schema.json', import.meta.url)));
const report = new Ajv({ allErrors: true, strict: true }).compile(schema);

const parsers = {
  '.mmd': (text) => mermaid.parse(text),
  '.dot': (text) => viz.renderString(text, { format: 'svg' }),
  '.report.json': (text) => {
    if (!report(JSON.parse(text))) throw new Error(JSON.stringify(report.errors, null, 2));
  },
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
