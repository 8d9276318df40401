import { afterAll, describe, expect, it } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { KeysOfUsers, serviceUnderTest } from '@parlance/foundation/harness';
import fc from 'fast-check';
import request from 'supertest';
import { DEEPEST, MAX_OWN_IMPORT_BYTES, MOST_CONVERSATIONS, MOST_MESSAGE_BYTES, MOST_VALUES } from '../../src/adapters/imports/limits.ts';
import { inference } from '../../src/service.ts';
import { branched, type Packed, ofChatGpt, ofClaude, ofParlance, says, zipOf } from './exported-files.ts';

const keys = new KeysOfUsers();
const ann = newId();
const service = await serviceUnderTest(inference);
await keys.enter(service.host);
afterAll(() => service.stop());

const json = (value: unknown) => Buffer.from(JSON.stringify(value));
const send = (bytes: Buffer, type = 'application/json', query = '') =>
  request(service.server)
    .post(`/conversations/imports${query}`)
    .set(service.as(ann))
    .set('content-type', type)
    // Sends the bytes unchanged: supertest would serialize a Buffer as JSON.
    .serialize((its) => its as string)
    .send(bytes);
const zipped = (...entries: readonly Packed[]) => send(zipOf(...entries), 'application/zip');
const list = (data: Buffer | string, more: object = {}) => ({ name: 'conversations.json', data, ...more });

describe('a file that cannot be imported', () => {
  const MIB = 1024 * 1024;
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  /** A conversation that could be imported, and many spaces. */
  const spaces = (mebibytes: number) => `[${JSON.stringify(branched('sky'))}${' '.repeat(mebibytes * MIB)}]`;
  it.each<[string, number, string, () => request.Test]>([
    ['nothing', 400, 'invalid_import', () => send(Buffer.alloc(0))],
    ['no JSON', 400, 'invalid_import', () => send(Buffer.from('[{'))],
    ['a text', 400, 'invalid_import', () => send(json('conversations'))],
    ['a number', 400, 'invalid_import', () => send(json(7))],
    ['null', 400, 'invalid_import', () => send(json(null))],
    ['a list without conversations', 400, 'invalid_import', () => send(json([1, 'x', null, []]))],
    ['an empty list of an unknown source', 400, 'invalid_import', () => send(json([]))],
    ['another source than the named one', 400, 'invalid_import', () => send(json([branched('sky')]), undefined, '?source=claude')],
    ['an unknown source', 400, 'invalid_query', () => send(json([branched('sky')]), undefined, '?source=other')],
    ['invalid UTF-8', 400, 'invalid_import', () => send(Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d]))],
    ['deep nesting', 400, 'invalid_import', () => send(Buffer.from(`[{"mapping":{},"a":${nested(DEEPEST - 1)}}]`))],
    ['very deep nesting', 400, 'invalid_import', () => send(Buffer.from('{"a":'.repeat(1_000_000)))],
    ['too many values', 413, 'import_too_large', () => send(Buffer.from(`[${'0,'.repeat(MOST_VALUES + 1)}0]`))],
    [
      'too many conversations',
      413,
      'import_too_large',
      () => send(json(Array.from({ length: MOST_CONVERSATIONS + 1 }, () => ({ mapping: {} })))),
    ],
    ['a million nodes', 413, 'import_too_large', () => send(millionNodes())],
    ['a body that is too large', 413, 'body_too_large', () => send(Buffer.alloc(MAX_OWN_IMPORT_BYTES + 1, 0x20))],
    ['another type', 415, 'unsupported_media_type', () => send(Buffer.from('a: 1'), 'application/yaml')],
    ['no ZIP', 400, 'invalid_import', () => send(json([branched('sky')]), 'application/zip')],
    ['a ZIP without conversations', 400, 'invalid_import', () => zipped({ name: 'a.txt', data: 'x' })],
    ['a nested ZIP', 400, 'invalid_import', () => zipped({ name: 'b.zip', data: zipOf(list(json([branched('sky')]))) })],
    ['a bomb', 400, 'invalid_import', () => zipped(list(spaces(30)))],
    ['too much unpacked data', 413, 'import_too_large', () => zipped(...manyEntries(20))],
    ['an entry that is larger than declared', 400, 'invalid_import', () => zipped(list(spaces(5), { size: 100 }))],
    ['an entry that is smaller than declared', 400, 'invalid_import', () => zipped(list('[]', { size: 100 }))],
    [
      'a name that leads out of the archive',
      400,
      'invalid_import',
      () => zipped({ name: '../conversations.json', data: json([branched('sky')]) }),
    ],
    ['an absolute name', 400, 'invalid_import', () => zipped({ name: '/conversations.json', data: json([branched('sky')]) })],
    ['two entries with the same name', 400, 'invalid_import', () => zipped(list('[]'), list(json([branched('sky')])))],
    ['a password', 400, 'invalid_import', () => zipped(list('[]', { flags: 0x0801 }))],
    ['a manifest that is not JSON', 400, 'invalid_import', () => zipped({ name: 'manifest.json', data: '{' }, list('[]'))],
  ])('is refused with a sentence: %s', async (_, status, code, ask) => {
    const answer = await ask();
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(answer.body.detail).toMatch(/^[A-Z].*\.$/);
  });

  const millionNodes = () => {
    const node = (index: number) => `"${index}":{}`;
    // Two values for each node.
    return Buffer.from(`[{"mapping":{${Array.from({ length: 1_000_000 }, (_, index) => node(index)).join()}}}]`);
  };
  /** Random text with a normal compression ratio. */
  const manyEntries = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ name: `conversations-${index}.json`, data: `["${halfRandom(index)}"]` }));
  const halfRandom = (index: number) => {
    const part = Array.from({ length: 4_000 }, (_, place) => ((place * 2_654_435_761 + index) % 4_294_967_296).toString(36)).join('');
    return part.repeat(Math.ceil((3 * MIB) / part.length));
  };
});

