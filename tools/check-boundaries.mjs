// Proves that the rules of .oxlintrc.json report violations: lints a small tree of files, each of which breaks or respects one rule,
// with this repository's configuration.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { bin, node, path } from './workspace.mjs';
import { writeResults } from './results.mjs';

/** Each case: its name, a file, the file's content, and the rule that must report it (null if it is allowed). */
const cases = [
  ['an app imports another app', 'apps/edge/src/a.ts', `import '@parlance/bots';`, 'parlance(imports)'],
  ['an app imports a part of another app', 'apps/edge/src/b.ts', `import '@parlance/bots/domain';`, 'parlance(imports)'],
  ['an app reaches into another app by path', 'apps/edge/src/http/c.ts', `import '../../../bots/src/bot.ts';`, 'parlance(imports)'],
  [
    'an app imports another app dynamically',
    'apps/edge/src/d.ts',
    `export const load = () => import('@parlance/bots');`,
    'parlance(imports)',
  ],
  ['an app re-exports another app', 'apps/edge/src/e.ts', `export { Bot } from '@parlance/bots';`, 'parlance(imports)'],
  ['a test of an app imports another app', 'apps/edge/test/a.spec.ts', `import '@parlance/bots';`, 'parlance(imports)'],
  ['the one process imports an app', 'apps/parlance/src/a.ts', `import '@parlance/bots';`, null],
  ['an app imports a library', 'apps/edge/src/f.ts', `import '@parlance/messaging';`, null],
  ['a library imports an app', 'libs/messaging/src/a.ts', `import type { Bot } from '@parlance/bots';`, 'parlance(imports)'],
  ['a library reaches into an app by path', 'libs/messaging/src/b.ts', `import '../../../apps/bots/src/bot.ts';`, 'parlance(imports)'],
  ['a library reaches into a library by path', 'libs/messaging/src/c.ts', `import '../../sqlite/src/index.ts';`, 'parlance(imports)'],
  ['a library imports a library', 'libs/messaging/src/d.ts', `import '@parlance/sqlite';`, null],
  ['the client imports a library', 'libs/client/src/a.ts', `import '@parlance/decider';`, 'parlance(imports)'],
  ['the client imports a part of Node', 'libs/client/src/b.ts', `import 'node:http';`, 'parlance(imports)'],
  ['a spec of the client imports a part of Node', 'libs/client/src/b.spec.ts', `import 'node:http';`, null],
  ['a service imports the client', 'apps/bots/src/n.ts', `import '@parlance/client';`, 'parlance(imports)'],
  ['the console imports the client', 'apps/console/src/a.ts', `import '@parlance/client';\nimport 'react';`, null],
  ['the console imports another library', 'apps/console/src/b.ts', `import '@parlance/money';`, 'parlance(imports)'],
  ['the console reaches into a service', 'apps/console/src/c.ts', `import '../../edge/src/service.ts';`, 'parlance(imports)'],
  ['a test imports the client', 'apps/bots/test/c.spec.ts', `import '@parlance/client';`, null],

  ['the domain imports a framework', 'apps/bots/src/domain/a.ts', `import '@nestjs/common';`, 'parlance(imports)'],
  ['the domain imports a part of Node', 'apps/bots/src/domain/b.ts', `import 'node:crypto';`, 'parlance(imports)'],
  ['the domain imports another folder', 'apps/bots/src/domain/c.ts', `import '../http/bot.controller.ts';`, 'parlance(imports)'],
  ['the domain imports test helpers', 'apps/bots/src/domain/d.ts', `import '@parlance/decider/specify';`, 'parlance(imports)'],
  ['the domain imports the decider', 'apps/bots/src/domain/e.ts', `import '@parlance/decider';\nimport './a.ts';`, null],
  [
    "the domain's spec imports test helpers",
    'apps/bots/src/domain/a.spec.ts',
    `import '@jest/globals';\nimport 'fast-check';\nimport '@parlance/decider/specify';`,
    null,
  ],
  ["the domain's spec imports a library", 'apps/bots/src/domain/b.spec.ts', `import '@parlance/event-store';`, 'parlance(imports)'],
  ['the domain reads the clock', 'apps/bots/src/domain/f.ts', `export const now = () => Date.now();`, 'parlance(pure-domain)'],
  ['the domain creates the current date', 'apps/bots/src/domain/g.ts', `export const now = () => new Date();`, 'parlance(pure-domain)'],
  ['the domain uses a random number', 'apps/bots/src/domain/h.ts', `export const id = () => Math.random();`, 'parlance(pure-domain)'],
  ['the domain generates an id', 'apps/bots/src/domain/i.ts', `export const id = () => crypto.randomUUID();`, 'parlance(pure-domain)'],
  ['the domain waits', 'apps/bots/src/domain/j.ts', `export async function decide() {}`, 'parlance(pure-domain)'],
  ['the domain reads a given date', 'apps/bots/src/domain/k.ts', `export const day = (at: number) => new Date(at).getUTCDay();`, null],

  ['a controller imports an adapter', 'apps/bots/src/http/a.ts', `import '@parlance/event-store/sqlite';`, 'parlance(imports)'],
  ['a policy imports a driver', 'apps/bots/src/policies/a.ts', `import { Kafka } from 'kafkajs';\nexport { Kafka };`, 'parlance(imports)'],
  ['a module imports an adapter', 'apps/bots/src/bots.module.ts', `import '@parlance/event-store/sqlite';`, null],
  ['an adapter imports a driver', 'apps/bots/src/adapters/a.ts', `import 'mongodb';`, null],
  ['a test imports an adapter', 'apps/bots/test/a.spec.ts', `import '@parlance/messaging/kafka';`, null],

  ['a controller starts a workflow', 'apps/bots/src/http/c.ts', `import '../workflows/a.ts';`, null],
  ['a controller imports a policy', 'apps/bots/src/http/d.ts', `import '../policies/a.ts';`, 'parlance(imports)'],
  ['a policy starts a workflow', 'apps/bots/src/policies/b.ts', `import '../workflows/a.ts';`, null],
  ['a projection starts a workflow', 'apps/bots/src/projections/a.ts', `import '../workflows/a.ts';`, 'parlance(imports)'],
  ['an adapter starts a workflow', 'apps/bots/src/adapters/b.ts', `import '../workflows/a.ts';`, 'parlance(imports)'],
  ['a spec of a projection starts a workflow', 'apps/bots/src/projections/a.spec.ts', `import '../workflows/a.ts';`, null],

  ['a service uses a bus', 'apps/bots/src/http/e.ts', `import { CommandBus } from '@nestjs/cqrs';\nexport { CommandBus };`, null],
  [
    'a service declares a command without src/bus.ts',
    'apps/bots/src/commands/a.ts',
    `import { Command } from '@nestjs/cqrs';\nexport class Rename extends Command<void> {}`,
    'parlance(imports)',
  ],

  ['a library imports a package that its package.json names', 'libs/declared/src/a.ts', `import '@parlance/decider';`, null],
  [
    'a library imports a package that its package.json does not name',
    'libs/declared/src/b.ts',
    `import '@parlance/money';`,
    'parlance(imports)',
  ],

  ['a service reads the environment', 'apps/bots/src/g.ts', `export const port = process.env.PORT;`, 'parlance(environment)'],
  [
    'a service reads the environment in brackets',
    'apps/bots/src/h.ts',
    `export const port = globalThis.process['env'].PORT;`,
    'parlance(environment)',
  ],
  ['a service destructures the environment', 'apps/bots/src/i.ts', `const { env } = process;\nexport { env };`, 'parlance(environment)'],
  [
    'a service imports the environment',
    'apps/bots/src/j.ts',
    `import { env } from 'node:process';\nexport { env };`,
    'parlance(environment)',
  ],
  ['a library reads the environment', 'libs/messaging/src/e.ts', `export const port = process.env.PORT;`, 'parlance(environment)'],
  ['a config file reads the environment', 'apps/bots/src/config.ts', `export const port = process.env.PORT;`, null],
  ['a config folder reads the environment', 'libs/config/src/a.ts', `export const port = process.env.PORT;`, null],
  ['a spec reads the environment', 'libs/messaging/src/a.spec.ts', `export const port = process.env.PORT;`, null],
  ['the test servers read the environment', 'libs/testing/src/a.ts', `export const port = process.env.PORT;`, null],

  ['a text has "can not"', 'apps/bots/src/k.ts', `export const detail = 'The bot can not be shared.';`, 'parlance(plain-words)'],
  [
    'a template text has "somebody"',
    'libs/messaging/src/l.ts',
    'export const detail = (id) => `Somebody has ${id}.`;',
    'parlance(plain-words)',
  ],
  ['a text names the person', 'apps/bots/src/l.ts', `export const detail = 'Another user has the bot.';`, null],
  ['a banned word is a name', 'apps/bots/src/m.ts', `export const actor = 'nobody';`, null],
  ['a comment of a service says anew', 'apps/edge/src/m.ts', `// Built anew.\nexport const a = 1;`, 'parlance(plain-words)'],
  ['a comment of a library says anew', 'libs/messaging/src/m.ts', `// Built anew.\nexport const a = 1;`, 'parlance(plain-words)'],
  ['a comment of a library says mended', 'libs/messaging/src/n.ts', `/** Is mended. */\nexport const a = 1;`, 'parlance(plain-words)'],
  ['a comment of a library opens with of', 'libs/messaging/src/o.ts', `/** Of a topic. */\nexport const a = 1;`, 'parlance(plain-words)'],
  ['a comment of the console says anew', 'apps/console/src/n.ts', `// Built anew.\nexport const a = 1;`, 'parlance(plain-words)'],
  [
    'a comment in several lines opens with of',
    'libs/messaging/src/p.ts',
    `/**\n * Of a topic.\n */\nexport const a = 1;`,
    'parlance(plain-words)',
  ],
  ['a test name of a library says anew', 'libs/messaging/src/b.spec.ts', `it('starts anew', () => {});`, 'parlance(plain-words)'],
  ['a comment has a word that contains a banned word', 'libs/messaging/src/q.ts', `// We recommend it, often.\nexport const a = 1;`, null],
  ['a comment has of in its middle', 'libs/messaging/src/r.ts', `/** The end of a topic. */\nexport const a = 1;`, null],
  ['a test name is not a text of the product', 'apps/bots/test/b.spec.ts', `it('can not be shared', () => {});`, null],

  ['everything is exported', 'libs/messaging/src/f.ts', `export * from './g.ts';`, 'parlance(no-export-all)'],
  ['a file exports everything under a name', 'libs/messaging/src/h.ts', `export * as all from './g.ts';`, 'parlance(no-export-all)'],
  ['a type is any', 'libs/messaging/src/g.ts', `export const thing: any = 1;`, 'typescript(no-explicit-any)'],
  ['a file has a default export', 'libs/messaging/src/i.ts', `export default 1;`, 'import(no-default-export)'],
  ['two files import each other', 'libs/messaging/src/j.ts', `import { k } from './k.ts';\nexport const j = () => k;`, 'import(no-cycle)'],
  [
    'two files import each other (the second file)',
    'libs/messaging/src/k.ts',
    `import { j } from './j.ts';\nexport const k = j;`,
    'import(no-cycle)',
  ],
];

