import { afterAll, describe, expect, it } from '@jest/globals';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { newId } from '@parlance/event-store';
import fc from 'fast-check';
import { ExecuteBot } from '../src/commands/aggregates.ts';
import { MOST_VERSIONS, VersionsBefore } from '../src/projections/bot-history.ts';
import { type Answer, BotsUnderTest } from './bots-under-test.ts';

const [editor, viewer] = [newId(), newId()];
const bots = await BotsUnderTest.start();
afterAll(() => bots.stop());

const ann = () => bots.creator('ann');
const admin = () => bots.service.as('root', 'Admin');
const change = (id: string, body: object, headers = ann()) => bots.ask('PATCH', `/bot/${id}`, headers, body);
const history = async (id: string, query = '', headers = ann()) => (await bots.get(`/bot/${id}/history${query}`, headers)).body;
const restore = (id: string, version: number, headers = ann()) => bots.ask('POST', `/bot/${id}/restore`, headers, { version });
const share = (id: string) =>
  bots.share('ann', id, 'partial', { target_allowed_user_ids: [editor, viewer], target_editor_user_ids: [editor] });

/** A value for each field, other than the default. */
const NEW_VALUES: Readonly<Record<string, unknown>> = {
  title: 'Map',
  description: 'Knows the way',
  instruction: 'Be brief.',
  guardrail_blocked_text: 'Ask the help desk.',
  conversation_quick_starters: [{ title: 'Start', example: 'Where am I?' }],
  display_retrieved_chunks: false,
  bedrock_knowledge_base: {
    type: 'shared',
    exist_knowledge_base_id: null,
    chunking_configuration: { chunking_strategy: 'none' },
    parsing_model: null,
    search_params: { max_results: 9, search_type: 'lexical' },
    web_crawling_scope: 'host',
    web_crawling_filters: { include_patterns: ['/docs/*'], exclude_patterns: [] },
    web_crawling_limits: { max_depth: 1, max_pages: 20 },
    on_source_error: 'skip',
  },
  bedrock_guardrails: {
    is_guardrail_enabled: true,
    guardrail_arn: 'arn',
    guardrail_version: '1',
    grounding_threshold: 0.5,
    relevance_threshold: 0.25,
  },
  generation_params: { max_tokens: 1, top_k: 2, top_p: 0.5, temperature: 1, stop_sequences: ['.'], reasoning_budget_tokens: 0 },
  active_models: ['m', 'n'],
  default_model: 'm',
  prompt_caching_enabled: false,
  tools: [{ name: 'search', approval: 'always' }],
  sync_schedule: '0 3 * * 1',
  memory: true,
  icon: 'compass',
  colour: 'teal',
};

describe("the user who answers for a bot's calls that no user approves", () => {
  const people = { ann: () => ann(), editor: () => bots.creator(editor), admin };
  const ids = { ann: 'ann', editor, admin: 'root' };
  type By = keyof typeof people;
  const step = fc.record({
    by: fc.constantFrom<By>('ann', 'editor', 'admin'),
    change: fc.oneof(
      fc.record({ instruction: fc.constantFrom('Be brief.', 'Be kind.') }),
      fc.record({ tools: fc.constantFrom([], [{ name: 'mail__*', approval: 'never' }], [{ name: 'mail__*', approval: 'writes' }]) }),
      fc.record({ title: fc.constantFrom('A', 'B') }),
      fc.record({ knowledge: fc.constant({ source_urls: ['https://docs.example.org/'] }) }),
      fc.record({ conversation_quick_starters: fc.constantFrom([], [{ title: 'Start', example: 'Where am I?' }]) }),
      fc.record({ bedrock_knowledge_base: fc.constantFrom({}, { web_crawling_scope: 'host' }) }),
      fc.record({ restored: fc.nat(3) }),
    ),
  });
  it('is the user who last changed its tools, its knowledge or what the model is asked', () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        const { id } = await bots.create('ann');
        await share(id);
        let expected = 'ann';
        let before = steering((await bots.get(`/bot/private/${id}`, ann())).body);
        for (const { by, change: body } of steps) {
          let answer: Answer;
          if ('restored' in body) {
            const versions = ((await history(id)) as { versions: { version: number }[] }).versions;
            answer = await restore(id, versions[body.restored % versions.length]!.version, people[by]());
          } else answer = await change(id, body, people[by]());
          expect(answer.status).toBe('restored' in body && by === 'editor' ? 403 : 200);
          const now = steering((await bots.get(`/bot/private/${id}`, ann())).body);
          if ('knowledge' in body || !isSame(now, before)) expected = ids[by];
          before = now;
          const { prompt } = (await bots.get(`/internal/bots/${id}/seen?prompt=true`, bots.onBehalfOf(viewer))).body;
          expect([prompt.owner_user_id, prompt.configured_by]).toEqual(['ann', expected]);
        }
      }),
      { numRuns: 15 },
    ));
});

