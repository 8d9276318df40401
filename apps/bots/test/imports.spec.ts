import { afterAll, describe, expect, it } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { ZipFile } from 'yazl';
import { BotsUnderTest } from './bots-under-test.ts';
import { KnowledgeUnderTest } from './knowledge-under-test.ts';
import { offering } from './offering.ts';

const [ann, ben] = [newId(), newId()];
const TEXT = 'The ferry to Bergen leaves at noon.';

const bots = await BotsUnderTest.start();
const knowledge = new KnowledgeUnderTest(bots);
await bots.service.host.local.enter('inference', offering({ models: ['small', 'large'], tools: ['calculator'], tool_servers: ['docs'] }));
afterAll(() => bots.stop());

const yaml = async (text: string, query = '', userId = ben) => {
  const headers = { ...bots.creator(userId), 'content-type': 'application/yaml' };
  const { statusCode, payload } = await bots.app.inject({ method: 'POST', url: `/bot/import${query}`, headers, payload: text });
  return { status: statusCode, body: JSON.parse(payload) };
};
const archive = async (bytes: Buffer, query = '', id = newId(), userId = ben) => {
  await knowledge.upload(userId, id, 'bot.zip', bytes, 'application/zip');
  return { id, ...(await bots.ask('POST', `/bot/import?id=${id}${query}`, bots.creator(userId), { archive: 'bot.zip' })) };
};
const exported = async (botId: string, query = ''): Promise<Buffer> =>
  (await bots.app.inject({ method: 'GET', url: `/bot/${botId}/export${query}`, headers: bots.creator(ann) })).rawPayload;
const zipOf = async (entries: Readonly<Record<string, string | Buffer>>, options: object = {}): Promise<Buffer> => {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(entries)) zip.addBuffer(Buffer.from(content), name, options);
  zip.end();
  const parts: Buffer[] = [];
  for await (const part of zip.outputStream as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts);
};
const HEAD = 'parlance_bot: 1\ntitle: Ferries\n';
const reasons = ({ body }: { body: { left_out: { field: string; value: string; reason: string }[] } }) =>
  body.left_out.map(({ field, value, reason }) => [field, value, reason]);

describe('the import of an archive', () => {
  it('creates a private bot of the caller with the same configuration and files, which are read', async () => {
    const source = await knowledge.botWith(ann, { 'ships.txt': TEXT, 'a:b.txt': 'The train.' });
    await knowledge.save(ann, source, { instruction: 'Be brief.\n', active_models: ['small'], tools: [{ name: 'docs__find' }] });
    const { id, status, body } = await archive(await exported(source, '?files=true'));
    const original = (await bots.get(`/bot/private/${source}`, bots.creator(ann))).body;
    expect([status, body.left_out, body.dry_run]).toEqual([201, [], false]);
    expect(body.bot).toMatchObject({ id, owner_user_id: ben, shared_scope: 'private', sync_status: 'QUEUED' });
    for (const field of Object.keys(body.configuration)) expect([field, body.bot[field]]).toEqual([field, original[field]]);
    await knowledge.settled(ben, id);
    expect(await knowledge.found(ben, id, 'ferry to Bergen')).toContain('ships.txt');
  });

  it('stores nothing in a dry run', async () => {
    const source = await knowledge.botWith(ann, { 'ships.txt': TEXT });
    const { id, status, body } = await archive(await exported(source, '?files=true'), '&dry_run=true');
    expect([status, body.bot, body.configuration.knowledge.filenames]).toEqual([200, null, ['ships.txt']]);
    expect(await knowledge.keys(`knowledge/${ben}/${id}/`)).toHaveLength(1);
    expect((await bots.get(`/bot/${id}`, bots.creator(ben))).status).toBe(404);
  });

  it('creates one bot when repeated', async () => {
    const source = await knowledge.botWith(ann, { 'ships.txt': TEXT });
    const bytes = await exported(source, '?files=true');
    const { id, body } = await archive(bytes);
    const repeated = await archive(bytes, '', id);
    expect([repeated.status, repeated.body.bot.version]).toEqual([201, body.bot.version]);
  });

  it('leaves out files that are missing or have different content, and stores none of them', async () => {
    const entries = `files:\n  - {name: a.txt, path: a, sha256: ${'a'.repeat(64)}}\n  - {name: b.txt, path: b}\n  - {name: c.txt, path: c}\n`;
    const bytes = await zipOf({ 'bot.yaml': HEAD + entries, a: TEXT, c: TEXT });
    for (const query of ['&dry_run=true', '']) {
      const answer = await archive(bytes, query);
      expect(reasons(answer)).toEqual([
        ['files', 'a.txt', 'checksum_mismatch'],
        ['files', 'b.txt', 'file_missing'],
      ]);
      expect(answer.body.configuration.knowledge.filenames).toEqual(['c.txt']);
      // The archive, and c.txt where it is stored.
      expect(await knowledge.keys(`knowledge/${ben}/${answer.id}/`)).toHaveLength(query === '' ? 2 : 1);
    }
  });

  it.each([
    ['is no ZIP', async () => Buffer.from('no zip'), 'invalid_archive'],
    ['has no bot.yaml', () => zipOf({ 'x.yaml': HEAD }), 'invalid_body'],
    ['has hostile YAML', () => zipOf({ 'bot.yaml': 'a: &x [1]\nb: *x' }), 'invalid_yaml'],
    [
      'has a path that leads out of the archive',
      async () => renamed(await zipOf({ 'bot.yaml': HEAD, 'xx/evil': 'x' }), 'xx/evil', '../evil'),
      'invalid_archive',
    ],
    ['has an absolute name', async () => renamed(await zipOf({ 'bot.yaml': HEAD, xevil: 'x' }), 'xevil', '/evil'), 'invalid_archive'],
    [
      'has two entries with the same name',
      async () => renamed(await zipOf({ 'bot.yaml': HEAD, aaa: 'x', bbb: 'y' }), 'bbb', 'aaa'),
      'invalid_archive',
    ],
    [
      'has too many entries',
      () => zipOf({ 'bot.yaml': HEAD, ...Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`f${index}`, ''])) }),
      'invalid_archive',
    ],
    [
      'is a bomb',
      () => zipOf({ 'bot.yaml': `${HEAD}files: [{name: a, path: a}]\n`, a: Buffer.alloc(8 * 1024 * 1024) }, { compressionLevel: 9 }),
      'invalid_archive',
    ],
    ['has a bot.yaml that is too large', () => zipOf({ 'bot.yaml': `${HEAD}#${'x'.repeat(2 * 1024 * 1024)}` }), 'yaml_too_large'],
    [
      'is damaged',
      async () =>
        renamed(await zipOf({ 'bot.yaml': `${HEAD}files: [{name: a, path: a}]\n`, a: TEXT }, { compress: false }), 'noon', 'soon'),
      null,
    ],
  ])('is refused if the archive %s', async (_, bytes, code) => {
    const { status, body } = await archive(await bytes());
    // yauzl does not check CRCs: the export's checksum does.
    expect([status >= 400 && status < 500, body.code ?? null]).toEqual([code !== null, code]);
  });

  it('requires an uploaded archive', async () => {
    const { status, body } = await bots.ask('POST', `/bot/import?id=${newId()}`, bots.creator(ben), { archive: 'none.zip' });
    expect([status, body.code]).toEqual([400, 'archive_not_uploaded']);
  });
});

