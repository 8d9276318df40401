// Follows docs/how-to/kubernetes.md: saves its files, and runs its commands in order, in a shell, in a folder with `deploy`.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SERVICES } from '../../check/config-keys.mjs';
import { run } from '../../check/run.mjs';
import { check } from '../../check/suite.mjs';

const NAMESPACE = 'parlance';
/** The commands below this heading use values for Argo CD. */
const FOR_ANOTHER_PROGRAM = 'Scale';
/** These commands need containers: to build the image, and to read a log. */
const NOT_HERE = /^(docker |kubectl -n parlance logs )/;

export async function checkGuide(world) {
  const page = readFileSync(join(world.root, 'docs/how-to/kubernetes.md'), 'utf8');
  const folder = mkdtempSync(join(tmpdir(), 'parlance-guide-'));
  symlinkSync(join(world.root, 'deploy'), join(folder, 'deploy'));
  // The page waits longer for real containers.
  const shell = (text) => run('timeout', ['120', 'bash', '-euo', 'pipefail', '-c', text], { env: world.env, cwd: folder });
  let isBroken = false;
  try {
    for (const { heading, text, file, language } of blocksOf(page)) {
      if (file) writeFileSync(join(folder, file), text);
      if (language === 'yaml' && !file && heading !== FOR_ANOTHER_PROGRAM)
        await check(`the chart takes the page's values: ${heading}`, () =>
          shell(`helm template parlance deploy/helm/parlance --values my-values.yaml --values - <<'END'\n${text}END`),
        );
      if (language !== 'sh') continue;
      const commands = text.split('\n').filter((line) => !NOT_HERE.test(line));
      if (commands.join('').trim() === '') continue;
      await check(`the page's commands work: ${heading}`, async () => {
        assert.ok(!isBroken, 'an earlier command of the page did not work');
        isBroken = true;
        await shell(commands.join('\n'));
        await (AFTER[heading] ?? (() => undefined))(world);
        isBroken = false;
      });
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What is checked after the last block below a heading. */
const AFTER = {
  '5. Install': async (world) => {
    for (const service of SERVICES) assert.equal((await world.readyPods(NAMESPACE, service)).length, 2, service);
    await acceptedByServices(world);
  },
  Remove: async (world) => assert.deepEqual(await world.deployments(NAMESPACE), []),
};

/** Checks that the services accept the environment of each pod, with its secrets, as configuration. */
async function acceptedByServices(world) {
  const { loadConfig } = await import(pathToFileURL(join(world.root, 'libs/config/dist/index.js')).href);
  const place = mkdtempSync(join(tmpdir(), 'parlance-config-'));
  mkdirSync(join(place, 'empty'));
  try {
    for (const deployment of await world.deployments(NAMESPACE)) {
      const env = {};
      for (const { name, value, valueFrom } of deployment.spec.template.spec.containers[0].env) {
        const ref = valueFrom?.secretKeyRef;
        env[name] = ref ? await secret(world, ref) : value;
      }
      const { kafkaBrokers, trustedProxies } = loadConfig({ argv: [], env, cwd: join(place, 'empty') });
      assert.equal(kafkaBrokers.length, 3);
      assert.deepEqual(trustedProxies, ['10.244.0.0/16']);
    }
  } finally {
    rmSync(place, { recursive: true });
  }
  const key = await secret(world, { name: 'parlance-master-key', key: 'master-key' });
  assert.equal(Buffer.from(key, 'base64').toString('base64'), key, 'the master key has more than base64');
  assert.equal(Buffer.from(key, 'base64').length, 32);
}

async function secret(world, { name, key }) {
  const { data } = await world.api.get(`/api/v1/namespaces/${NAMESPACE}/secrets/${name}`);
  return Buffer.from(data[key], 'base64').toString();
}

/** The code blocks of a page, each with its heading, and the file name that the sentence before the block mentions. */
function blocksOf(page) {
  const blocks = [];
  let heading = '';
  for (const [, title, before, language, text] of page.matchAll(/^## (.*)$|(^[^\n]*\n)?\n?^```(\w*)\n([\s\S]*?)^```$/gm)) {
    if (title !== undefined) heading = title;
    else blocks.push({ heading, language, text, file: /\bsave .*`([\w.-]+)`/i.exec(before ?? '')?.[1] });
  }
  return blocks;
}
