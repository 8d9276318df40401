// Checks the Dockerfile without building it.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { VARIABLES } from './config-keys.mjs';
import { run } from './run.mjs';
import { check } from './suite.mjs';

export async function checkImage(root) {
  const stages = parse(readFileSync(join(root, 'deploy/Dockerfile'), 'utf8'));
  const last = stages.at(-1);
  const all = stages.flatMap((stage) => stage.steps);
  const lastIndex = (...names) => last.steps.findLastIndex((step) => names.includes(step.name));

  await check('every stage of the image starts from the pinned runtime', () => {
    const runtime = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).dependencies.node;
    for (const { base } of stages)
      assert.match(base, new RegExp(`^node:${runtime.replaceAll('.', '\\.')}-bookworm-slim(@sha256:[0-9a-f]{64})?$`));
  });
  await check('the image runs as 10001 and has nothing copied or run after that', () => {
    const user = lastIndex('USER');
    assert.equal(last.steps[user]?.text, '10001:10001');
    assert.ok(user > lastIndex('COPY', 'ADD', 'RUN'), 'USER comes before the last COPY or RUN');
  });
  await check('only /data is writable', () => {
    for (const { name, text } of last.steps) if (name === 'RUN') assert.equal(text, 'mkdir /data && chown 10001:10001 /data');
    for (const { name, text } of last.steps) if (name === 'COPY') assert.doesNotMatch(text, /--ch(own|mod)/);
  });
  await check('nothing is fetched by ADD, and nothing depends on build arguments', () => {
    assert.deepEqual(
      all.filter((step) => step.name === 'ADD' || step.name === 'ARG'),
      [],
    );
  });
  const { nodeFlags, environment } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).config;
  await check('the environment of the image holds known keys and no secrets, and what `npm start` sets', () => {
    for (const [key, value] of Object.entries(environment))
      assert.ok(
        last.steps.some(({ text }) => text.includes(` ${key}=${value} `)),
        key,
      );
    for (const step of all.filter(({ name }) => name === 'ENV')) {
      for (const [, key] of step.text.matchAll(/(\w+)=/g)) {
        assert.ok(key === 'NODE_ENV' || key in environment || VARIABLES.has(key), `${key} is not a key of the configuration`);
        assert.doesNotMatch(key, /SECRET|PASSWORD|TOKEN|CREDENTIAL|ACCESS_KEY|API_KEY/);
      }
    }
  });
  await check('files copied between stages come from an existing stage', () => {
    const names = new Set(stages.map((stage) => stage.as));
    for (const step of all) for (const [, from] of step.text.matchAll(/--from=(\S+)/g)) assert.ok(names.has(from), from);
  });
  await check('commands start programs that the workspace builds', () => {
    assert.deepEqual(JSON.parse(last.steps[lastIndex('CMD')].text), ['node', ...nodeFlags, 'apps/parlance/dist/main.js', 'start']);
    for (const app of ['parlance', 'identity', 'edge']) assert.ok(existsSync(join(root, 'apps', app, 'package.json')), app);
  });
  await check('the build context holds every manifest and no secrets', () => {
    const lines = readFileSync(join(root, '.dockerignore'), 'utf8')
      .split('\n')
      .filter((line) => line && !line.startsWith('#'));
    assert.equal(lines[0], '*', 'it is not an allowlist');
    const allowed = new Set(lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1)));
    for (const needed of ['package.json', 'package-lock.json', '.npmrc', 'tsconfig.json', 'tsconfig.base.json'])
      assert.ok(allowed.has(needed), needed);
    const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    for (const pattern of workspaces) assert.ok(allowed.has(pattern.replace('/*', '')), pattern);
    for (const never of ['deploy', '.git', '.env', 'data', 'node_modules', '.cache']) assert.ok(!allowed.has(never), never);
    assert.ok(lines.includes('**/node_modules') && lines.includes('**/dist') && lines.includes('**/.env*'));
  });
  await check('the guide is in the build context, and in the right folder of the image', () => {
    const lines = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n');
    assert.ok(lines.includes('!docs/guide'));
    const copies = all.find(({ name, text }) => name === 'RUN' && text.includes('/built')).text;
    assert.ok(copies.includes(' docs/guide ') && last.steps.some(({ name, text }) => name === 'COPY' && text === '--from=build /built ./'));
    assert.ok(existsSync(join(root, 'docs/guide/connect-a-model.md')));
  });
  await check('the image installs from the manifests of all packages of the workspace', () => {
    const copied = all.find((step) => step.text.includes('/manifests') && step.name === 'RUN').text;
    for (const pattern of JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).workspaces) {
      assert.ok(copied.includes(`${pattern}/package.json`), pattern);
      const folder = join(root, pattern.replace('/*', ''));
      for (const name of readdirSync(folder)) assert.ok(existsSync(join(folder, name, 'package.json')), `${pattern}: ${name}`);
    }
  });

  await check('the image has the web console, which is built before the files are collected', () => {
    const { steps } = stages.find(({ as }) => as === 'build');
    const stepOf = (text) => steps.findIndex(({ name, text: its }) => name === 'RUN' && its.includes(text));
    const [built, collected] = [stepOf('npm run build --workspace=apps/console'), stepOf('cp --parents -r apps/*/dist')];
    assert.ok(built >= 0 && built < collected, 'the build stage does not build apps/console before it copies apps/*/dist to /built');
    assert.ok(last.steps.some(({ name, text }) => name === 'COPY' && text === '--from=build /built ./'));
    const { dependencies } = JSON.parse(readFileSync(join(root, 'apps/edge/package.json'), 'utf8'));
    assert.ok('@parlance/console' in dependencies, 'the edge finds the files by the package');
  });

  const health = JSON.parse(/CMD (\[.*\])$/.exec(last.steps[lastIndex('HEALTHCHECK')]?.text ?? '')?.[1] ?? '[]');
  for (const [status, healthy] of [
    [200, true],
    [503, false],
    [null, false],
  ]) {
    await check(`the health check ${healthy ? 'accepts' : 'refuses'} ${status ?? 'a service that does not answer'}`, () =>
      runHealthCheck(health, status, healthy),
    );
  }
}

/** Runs the health check itself against a service that answers with the status, or against a closed port. */
async function runHealthCheck(command, status, healthy) {
  const paths = [];
  const server = createServer((request, response) => {
    paths.push(request.url);
    response.writeHead(status).end();
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address();
  if (status === null) await new Promise((closed) => server.close(closed));
  try {
    const asking = run(process.execPath, command.slice(1), { env: { PARLANCE_PORT: String(port) } });
    await (healthy ? asking : assert.rejects(asking));
    assert.deepEqual(paths, status === null ? [] : ['/health/ready']);
  } finally {
    server.close();
  }
}

/** The stages of a Dockerfile, each with its base, its name and its steps (name, text on one line). */
function parse(text) {
  const stages = [];
  const lines = text
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n');
  for (const line of lines) {
    const [, name, rest] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    if (name === 'FROM') {
      const [, base, as] = /^(\S+)(?: AS (\S+))?$/.exec(rest);
      stages.push({ base, as, steps: [] });
    } else if (name) {
      stages.at(-1).steps.push({ name, text: rest });
    }
  }
  return stages;
}
