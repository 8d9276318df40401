import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { oneProcess, patience } from '@parlance/testing';
import { admin, environment, tokenOf } from './deployment.ts';
import { dataOf, migrate } from './migrating.ts';

/** Written by hand in the format of the source. The generator of exports is not used, because it could have the same mistake as the command. */
const exports = fileURLToPath(new URL('source-exports', import.meta.url));
const TEST_MILLIS = patience(120_000);

const [ONE, TWO] = ['user-1@example.org', 'user-2@example.org'];
const PASSWORD = 'correct horse battery';
const [HANDBOOK, TEAM] = ['01JGGQ8Z7RZ0M4S7Q4V3KX5T1A', '01JGGQ8Z7RZ0M4S7Q4V3KX5T2B'];
const CREATED = 1_735_732_800;

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'parlance-exports-'));
});
afterAll(() => rm(directory, { recursive: true, force: true, maxRetries: 3 }));

const LOST: Readonly<Record<string, readonly string[]>> = {
  v2: ['last_used_time_not_taken'],
  v3: [
    'GroupId_unknown',
    'active_models_not_here',
    'bedrock_knowledge_base.embeddings_model_not_taken',
    'bedrock_knowledge_base.exist_knowledge_base_id_not_taken',
    'bedrock_knowledge_base.parsing_model_not_taken',
    'citation_without_source',
    'file_missing',
    'file_not_taken',
    'generation_params.temperature_not_taken',
    'knowledge.s3_urls_not_taken',
    'last_used_time_not_taken',
    'published_api_conversation',
    'related_document_not_taken',
    'should_continue_not_taken',
    'star_not_taken',
    'tools_not_taken',
    'usage_count_not_taken',
    'user_unknown',
  ],
};

/** Users of the source have changed from version 2 to version 3, so both versions have the same users. */
describe.each(['v2', 'v3'])('a migration of an export of %s', (version) => {
  const run = (...words: readonly string[]) =>
    migrate(directory, 'both', '--from', join(exports, version), '--report', join(directory, version), ...words).ended;
  const read = (name: string) => readFile(join(directory, version + name), 'utf8');
  const report = async () => ({ entries: await read('/left-out.jsonl'), summary: JSON.parse(await read('/summary.json')) });

  it(
    'reports the same in a dry run, in the run and in a repeated run',
    async () => {
      expect((await run('--dry-run')).code).toBe(0);
      const dry = { entries: await read('-dry-run/left-out.jsonl'), summary: JSON.parse(await read('-dry-run/summary.json')) };
      const first = await run();
      expect([first.code, first.output]).toEqual([0, expect.stringContaining('Parlance reports the same')]);
      const { entries, summary } = await report();
      expect(entries).toBe(dry.entries);
      expect({ ...summary, product: null }).toEqual(dry.summary);
      expect((await run()).code).toBe(0);
      expect(await report()).toEqual({ entries, summary });
      expect(Object.keys(summary.left_out).toSorted()).toEqual(LOST[version]);
    },
    2 * TEST_MILLIS,
  );
});