const tree = mkdtempSync(join(tmpdir(), 'parlance-boundaries-'));
try {
  for (const own of ['.oxlintrc.json', 'tools/boundaries.mjs']) {
    mkdirSync(dirname(join(tree, own)), { recursive: true });
    cpSync(path(own), join(tree, own));
  }
  for (const [, file, text] of cases) {
    mkdirSync(dirname(join(tree, file)), { recursive: true });
    writeFileSync(join(tree, file), `${text}\n`);
  }
  writeFileSync(
    join(tree, 'libs/declared/package.json'),
    JSON.stringify({ name: '@parlance/declared', dependencies: { '@parlance/decider': '*' } }),
  );
  const { stdout } = spawnSync(node, [bin('oxlint'), '--format=json', '.'], { cwd: tree, encoding: 'utf8' });
  const { diagnostics } = JSON.parse(stdout);
  const results = { passed: 0, failed: 0, skipped: [] };
  for (const [name, file, , rule] of cases) {
    // Other rules may report something too. Where nothing may be reported, only the rules of this repository count.
    const codes = diagnostics.filter((each) => each.filename === file && each.severity === 'error').map((each) => each.code);
    const isRight = rule === null ? !codes.some((code) => code.startsWith('parlance(')) : codes.includes(rule);
    results[isRight ? 'passed' : 'failed']++;
    if (!isRight) console.log(`${name} (${file}): expected ${rule ?? 'no objection'}, got ${codes.join(', ') || 'none'}`);
  }
  writeResults(results);
  process.exitCode = results.failed === 0 ? 0 : 1;
} finally {
  rmSync(tree, { recursive: true, force: true });
}
