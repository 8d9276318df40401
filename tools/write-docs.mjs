// Writes the documents that are made from the code: docs/reference/configuration.md from the keys of the configuration, docs/reference/asyncapi.json
// from the public events. `--check` writes nothing and fails when a file differs from what would be written. Needs a build.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import prettier from 'prettier';
import { unreadKeys } from './unread-keys.mjs';
import { writeResults } from './results.mjs';
import { path } from './workspace.mjs';

const built = (lib) => import(pathToFileURL(path('libs', lib, 'dist/index.js')).href);
const [{ describeConfig }, { VERSION }, { asyncApiDocument, publicEvents }] = await Promise.all(
  ['config', 'foundation', 'contracts'].map(built),
);

const documents = [
  ['docs/reference/configuration.md', await configuration(describeConfig())],
  ['docs/reference/asyncapi.json', `${JSON.stringify(asyncApiDocument(publicEvents, VERSION), null, 2)}\n`],
];

const isCheck = process.argv.includes('--check');
const stale = [];
for (const [file, text] of documents) {
  if (isCheck) {
    if (textOf(file) !== text) stale.push(file);
  } else {
    mkdirSync(dirname(path(file)), { recursive: true });
    writeFileSync(path(file), text);
  }
}
if (isCheck) writeResults({ passed: documents.length - stale.length, failed: stale.length });
for (const file of stale) console.error(`${file} is not what the code says: run node tools/write-docs.mjs after a build`);
process.exitCode = stale.length > 0 ? 1 : 0;

function textOf(file) {
  try {
    return readFileSync(path(file), 'utf8');
  } catch {
    return null;
  }
}

async function configuration(keys) {
  const unread = new Set(unreadKeys(keys.map(({ key }) => key)));
  const rows = keys.map(({ key, env, default: preset, allowed, doc, secret }) =>
    [
      `\`${key}\`${secret ? ' (secret)' : ''}${unread.has(key) ? ' ¹' : ''}`,
      `\`${env}\``,
      defaultOf(preset),
      cell(`${doc} ${sentence(allowed)}`),
    ].join(' | '),
  );
  const text = `
# Configuration

<!-- Written by tools/write-docs.mjs from libs/config/src: change it there. -->

A value comes from the default, then \`parlance.config.json\` in the working directory (or the file that \`--config FILE\` names),
then the environment; later wins. In the file a key has its own name. Its variable begins with \`PARLANCE_\` and has an underscore
before every capital. In a variable, lists are separated by commas and objects are JSON; an empty variable unsets what may be unset.
Relative paths start at the file that says them, or at the working directory.

An unknown key or a wrong value stops the start with one line. \`parlance config\` prints the configuration that holds, with
secrets masked, those inside \`objectStore\`, \`models\` and \`oidcProviders\` too.

| Key | Variable | Default | What it does, and what may stand there |
| --- | --- | --- | --- |
${rows.map((row) => `| ${row} |`).join('\n')}

${unread.size > 0 ? '¹ Checked at the start, and read by nothing yet: setting it changes nothing. In particular it restricts nobody.' : ''}
`;
  const options = await prettier.resolveConfig(path('docs/reference/configuration.md'));
  return prettier.format(text, { ...options, parser: 'markdown' });
}

function defaultOf(preset) {
  // Written as JSON where it is a value, in words where it is worked out.
  if (preset === '–' || preset === '""' || preset === '[]' || preset === '{}') return '–';
  return isJson(preset) ? `\`${preset}\`` : cell(preset);
}

function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function sentence(text) {
  return `${text[0].toUpperCase()}${text.slice(1)}.`;
}

function cell(text) {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