describe('after a migration', () => {
  let product: Awaited<ReturnType<typeof oneProcess>>;
  const tokens = new Map<string, string>();
  const call = async (email: string, path: string, method = 'GET', body?: object) => {
    const headers = { authorization: `Bearer ${tokens.get(email)}`, ...(body && { 'content-type': 'application/json' }) };
    const answer = await fetch(product.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    return (await answer.json()) as never;
  };
  /** A migrated user has no password until an administrator resets it. */
  const enter = async (email: string): Promise<string> => {
    const { users } = (await call(admin.email, `/admin/users?include_all=true&prefix=${email}`)) as { users: { user_id: string }[] };
    const id = users[0]!.user_id;
    const { reset_token } = (await call(admin.email, `/admin/users/${id}/password-reset`, 'POST')) as { reset_token: string };
    const body = JSON.stringify({ reset_token, new_password: PASSWORD });
    await fetch(`${product.url}/auth/password-reset`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    tokens.set(email, await tokenOf(product.url, { email, password: PASSWORD }));
    return id;
  };
  const ids = new Map<string, string>();

  beforeAll(async () => {
    product = await oneProcess({ ...environment, PARLANCE_DATA_DIR: dataOf(directory, 'both') });
    tokens.set(admin.email, await tokenOf(product.url, admin));
    for (const email of [ONE, TWO]) ids.set(email, await enter(email));
  }, TEST_MILLIS);
  afterAll(() => product.stop());

  it('citations of version 3 name their documents, also documents of an earlier reply', async () => {
    const path = '/conversation/01JNG6ZV2BA1J7T9X6M3QW8E4R';
    const { message_map: map } = (await call(ONE, path)) as { message_map: Record<string, never> };
    expect(map['01JNG6ZW9CA1J7T9X6M3QW8E4R']).toMatchObject({
      content: expect.arrayContaining([
        {
          content_type: 'text',
          body: 'Ask four weeks before[^1]. You have 30 days[^2][^3]. More is negotiable[^tooluse_gone@3].',
        },
      ]),
      used_chunks: [
        { rank: 1, content: 'Ask four weeks before.', source_name: 'Staff handbook.pdf', page_number: 13 },
        { rank: 2, content: 'Leave is 30 days.', page_number: 12 },
        { rank: 3, content: 'The law has a minimum.', source: 'https://example.com/law', source_name: 'Leave law' },
      ],
    });
    expect(map['01JNG6ZY9CA1J7T9X6M3QW8E4R']).toMatchObject({
      content: [{ body: 'As said: four weeks[^1].' }],
      used_chunks: [{ rank: 1, content: 'Ask four weeks before.' }],
    });
    expect(JSON.stringify(map['01JNG6ZV2BQ1J7T9X6M3QW8E4R'])).toContain('"Q3 report.csv"');
    const { related_documents: documents } = (await call(ONE, `${path}/related-documents`)) as { related_documents: object[] };
    expect(documents).toEqual([
      expect.objectContaining({ source_name: 'Staff handbook.pdf' }),
      expect.objectContaining({ source_name: 'Leave law' }),
    ]);
  });
  it.each([
    ['a model without tools', TWO, '01JNG6ZV2BA1J7T9X6M3QW8E5S', '01JNG6ZW9CA1J7T9X6M3QW8E5S', 'Your manager[^1].', [1]],
    [
      'chunks in the file of a long one',
      ONE,
      '01JNG6ZV2BA1J7T9X6M3QW8E7V',
      '01JNG6ZW9CA1J7T9X6M3QW8E7V',
      'The sky[^1]. The sea[^3].',
      [1, 3],
    ],
    [
      'chunks of version 2',
      ONE,
      '01J8VF0A1B2C3D4E5F6G7H8J9K',
      '01J8VF0A1CAC3D4E5F6G7H8J9K',
      'On floor two[^2], beside the lift[^1].',
      [1, 2],
    ],
  ])('the markers of %s agree with the ranks', async (_, email, conversation, message, body, ranks) => {
    const { message_map: map } = (await call(email, `/conversation/${conversation}`)) as {
      message_map: Record<string, { used_chunks: { rank: number }[] }>;
    };
    expect(map[message]).toMatchObject({ content: [{ body }] });
    expect(map[message]!.used_chunks.map(({ rank }) => rank)).toEqual(ranks);
  });
  it('a bot limited to a model that this installation lacks is still limited, and keeps its creation time', async () => {
    const bot = await call(ONE, `/bot/private/${HANDBOOK}`);
    expect(bot).toMatchObject({ create_time: CREATED, active_models: ['claude_v3_7_sonnet'], status: 'pinned@007', is_starred: true });
    const message = { content: [{ content_type: 'text', body: 'Hello' }] };
    expect(await call(ONE, '/conversation', 'POST', { bot_id: HANDBOOK, message })).toMatchObject({ code: 'model_not_available' });
  });
  it('a bot keeps its crawling scope', async () =>
    expect(await call(TWO, `/bot/private/${TEAM}`)).toMatchObject({
      bedrock_knowledge_base: { web_crawling_scope: 'host', chunking_configuration: { chunking_strategy: 'fixed_size' } },
      knowledge: { filenames: ['rules.txt'] },
      shared_scope: 'partial',
      allowed_group_ids: ['Sales'],
    }));
  it('users keep their recently used bots and their stars', async () => {
    const { bots } = (await call(TWO, '/bot?kind=mixed')) as { bots: object[] };
    expect(bots).toMatchObject([{ id: HANDBOOK, last_used_time: 1_741_089_610, is_starred: true }]);
  });
  it('the cost of API callers is charged to the bot and its owner, without a conversation', async () => {
    const { periods } = (await call(admin.email, `/admin/costs/bots/${HANDBOOK}?start_period=2025-03&end_period=2025-03`)) as {
      periods: { total_cost: number }[];
    };
    expect(periods.map(({ total_cost: cost }) => cost)).toEqual([expect.closeTo(0.123456789 + 0.01 + 0.75, 9)]);
    const { conversations } = (await call(admin.email, `/admin/users/${ids.get(ONE)}/conversations`)) as {
      conversations: { total_price: number }[];
    };
    expect(conversations.map(({ total_price: price }) => price)).not.toContain(0.75);
  });
});
