import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ExportPlan, type ExportTruth, oneProcess, patience, waitFor, writeSourceExport } from '@parlance/testing';
import { admin, environment } from './deployment.ts';
import { dataOf, migrate as migrateFrom } from './migrating.ts';

const TEST_MILLIS = patience(120_000);

const migrate = (directory: string, name: string, ...more: readonly string[]) =>
  migrateFrom(directory, name, '--from', join(directory, name), ...more);

interface Summary {
  readonly read: Record<string, number>;
  readonly taken: Record<string, number>;
  readonly left_out: Record<string, number>;
}

describe('a migration', () => {
  let directory: string;
  const exported = (name: string, plan: Partial<ExportPlan> = {}): Promise<ExportTruth> =>
    writeSourceExport({ directory: join(directory, name), version: 3, seed: 11, users: 5, bots: 4, conversations: 60, ...plan });
  const run = (name: string, ...args: readonly string[]) => migrate(directory, name, ...args).ended;
  const summary = async (name: string): Promise<Summary> =>
    JSON.parse(await readFile(join(directory, `report-${name}`, 'summary.json'), 'utf8')) as Summary;
  const expectedImports = ({ users, conversations, messages, nanoDollars }: ExportTruth) => {
    return { users: users.length, bots: 4, stars: 5, conversations, messages, nano_dollars: nanoDollars };
  };

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'parlance-migration-'));
  });
  afterAll(() => rm(directory, { recursive: true, force: true, maxRetries: 3 }));

  it(
    'counts the records that can be imported in a dry run, and writes nothing',
    async () => {
      const truth = await exported('dry', { hasBroken: true, hasImages: true, long: 1 });
      const { code, output } = await run('dry', '--dry-run');
      expect([code, output]).toEqual([0, expect.stringContaining('can be taken')]);
      const { taken: found, left_out } = await summary('dry-dry-run');
      expect([found, left_out]).toEqual([expectedImports(truth), truth.reasons]);
      expect(await readdir(directory)).not.toContain('data-dry');
    },
    TEST_MILLIS,
  );

  it(
    'refuses an export of V2 with published bots, and writes nothing',
    async () => {
      await exported('published', { version: 2, isPublished: true });
      const { code, output } = await run('published');
      expect([code, output]).toEqual([1, expect.stringMatching(/published .*delete these APIs in the source first/s)]);
      expect(await readdir(directory)).not.toContain('data-published');
    },
    TEST_MILLIS,
  );

  describe.each([2, 3] as const)('of V%i', (version) => {
    const name = `v${version}`;
    let truth: ExportTruth;
    beforeAll(async () => {
      truth = await exported(name, { version, seed: 20 + version, hasBroken: true, hasImages: true, long: 1 });
    });

    it(
      'imports the valid records, reports the others, and finds the same figures in the product',
      async () => {
        const { code, output } = await run(name);
        expect([code, output]).toEqual([0, expect.stringContaining('Parlance reports the same')]);
        const { taken: found, left_out } = await summary(name);
        expect([found, left_out]).toEqual([expectedImports(truth), truth.reasons]);
      },
      TEST_MILLIS,
    );
    it(
      'changes nothing if it is repeated',
      async () => {
        const { code } = await run(name);
        expect([code, (await summary(name)).taken]).toEqual([0, expectedImports(truth)]);
      },
      TEST_MILLIS,
    );
    it('names the file and the line of each record that was left out', async () => {
      const report = (await readFile(join(directory, `report-${name}`, 'left-out.jsonl'), 'utf8')).trim().split('\n');
      const entries = report.map((line) => JSON.parse(line) as { file: string; line: number; reason: string });
      const counted = Object.groupBy(entries, ({ reason }) => reason);
      expect(Object.fromEntries(Object.entries(counted).map(([reason, group]) => [reason, group!.length]))).toEqual(truth.reasons);
      for (const entry of entries)
        expect(entry).toMatchObject({ file: expect.stringMatching(/part-\d\.json\.gz$/), line: expect.any(Number) });
    });
  });

  it(
    'continues after a kill, and ends with the same result',
    async () => {
      const truth = await exported('killed', { seed: 31, conversations: 1_500, hasBroken: true });
      let kills = 0;
      const progress = join(directory, 'report-killed', 'progress.json');
      const hash = async () =>
        createHash('sha256')
          .update(await readFile(progress).catch(() => ''))
          .digest('hex');
      for (; kills < 3; kills++) {
        const before = await hash();
        const { child, ended } = migrate(directory, 'killed');
        const hasEnded = ended.then(() => true);
        // The progress is written twice a second during the import of conversations.
        await Promise.race([waitFor(async () => (await hash()) !== before, { what: 'progress', timeout: 60_000 }), hasEnded]);
        child.kill('SIGKILL');
        if ((await ended).code !== null) break;
      }
      expect(kills).toBeGreaterThan(0);
      const { code, output } = await run('killed');
      expect([code, output]).toEqual([0, expect.stringContaining('Parlance reports the same')]);
      const { taken: found, left_out } = await summary('killed');
      expect([found, left_out]).toEqual([expectedImports(truth), truth.reasons]);
    },
    2 * TEST_MILLIS,
  );

  it(
    'imports data that the product shows, and erases with its user',
    async () => {
      const truth = await exported('seen', { seed: 41 });
      expect((await run('seen')).code).toBe(0);
      const product = await oneProcess({ ...environment, PARLANCE_DATA_DIR: dataOf(directory, 'seen') });
      try {
        const call = async (path: string, method = 'GET', token?: string, body?: object) => {
          const headers = { ...(token && { authorization: `Bearer ${token}` }), ...(body && { 'content-type': 'application/json' }) };
          const answer = await fetch(product.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
          return { status: answer.status, body: (await answer.json().catch(() => null)) as never };
        };
        const { access_token } = (await call('/auth/sign-in', 'POST', undefined, admin)).body as { access_token: string };
        const { users } = (await call('/admin/users?include_all=true&limit=100', 'GET', access_token)).body as {
          users: { user_id: string; email: string; total_cost: number }[];
        };
        const owner = truth.users.find(({ id }) => id === truth.first.userId)!;
        const user = users.find(({ email }) => email === owner.email)!;
        const list = `/admin/users/${user.user_id}/conversations`;
        const { conversations } = (await call(list, 'GET', access_token)).body as {
          conversations: { conversation_id: string; title: string }[];
        };
        expect(conversations).toContainEqual(expect.objectContaining({ conversation_id: truth.first.id, title: truth.first.title }));
        const pinned = (await call('/bot/pinned', 'GET', access_token)).body as { bots: { id: string; status: string }[] };
        expect(pinned.bots).toContainEqual(expect.objectContaining({ id: truth.botIds[0], status: 'pinned@007' }));
        expect((await call(`/bot/${truth.botIds[2]}`, 'GET', access_token)).body).toHaveProperty(
          'bedrock_guardrails',
          expect.objectContaining({ is_guardrail_enabled: true, guardrail_arn: '', grounding_threshold: 0.7, relevance_threshold: 0.3 }),
        );
        const erased = await call(
          `/admin/users/${users.find(({ email }) => email === 'user-4@example.org')!.user_id}`,
          'DELETE',
          access_token,
        );
        expect(JSON.stringify(erased.body)).toContain('"conversations":12');
      } finally {
        await product.stop();
      }
    },
    TEST_MILLIS,
  );
});
