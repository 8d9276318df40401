import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Cluster, cluster, missing, patience, waitFor, writeSourceExport } from '@parlance/testing';
import { admin, environment } from './deployment.ts';
import { answered, guideFiles, GuideReader, madeOnce } from './guide-story.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const lacking = missing('kafka') ?? missing('mongo') ?? missing('s3');

(lacking === null ? describe : describe.skip)(`a new cluster${lacking === null ? '' : ` (${lacking})`}`, () => {
  let directory: string;
  let running: Cluster;
  let requests = 0;
  const reader = new GuideReader(() => running.urls[requests++ % running.urls.length]!);

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'parlance-migration-'));
    running = await cluster({ ...environment, PARLANCE_GUIDE_BOT: 'true' }, { isOwn: true });
    await reader.signIn(admin);
  });
  afterAll(async () => {
    await running?.stop();
    await rm(directory, { recursive: true, force: true, maxRetries: 3 });
  });

  it('creates only one guide for all replicas, and the guide answers its quick starters', async () => {
    const botId = await reader.guide();
    const { body } = await reader.ask('GET', `/bot/private/${botId}`);
    expect(body.knowledge.filenames.toSorted()).toEqual(guideFiles);
    await waitFor(async () => (await reader.auditActions(botId))['pin'] === 1, { what: 'the audit entries' });
    expect(await reader.auditActions(botId)).toMatchObject(madeOnce);
    expect(await reader.tryStarters(botId)).toEqual(answered);
  });

  it(
    'imports a migration through the running services, and reports the same figures afterwards',
    async () => {
      const from = join(directory, 'export');
      await writeSourceExport({ directory: from, version: 3, seed: 51, users: 5, bots: 4, conversations: 100, hasImages: true });
      const env = {
        ...process.env,
        ...running.environment,
        PARLANCE_SERVICES: JSON.stringify(running.addresses),
        PARLANCE_LOG_LEVEL: 'warn',
      };
      const node = join(root, 'node_modules/node/bin/node');
      const child = spawn(node, [join(root, 'apps/parlance/dist/main.js'), 'migrate', '--from', from], { cwd: directory, env });
      let output = '';
      for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
      const code = await new Promise((resolve) => child.once('close', resolve));
      expect([code, output]).toEqual([0, expect.stringContaining('Parlance reports the same: 100 conversations')]);
    },
    patience(180_000),
  );
});