const steering = ({ instruction, tools, conversation_quick_starters, bedrock_knowledge_base }: Answer['body']) => ({
  instruction,
  tools,
  conversation_quick_starters,
  bedrock_knowledge_base,
});
const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

describe('changing a bot', () => {
  it('changes exactly the given fields, and nothing when repeated', () =>
    fc.assert(
      fc.asyncProperty(fc.subarray(Object.keys(NEW_VALUES), { minLength: 1 }), async (names) => {
        const { id } = await bots.create('ann');
        const { body: before } = await bots.get(`/bot/private/${id}`, ann());
        const given = Object.fromEntries(names.map((name) => [name, NEW_VALUES[name]]));
        const changed = await change(id, given);
        expect([changed.status, changed.headers['etag'], changed.body]).toEqual([200, '"2"', { ...before, ...given, version: 2 }]);
        expect((await change(id, given)).body).toEqual(changed.body);
        expect((await bots.get(`/bot/private/${id}`, ann())).body).toEqual(changed.body);
      }),
      { numRuns: 60 },
    ));
  it('accepts each field alone', async () => {
    const { id } = await bots.create('ann');
    let { body } = await bots.get(`/bot/private/${id}`, ann());
    for (const [name, value] of Object.entries(NEW_VALUES)) {
      const changed = await change(id, { [name]: value });
      expect([name, changed.body]).toEqual([name, { ...body, [name]: value, version: body.version + 1 }]);
      ({ body } = changed);
    }
  });
  it('can empty texts', async () => {
    const { id } = await bots.create('ann', {
      description: 'x',
      instruction: 'y',
      guardrail_blocked_text: 'z',
      conversation_quick_starters: [{ title: 'a', example: 'b' }],
    });
    const { body } = await change(id, { description: '', instruction: '', guardrail_blocked_text: '', conversation_quick_starters: [] });
    expect(body).toMatchObject({
      description: '',
      instruction: '',
      guardrail_blocked_text: '',
      conversation_quick_starters: [],
      version: 2,
    });
  });
  it('leaves the version unchanged if no field is given', async () => {
    const { id } = await bots.create('ann');
    expect((await change(id, {})).body.version).toBe(1);
  });
  it('is refused if the client names another version than the current one', async () => {
    const { id } = await bots.create('ann');
    const stale = await change(id, { title: 'Map' }, { ...ann(), 'if-match': '"2"' });
    expect([stale.body.status, stale.body.code]).toEqual([412, 'version_stale']);
    expect((await change(id, { title: 'Map' }, { ...ann(), 'if-match': '"1"' })).body.title).toBe('Map');
    expect((await change(id, { title: 'Map' }, { ...ann(), 'if-match': '"1"' })).status).toBe(412);
  });
  it('lets only one of two clients win that saw the same version', async () => {
    const { id } = await bots.create('ann');
    const answers = await Promise.all(['A', 'B'].map((title) => change(id, { title }, { ...ann(), 'if-match': '"1"' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
  });
  it('is allowed for an editor, who does not become the owner', async () => {
    const { id } = await bots.create('ann');
    await share(id);
    const { status, body } = await change(id, { title: 'Map' }, bots.service.as(editor));
    expect([status, body.title, body.owner_user_id, body.owned, body.editable]).toEqual([200, 'Map', 'ann', false, true]);
    expect((await bots.get(`/bot/${id}`, ann())).body.title).toBe('Map');
  });
  it('is refused for a user who may only see the bot', async () => {
    const { id } = await bots.create('ann');
    await share(id);
    expect((await change(id, { title: 'Map' }, bots.service.as(viewer))).body).toMatchObject({ status: 403, code: 'not_editor' });
  });
});

describe('the history of a bot', () => {
  it('names each version, its change, its user and its title, newest first', async () => {
    const { id } = await bots.create('ann');
    await share(id);
    await change(id, { title: 'Map' }, bots.service.as(editor));
    await change(id, { description: 'x' });
    await bots.ask('PATCH', `/admin/bot/${id}/pushed`, admin(), { to_pinned: true, order: 1 });
    await bots.ask('PATCH', `/admin/bot/${id}/pushed`, admin(), { to_pinned: false });
    await bots.share('ann', id, 'private');
    await restore(id, 1);
    const { versions, next_token } = await history(id);
    const row = (
      version: number,
      changeType: string,
      user_id: string,
      title: string | null = null,
      restored_version: number | null = null,
    ) => ({
      version,
      change: changeType,
      user_id,
      title,
      restored_version,
      create_time: expect.any(Number),
    });
    expect(next_token).toBeNull();
    expect(versions).toEqual([
      row(8, 'restored', 'ann', 'Guide', 1),
      row(7, 'narrowed', 'ann'),
      row(6, 'unpinned', 'root'),
      row(5, 'pinned', 'root'),
      row(4, 'configured', 'ann'),
      row(3, 'configured', editor, 'Map'),
      row(2, 'widened', 'ann'),
      row(1, 'created', 'ann', 'Guide'),
    ]);
  });
  it.each([1, 2, 3])('has pages of %d versions, each version once', async (limit) => {
    const { id } = await bots.create('ann');
    for (let index = 2; index <= 5; index++) await change(id, { description: `${index}` });
    const found: number[] = [];
    for (let token: string | null = ''; token !== null;) {
      const page = await history(id, `?limit=${limit}${token && `&next_token=${token}`}`);
      found.push(...page.versions.map(({ version }: { version: number }) => version));
      // A version that is added in between is newer than all pages.
      await change(id, { description: `more ${found.length}` });
      token = page.next_token;
      if (token !== null) expect(page.versions).toHaveLength(limit);
    }
    expect(found.filter((version) => version <= 5)).toEqual([5, 4, 3, 2, 1]);
  });
  it('contains only the newest versions, which alone can be restored, and none after the bot is deleted', async () => {
    const { id } = await bots.create('ann');
    await share(id);
    const by = { userId: 'root', groups: ['Admin'] };
    const commands = bots.app.get(CommandBus);
    for (let order = 1; order <= MOST_VERSIONS; order++) await commands.execute(new ExecuteBot(id, { type: 'Pin', by, order }));
    const { versions } = await history(id, '?limit=1000');
    expect([versions.length, versions.at(-1).version]).toEqual([MOST_VERSIONS, 3]);
    expect([(await restore(id, 2)).body.code, (await restore(id, 3)).status]).toEqual(['version_not_found', 200]);
    for (const type of ['Hold', 'EndHold'] as const) await commands.execute(new ExecuteBot(id, { type, holdId: 'hold' }));
    await commands.execute(new ExecuteBot(id, { type: 'Unpin', by }));
    await bots.ask('DELETE', `/bot/${id}`, bots.service.as('ann'));
    expect(await bots.app.get(QueryBus).execute(new VersionsBefore(id, null, 1_000))).toEqual([]);
  });
  it('names no user for a change that the system made', async () => {
    const { id } = await bots.create('ann');
    await share(id);
    await bots.ask('POST', '/internal/erasures', bots.service.asService('identity'), { user_id: viewer });
    const { versions } = await history(id);
    expect(versions[0]).toMatchObject({ version: 3, change: 'narrowed', user_id: null });
  });
});

describe('a version in the history of a bot', () => {
  const versionOf = (id: string, version: number | string, headers = ann()) => bots.get(`/bot/${id}/history/${version}`, headers);

  it('has the configuration of that time', async () => {
    const { id } = await bots.create('ann', { instruction: 'Be brief.', conversation_quick_starters: [{ title: 'a', example: 'b' }] });
    const { title, description, instruction, conversation_quick_starters, knowledge, generation_params } = (
      await bots.get(`/bot/private/${id}`, ann())
    ).body;
    await change(id, NEW_VALUES);
    expect(instruction).toBe('Be brief.');
    const first = { version: 1, title, description, instruction, conversation_quick_starters, knowledge, generation_params };
    expect((await versionOf(id, 1)).body).toMatchObject(first);
    expect((await versionOf(id, 2)).body).toMatchObject({ ...NEW_VALUES, version: 2 });
  });
  it.each([2, 0, -1, 'one', '1e0', '9'.repeat(30)])('is 404 if the bot does not have it: %s', async (version) => {
    const { id } = await bots.create('ann');
    expect((await versionOf(id, version)).body).toMatchObject({ status: 404, code: 'version_not_found' });
  });
  it('is allowed for the owner and administrators only', async () => {
    const { id } = await bots.create('ann');
    await share(id);
    const answers = await Promise.all([bots.service.as(editor), bots.service.as('eve'), admin()].map((as) => versionOf(id, 1, as)));
    expect(answers.map(({ body }) => body.code ?? body.version)).toEqual(['not_owner', 'bot_not_found', 1]);
  });
});

describe('restoring a version', () => {
  it('creates a new version with the configuration of the old one, and leaves the sharing as it is', async () => {
    const created = await bots.create('ann', { instruction: 'Be brief.', tools: [{ name: 'a' }] });
    const { id } = created;
    await change(id, NEW_VALUES);
    await share(id);
    const { status, body, headers } = await restore(id, 1);
    expect([status, headers['etag']]).toEqual([200, '"4"']);
    const sharing = { allowed_user_ids: [editor, viewer], editor_user_ids: [editor], shared_scope: 'partial', status: 'shared' };
    expect(body).toEqual({ ...created, ...sharing, version: 4 });
    expect((await bots.get(`/bot/private/${id}`, ann())).body).toEqual(body);
    expect((await restore(id, 3)).body).toMatchObject({ ...NEW_VALUES, version: 5 });
  });
  it('is refused for a version that the bot does not have', async () => {
    const { id } = await bots.create('ann');
    expect((await restore(id, 2)).body).toMatchObject({ status: 404, code: 'version_not_found' });
    expect((await restore(id, 0)).status).toBe(400);
  });
  it('is refused if the client names another version than the current one', async () => {
    const { id } = await bots.create('ann');
    expect((await restore(id, 1, { ...ann(), 'if-match': '"9"' })).status).toBe(412);
    expect((await restore(id, 1, { ...ann(), 'if-match': '"1"' })).body.version).toBe(2);
  });
  it('is allowed for the owner and administrators', async () => {
    const { id } = await bots.create('ann');
    await share(id);
    expect((await restore(id, 1, bots.service.as(editor))).body.code).toBe('not_owner');
    expect((await restore(id, 1, admin())).status).toBe(200);
  });
});