describe('the import of YAML', () => {
  it('leaves out what this installation does not have, with the reason', async () => {
    const text = `${HEAD}active_models: [small, gone]\ndefault_model: gone\ntools: [{name: calculator, approval: never}, {name: other}, {name: crm__x}, {name: docs__*}]
bedrock_knowledge_base: {exist_knowledge_base_id: kb-1, parsing_model: m}\nknowledge: {s3_urls: ["s3://nobodys/"]}\nfiles: [{name: a.txt}]\n`;
    const dry = await yaml(text.replace('default_model: gone\n', ''), '?dry_run=true');
    expect([dry.status, dry.body.bot]).toEqual([200, null]);
    const answer = await yaml(text.replace('default_model: gone\n', ''));
    expect(reasons(answer)).toEqual([
      ['active_models', 'gone', 'unknown_model'],
      ['tools', 'other', 'tool_not_available'],
      ['tools', 'crm__x', 'tool_not_available'],
      ['bedrock_knowledge_base.exist_knowledge_base_id', 'kb-1', 'knowledge_base_not_found'],
      ['bedrock_knowledge_base.parsing_model', 'm', 'parsing_model_not_available'],
      ['knowledge.s3_urls', 's3://nobodys/', 's3_url_not_allowed'],
      ['files', 'a.txt', 'file_missing'],
    ]);
    expect(dry.body.left_out).toEqual(answer.body.left_out);
    const tools = ['calculator', 'docs__*'].map((name) => ({ name, approval: 'writes' }));
    expect([answer.status, answer.body.bot.active_models, answer.body.bot.tools]).toEqual([201, ['small'], tools]);
    expect(reasons(await yaml(`${HEAD}default_model: gone\n`))).toEqual([['default_model', 'gone', 'unknown_model']]);
  });

  it('accepts files that were uploaded for the ID before', async () => {
    const id = newId();
    await knowledge.upload(ben, id, 'ships.txt', TEXT);
    const other = `${HEAD}files: [{name: ships.txt, sha256: ${'a'.repeat(64)}}]\n`;
    expect(reasons(await yaml(other, `?id=${id}&dry_run=true`))).toEqual([['files', 'ships.txt', 'checksum_mismatch']]);
    const { status, body } = await yaml(`${HEAD}files: [{name: ships.txt}]\n`, `?id=${id}`);
    expect([status, body.left_out, body.unchecked_files, body.bot.knowledge.filenames]).toEqual([201, [], [], ['ships.txt']]);
  });

  it('is refused for the ID of the bot of another user', async () => {
    const { id } = await bots.create(ann);
    const { status, body } = await yaml(HEAD, `?id=${id}`);
    expect([status, body.code]).toEqual([409, 'bot_id_taken']);
  });

  it.each([
    ['an unknown field', `${HEAD}owner: x`, 400, 'invalid_body'],
    ['settings that contradict each other', `${HEAD}active_models: [small]\ndefault_model: large`, 400, 'invalid_body'],
    ['a list', '[]', 400, 'invalid_body'],
    ['nothing', '', 400, 'invalid_body'],
    ['too many bytes', `#${'x'.repeat(2 * 1024 * 1024)}`, 413, 'yaml_too_large'],
  ])('refuses %s', async (_, text, expected, code) => {
    const { status, body } = await yaml(text);
    expect([status, body.code]).toEqual([expected, code]);
  });

  it('is allowed for users who may create bots, and other routes accept no YAML', async () => {
    const headers = { ...bots.service.as(ben), 'content-type': 'application/yaml' };
    const ask = (url: string, caller = headers) => bots.app.inject({ method: 'POST', url, headers: caller, payload: HEAD });
    expect((await ask('/bot/import')).json().code).toBe('group_required');
    expect((await ask('/bot', { ...bots.creator(ben), 'content-type': 'application/yaml' })).statusCode).toBe(415);
  });
});

/** The archive with another name, of the same length, in all its headers. */
function renamed(zip: Buffer, from: string, to: string): Buffer {
  return Buffer.from(zip.toString('latin1').replaceAll(from, to), 'latin1');
}
