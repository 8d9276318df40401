import { afterAll, describe, expect, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { newId } from '@parlance/event-store';
import { RequestContext } from '@parlance/observability';
import { ConversationGone } from '../src/workflows/own-data/own-conversation.ts';
import { attachment, text } from './files.ts';
import { conversationsIn, OwnDataWorld } from './own-data-world.ts';
import { cutFile, damageEnd } from './cut-file.ts';

const world = await OwnDataWorld.start();
afterAll(() => world.service.stop());

const json = (archive: Map<string, Buffer>, path: string) => JSON.parse(archive.get(path)!.toString());

describe('an export of own data', () => {
  it('has the conversations with their files and ratings, the bots and the usage', async () => {
    const day = Instant.toString(Instant.ofMillis(Date.now())).slice(0, 10);
    world.usage.set('ann', [{ date: day, cost: 0.25, as_corrected: 0.2, input_tokens: 7, output_tokens: 9 }]);
    world.bots.set('ann', [
      { bot_id: 'b1', yaml: 'title: One\n' },
      { bot_id: 'b2', yaml: 'title: Two\n' },
    ]);
    const prompts = ['p1', 'p2'].map((id) => ({ id, command: id, text: 'Write to {{name}}.' }));
    world.prompts.set('ann', prompts);
    const tokenId = newId();
    await world.modelCall('ann', tokenId);
    await world.modelCall('ben', newId());
    const content = [attachment('.hidden', 'More.'), attachment('note [1].txt', 'What a note says.'), text('Why is the\nsky blue?')];
    const { conversation_id, message_id } = await world.say('ann', content);
    await world
      .call('ann', 'put', `/conversation/${conversation_id}/${message_id}/feedback`)
      .send({ thumbs_up: false, category: 'wrong', comment: 'No.' });
    const project = { title: 'Sky', instruction: 'Be brief.' };
    const { project_id } = (await world.call('ann', 'post', '/projects').send(project)).body;
    await world.call('ann', 'put', `/conversation/${conversation_id}/project`).send({ project_id });
    await world.call('ann', 'put', `/conversation/${conversation_id}/pinned`).send({ pinned: true });
    await world.call('ann', 'post', '/user/me/memories').send({ text: 'Works in Lisbon.' });
    const requests = '{"custom_id":"a"}\n';
    const stored = await world.storeFile('ann', 'requests.jsonl', requests);
    await world.storeFile('ben', 'other.jsonl', 'x');
    const archive = await world.exported('ann');
    const own = { project_id, role: 'owner', ...project, bot_id: null, model: null, create_time: expect.any(Number) };
    expect(json(archive, 'projects.json')).toEqual([own]);
    const memory = { memory_id: expect.any(String), text: 'Works in Lisbon.', conversation_id: null, message_id: null };
    expect(json(archive, 'memories.json')).toEqual([{ ...memory, create_time: expect.any(Number) }]);
    expect(json(archive, 'prompts.json')).toEqual(prompts);
    const { messages, ...rest } = json(archive, `conversations/${conversation_id}.json`);
    expect(rest).toEqual({
      format: 'parlance-conversation/1',
      id: conversation_id,
      title: 'Why is the sky blue?',
      bot_id: null,
      create_time: expect.any(Number),
      project_id,
      pinned: true,
    });
    const [question, reply] = messages;
    const paths = ['0.hidden', '1.txt'].map((end) => `files/${conversation_id}/${question.id}.${end}`);
    expect(question).toEqual({
      id: expect.any(String),
      parent_id: null,
      role: 'user',
      model: null,
      create_time: expect.any(Number),
      content: [
        { type: 'file', path: paths[0], name: '.hidden', media_type: 'text/plain', bytes: 5 },
        { type: 'file', path: paths[1], name: 'note [1].txt', media_type: 'text/plain', bytes: 17 },
        { type: 'text', text: 'Why is the\nsky blue?' },
      ],
      feedback: null,
    });
    const rating = { thumbs_up: false, category: 'wrong', comment: 'No.' };
    expect(reply).toMatchObject({ id: message_id, parent_id: question.id, role: 'assistant', model: 'local-extractive', feedback: rating });
    expect(Math.abs(reply.create_time - Date.now())).toBeLessThan(3_600_000);
    expect(reply.content).toEqual([{ type: 'text', text: expect.stringMatching(/./) }]);
    expect(paths.map((path) => archive.get(path))).toEqual([Buffer.from('More.'), Buffer.from('What a note says.')]);
    const markdown = archive.get(`conversations/${conversation_id}.md`)!.toString();
    expect(markdown).toMatch(/^# Why is the sky blue\?\n/);
    for (const part of [
      'Why is the\nsky blue?',
      `[note \\[1\\].txt](../${paths[1]})`,
      '## Assistant (local-extractive), ',
      reply.content[0].text,
    ])
      expect(markdown).toContain(part);
    expect(json(archive, 'feedback.json')).toEqual([{ conversation_id, message_id, ...rating }]);
    expect([archive.get('bots/b1.yaml'), archive.get('bots/b2.yaml')].map(String)).toEqual(['title: One\n', 'title: Two\n']);
    expect(archive.get('usage.csv')!.toString()).toBe(
      `date,cost_usd,cost_as_corrected_usd,input_tokens,output_tokens\n${day},0.25,0.2,7,9\n`,
    );
    expect(json(archive, 'calls.json')).toEqual([
      expect.objectContaining({ user_id: 'ann', token_id: tokenId, model: 'local-extractive', status: 'completed' }),
    ]);
    expect(json(archive, 'responses.json')).toEqual([]);
    const listed = { file_id: stored, filename: 'requests.jsonl', purpose: 'batch', bytes: requests.length };
    expect(json(archive, 'call-files.json')).toEqual([{ ...listed, create_time: expect.any(Number) }]);
    expect(String(archive.get(`call-files/${stored}.jsonl`))).toBe(requests);
    const manifest = json(archive, 'manifest.json');
    expect(manifest).toMatchObject({
      format: 'parlance-own-data/1',
      user_id: 'ann',
      conversations: 1,
      bots: 2,
      calls: 1,
      responses: 0,
      batches: 0,
      left_out_more: 0,
    });
    expect(manifest.left_out.map(({ what }: { what: string }) => what)).toEqual(Array(8).fill('kind'));
    expect(json(archive, 'batches.json')).toEqual([]);
    expect(archive.size).toBe(17);
  });

  it('has no conversation that is deleted, temporary, of a published API, or of another user', async () => {
    const kept = await world.say('ben', [text('Kept.')]);
    const deleted = await world.say('ben', [text('Deleted.')]);
    await world.call('ben', 'delete', `/conversation/${deleted.conversation_id}`);
    await world.say('ben', [text('Temporary.')], { temporary: true });
    await world.say('cleo', [text('Of another user.')]);
    const archive = await world.exported('ben');
    expect(conversationsIn(archive)).toEqual([`conversations/${kept.conversation_id}.json`]);
    expect(json(archive, 'feedback.json')).toEqual([]);
  });

  it('has the responses that programs of the user have stored', async () => {
    const [first, second] = [await world.storedResponse('finn', 'One?'), await world.storedResponse('finn', 'Two?')];
    await world.storedResponse('gil', 'Of another user?');
    const archive = await world.exported('finn');
    const responses = json(archive, 'responses.json');
    expect(responses).toMatchObject([
      { id: first, input: [{ role: 'user', content: [{ text: 'One?' }] }], response: { id: first, output: [{ type: 'message' }] } },
      { id: second },
    ]);
    expect([responses.length, json(archive, 'manifest.json').responses]).toEqual([2, 2]);
  });

  it.each([
    ['is not in the store', 'file_not_found', (key: string) => world.parts.objects.remove(key)],
    ['was cut', 'file_damaged', (key: string) => cutFile(world.service.host, key)],
    ['is damaged at its end', 'file_damaged', (key: string) => damageEnd(world.service.host, key)],
  ])('names a file of a program that %s, and has the rest', async (_, reason, damage) => {
    const userId = newId();
    const bad = await world.storeFile(userId, 'bad.jsonl', 'x'.repeat(300_000));
    const good = await world.storeFile(userId, 'good.jsonl', '{}');
    await damage(`gateway-files/${userId}/${bad}`);
    const archive = await world.exported(userId);
    expect(json(archive, 'call-files.json')).toMatchObject([{ file_id: good }]);
    expect([...archive.keys()].filter((path) => path.startsWith('call-files/'))).toEqual([`call-files/${good}.jsonl`]);
    expect(json(archive, 'manifest.json').left_out).toContainEqual({ what: 'file', id: bad, reason });
  });

  it('has the batches of the user, with their metadata', async () => {
    const userId = newId();
    const input_file_id = await world.storeFile(userId, 'requests.jsonl', '{}');
    const batch_id = await world.createBatch(userId, input_file_id, { job: 'Nightly' });
    await world.createBatch('hal', await world.storeFile('hal', 'requests.jsonl', '{}'), {});
    const archive = await world.exported(userId);
    expect(json(archive, 'batches.json')).toMatchObject([{ batch_id, input_file_id, metadata: { job: 'Nightly' } }]);
    expect(json(archive, 'manifest.json').batches).toBe(1);
  });

  it('has all messages of a long conversation, even on several pages', async () => {
    const long = 'x'.repeat(300_000);
    const { conversation_id } = await world.say('dora', [text(`1 ${long}`)]);
    for (const index of [2, 3]) await world.say('dora', [text(`${index} ${long}`)], { conversation_id });
    const archive = await world.exported('dora');
    const { messages } = json(archive, `conversations/${conversation_id}.json`);
    const questions = messages.filter(({ role }: { role: string }) => role === 'user');
    expect(questions.map(({ content }: { content: { text: string }[] }) => content[0]!.text.slice(0, 2))).toEqual(['1 ', '2 ', '3 ']);
    expect(messages).toHaveLength(6);
  });

  it.each([
    ['is not in the store', 'file_not_found', (key: string) => world.parts.objects.remove(key)],
    ['was cut', 'file_damaged', (key: string) => cutFile(world.service.host, key)],
  ])('names a file that %s, and has the rest', async (_, reason, damage) => {
    const { conversation_id } = await world.say('emil', [attachment('gone.txt', 'Gone.'), text('See this.')]);
    const [stored] = await world.parts.objects.list(`message-files/${conversation_id}/`, { limit: 1 });
    await damage(stored!.key);
    const archive = await world.exported('emil');
    const { messages } = json(archive, `conversations/${conversation_id}.json`);
    expect(messages[0].content[0]).toMatchObject({ type: 'file', path: null, name: 'gone.txt' });
    const { left_out } = json(archive, 'manifest.json');
    expect(left_out).toContainEqual({ what: 'file', id: `${conversation_id}/${messages[0].id}.0`, reason });
  });
});

it('renews its lease between the steps of an export, including after the last conversation', async () => {
  const { conversation_id, message_id } = await world.say('tom', [attachment('a.txt', 'A'), text('Mine.')]);
  await world.call('tom', 'put', `/conversation/${conversation_id}/${message_id}/feedback`).send({ thumbs_up: true });
  world.bots.set('tom', [
    { bot_id: 'b1', yaml: 'title: One\n' },
    { bot_id: 'b2', yaml: 'title: Two\n' },
  ]);
  const steps: string[] = [];
  const advance = async () => void steps.push('renewed');
  const now = Instant.ofMillis(Date.now());
  await RequestContext.run(RequestContext.background(), async () => {
    for await (const { path, parts } of world.parts.data.entries({ exportId: newId(), userId: 'tom', now, advance })) {
      steps.push(path.replace(/^(\w+\/).*\./, '$1'));
      for await (const part of parts) expect(part).toBeDefined();
    }
  });
  const renewed = (times: number) => Array.from({ length: times }, () => 'renewed');
  expect(steps).toEqual([
    'renewed',
    'files/txt',
    'renewed',
    'conversations/json',
    'renewed',
    'conversations/md',
    'renewed',
    'renewed',
    'bots/yaml',
    'renewed',
    'bots/yaml',
    'prompts.json',
    'renewed',
    'projects.json',
    'renewed',
    'memories.json',
    'renewed',
    'feedback.json',
    ...renewed(1),
    'usage.csv',
    ...renewed(13),
    'calls.json',
    ...renewed(1),
    'responses.json',
    ...renewed(1),
    'batches.json',
    ...renewed(1),
    'call-files.json',
    'manifest.json',
  ]);
});

describe('a conversation that is deleted while an export is written', () => {
  /** The paths of the entries, and a deletion when those of one conversation begin. */
  const pathsOf = async (userId: string, deleteIt: (path: string | null) => Promise<unknown>) => {
    const paths: string[] = [];
    let isBegun = false;
    const advance = async () => {
      if (!isBegun) await deleteIt(null);
      isBegun = true;
    };
    const now = Instant.ofMillis(Date.now());
    await RequestContext.run(RequestContext.background(), async () => {
      for await (const { path, parts } of world.parts.data.entries({ exportId: newId(), userId, now, advance })) {
        paths.push(path);
        await deleteIt(path);
        for await (const part of parts) expect(part).toBeDefined();
      }
    });
    return paths.filter((path) => /^(conversations|files)/.test(path));
  };

  it('is left out', async () => {
    const [kept, gone] = [await world.say('nel', [text('Kept.')]), await world.say('nel', [attachment('a.txt', 'A'), text('Gone.')])];
    const remove = () => world.call('nel', 'delete', `/conversation/${gone.conversation_id}`);
    const paths = await pathsOf('nel', async (path) => path === null && (await remove()));
    expect(paths).toEqual(['json', 'md'].map((end) => `conversations/${kept.conversation_id}.${end}`));
  });
  it('ends the attempt when a part of it is already written', async () => {
    const { conversation_id } = await world.say('ora', [attachment('a.txt', 'A'), text('Gone.')]);
    const remove = () => world.call('ora', 'delete', `/conversation/${conversation_id}`);
    await expect(pathsOf('ora', async (path) => path?.startsWith('files/') && (await remove()))).rejects.toThrow(ConversationGone);
  });
});
