import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { waitFor } from '@parlance/testing';
import { BotsUnderTest } from './bots-under-test.ts';
import { KnowledgeUnderTest } from './knowledge-under-test.ts';

const [ann, ben] = [newId(), newId()];
const CONFIGURATION = {
  title: 'Ferries',
  description: 'Knows the timetable.',
  instruction: 'Answer briefly.',
  conversation_quick_starters: [{ title: 'Bergen', example: 'When does the ferry to Bergen leave?' }],
  guardrail_blocked_text: 'Not here.',
  generation_params: { temperature: 0.2, stop_sequences: ['END'] },
  bedrock_knowledge_base: { search_params: { max_results: 3, search_type: 'lexical' }, on_source_error: 'skip' },
  tools: [{ name: 'calculator', approval: 'never' }],
  active_models: ['a', 'b'],
  default_model: 'a',
  icon: 'compass',
  colour: 'teal',
};
const FILES = { 'ships.txt': 'The ferry to Bergen leaves at noon.', 'trains.txt': 'The train to Oslo leaves at nine.' };

const bots = await BotsUnderTest.start();
const knowledge = new KnowledgeUnderTest(bots);
afterAll(() => bots.stop());

async function source(): Promise<string> {
  const id = await knowledge.botWith(ann, FILES);
  await knowledge.save(ann, id, CONFIGURATION);
  return id;
}

const duplicate = (userId: string, botId: string, body?: object, ...groups: string[]) =>
  bots.ask('POST', `/bot/${botId}/duplicate`, bots.creator(userId, ...groups), body);

/** Calls that write need approval until the owner of the copy decides otherwise. */
const { title: _, ...COPIED } = { ...CONFIGURATION, tools: [{ name: 'calculator', approval: 'writes' }] };

describe('a duplicate', () => {
  it('is a private bot of the caller with the configuration of the bot, and with copies of its files that are read again', async () => {
    const id = await source();
    await bots.share(ann, id, 'partial', { target_allowed_user_ids: [ben], target_editor_user_ids: [ben] });
    const { status, body } = await duplicate(ben, id, { title: 'Mine' });
    expect([status, body]).toMatchObject([
      201,
      { ...COPIED, title: 'Mine', owner_user_id: ben, shared_scope: 'private', status: 'unshared' },
    ]);
    expect([body.sync_status, body.allowed_user_ids, body.editor_user_ids]).toEqual(['QUEUED', [], []]);
    await knowledge.settled(ben, body.id);
    expect(await knowledge.found(ben, body.id, 'ferry to Bergen')).toContain('ships.txt');
    await bots.ask('DELETE', `/bot/${id}`, bots.creator(ann));
    expect(await knowledge.keys(`knowledge/${ben}/${body.id}/`)).toHaveLength(2);
  });

  it('is not created while the object store is down, and neither is an export or an import of an archive', async () => {
    const id = await source();
    const down = { status: 'down', since: 1, latency_ms: null, bytes: null } as const;
    const state = jest.spyOn(bots.service.host.objects.health!, 'state').mockResolvedValue(down);
    const imported = newId();
    const answers = [
      await duplicate(ann, id),
      await bots.ask('GET', `/bot/${id}/export`, bots.creator(ann)),
      await bots.ask('POST', `/bot/import?id=${imported}`, bots.creator(ann), { archive: 'bot.zip' }),
    ];
    state.mockRestore();
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(answers.map(() => [503, 'object_store_unavailable']));
    expect((await bots.ask('GET', `/bot/${imported}`, bots.creator(ann))).status).toBe(404);
    expect((await duplicate(ann, id)).status).toBe(201);
  });

  it('has a default title with a suffix, cut between two characters', async () => {
    const { id } = await bots.create(ann, { title: 'Ships' });
    const { id: long } = await bots.create(ann, { title: `${'x'.repeat(92)}🚢${'y'.repeat(6)}` });
    const titles = [await duplicate(ann, id), await duplicate(ann, long, {})].map(({ body }) => body.title);
    expect(titles).toEqual(['Ships (copy)', `${'x'.repeat(92)} (copy)`]);
  });

  it('has no files if the request excludes them', async () => {
    const { body } = await duplicate(ann, await source(), { files: false });
    expect([body.knowledge.filenames, body.has_knowledge, await knowledge.keys(`knowledge/${ann}/${body.id}/`)]).toEqual([[], false, []]);
  });

  it('is refused to users who may only use the bot', async () => {
    const id = await source();
    await bots.share(ann, id, 'all');
    const { status, body } = await duplicate(ben, id);
    expect([status, body.code]).toEqual([403, 'not_editor']);
  });

  it('is refused to users who may not create bots', async () => {
    const { id } = await bots.create(ann);
    const { status, body } = await bots.ask('POST', `/bot/${id}/duplicate`, bots.service.as(ann));
    expect([status, body.code]).toEqual([403, 'group_required']);
  });

  it('is removed with its files when its owner deletes it', async () => {
    const { body } = await duplicate(ann, await source());
    await knowledge.settled(ann, body.id);
    expect((await bots.ask('DELETE', `/bot/${body.id}`, bots.creator(ann))).status).toBe(204);
    await waitFor(async () => (await knowledge.keys(`knowledge/${ann}/${body.id}/`)).length === 0, { what: 'the files to be removed' });
  });
});