describe('a conversation with faults', () => {
  const reasons = async (...conversations: object[]) => {
    const answer = await send(json(conversations));
    expect(answer.status).toBe(200);
    return [
      answer.body.imported,
      ...answer.body.left_out.map(({ reason, count }: { reason: string; count: number }) => `${reason} ${count}`),
    ];
  };
  const chat = (id: string, ...nodes: Parameters<typeof ofChatGpt>[1]) => ofChatGpt(id, nodes);
  const good = (id: string) => branched(id);

  it.each<[string, readonly object[], readonly unknown[]]>([
    ['wrong types', [{ mapping: [] }, { id: 7, mapping: {} }, good('w1')], [1, 'invalid_conversation 1', 'invalid_conversation 1']],
    ['nodes of wrong types', [{ ...good('w2'), mapping: { a: 1, b: null, c: [] } }], [0, 'no_messages 1']],
    [
      'a message of wrong types',
      [{ conversation_id: 'w3', mapping: { a: { parent: 3, message: { author: 'user', content: 7 } } } }],
      [0, 'no_messages 1'],
    ],
    [
      'a cycle',
      [chat('c1', says('q', 'root', 'user', 'hi'), says('x', 'y', 'user', 'x'), says('y', 'x', 'user', 'y'))],
      [1, 'parent_cycle 2'],
    ],
    ['a message that is its own parent', [chat('c2', says('q', 'root', 'user', 'hi'), says('x', 'x', 'user', 'x'))], [1, 'parent_cycle 1']],
    ['a missing parent', [chat('c3', says('q', 'gone', 'user', 'hi'))], [1, 'parent_missing 1']],
    [
      'a parent called __proto__',
      [chat('c4', says('q', '__proto__', 'user', 'hi'), says('p', 'constructor', 'user', 'p'))],
      [1, 'parent_missing 2'],
    ],
    [
      'a text that is too long',
      [chat('c5', says('q', 'root', 'user', 'x'.repeat(MOST_MESSAGE_BYTES + 1)), says('a', 'q', 'assistant', 'yes'))],
      [1, 'text_too_long 1'],
    ],
    ['an ID twice', [good('d1'), good('d1')], [1, 'duplicate_conversation 1']],
    ['an ID that is too long', [good('x'.repeat(201))], [0, 'invalid_conversation 1']],
    [
      'a message twice',
      [
        ofClaude('d2', [
          { uuid: 'q', sender: 'human', text: 'a' },
          { uuid: 'q', sender: 'human', text: 'b' },
        ]),
      ],
      [1, 'duplicate_message 1'],
    ],
    [
      'an unknown author',
      [
        ofClaude('u1', [
          { uuid: 'q', sender: 'human', text: 'a' },
          { uuid: 'r', sender: 'crowd', text: 'b' },
        ]),
      ],
      [1, 'unknown_role 1'],
    ],
    ['a bot', [ofParlance('b1', [{ id: 'q', parent_id: null, role: 'user', text: 'a' }], { bot_id: newId() })], [1, 'bot_not_linked 1']],
  ])('is reported: %s', async (_, conversations, expected) => expect(await reasons(...conversations)).toEqual(expected));

  it.each([Number.MAX_VALUE, -1, 1e300, 'yesterday', null, {}])('gets a valid time: %j', async (create_time) => {
    const id = `t${JSON.stringify(create_time)}`;
    const file = ofChatGpt(id, [says('q', 'root', 'user', 'hi', { create_time })], { create_time });
    const [{ conversation_id }] = (await send(json([file]))).body.conversations;
    const { status, body } = await request(service.server).get(`/conversation/${conversation_id}`).set(service.as(ann));
    expect([status, new Date(body.create_time * 1000).getTime() <= Date.now()]).toEqual([200, true]);
  });

  it('has NUL and halves of surrogate pairs replaced', async () => {
    const [{ conversation_id }] = (await send(json([ofChatGpt('nul', [says('q', 'root', 'user', 'a\0b\ud800c')])]))).body.conversations;
    const { body } = await request(service.server).get(`/conversation/${conversation_id}`).set(service.as(ann));
    expect(Object.values<{ content: unknown }>(body.message_map)[0]!.content).toEqual([{ content_type: 'text', body: 'a\ufffdb\ufffdc' }]);
  });

  it('has no messages whose IDs collide in a hash, so it can be deleted', async () => {
    const nodes = ['\ud800', '\ud801', 'q'].map((id) => says(id, 'root', 'user', 'hi', { create_time: 1 }));
    const { conversations, left_out } = (await send(json([ofChatGpt('halves', nodes)]))).body;
    expect([conversations[0].messages, left_out[0].reason, left_out[0].count]).toEqual([1, 'invalid_message', 2]);
    const deleted = await request(service.server).delete(`/conversation/${conversations[0].conversation_id}`).set(service.as(ann));
    expect([deleted.status, deleted.body.removed]).toEqual([200, { messages: 1 }]);
  });

  it('is read without recursion, however long its chain of messages is', async () => {
    const nodes = Array.from({ length: 5_000 }, (_, index) =>
      says(`m${index}`, index === 0 ? 'root' : `m${index - 1}`, 'user', `text ${index}`),
    );
    expect((await send(json([ofChatGpt('chain', nodes)]))).body).toMatchObject({ imported: 1, conversations: [{ messages: 5_000 }] });
  });

  it('is answered with 200 or with a refusal, whatever replaces a value', async () => {
    const files = [
      branched('sky'),
      ofClaude('c', [{ uuid: 'q', sender: 'human', content: [{ type: 'text', text: 'a' }] }]),
      ofParlance('p', [{ id: 'q', parent_id: null, role: 'user', text: 'a' }]),
    ];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...files), fc.nat(), fc.jsonValue({ maxDepth: 3 }), async (file, index, value) => {
        let place = 0;
        const text = JSON.stringify(file);
        const values = text.match(/"[^"]*"(?!:)|\d+(\.\d+)?|null|\[\]|\{\}/gu)!.length;
        const spoiled = text.replaceAll(/"[^"]*"(?!:)|\d+(\.\d+)?|null|\[\]|\{\}/gu, (its) =>
          place++ === index % values ? JSON.stringify(value) : its,
        );
        const { status, body } = await send(Buffer.from(`[${spoiled}]`), undefined, '?dry_run=true');
        expect([200, 400]).toContain(status);
        if (status === 400) expect(body.code).toBe('invalid_import');
      }),
      { numRuns: 40 },
    );
  });
});
