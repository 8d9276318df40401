import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { KeysOfUsers, type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import fc from 'fast-check';
import request from 'supertest';
import { PART_BYTES, PART_MESSAGES } from '../../src/adapters/imports/limits.ts';
import { inference } from '../../src/service.ts';
import { type OwnMessage, ofParlance } from './exported-files.ts';

/** The text of a message with the texts of all messages before it, which identifies its position in the tree. */
type Paths = readonly string[];

const texts = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }).filter((text) => text.trim() !== '' && !text.includes('\0'));

/** Messages, each after an earlier one or at the beginning, in any order. */
const trees: fc.Arbitrary<readonly OwnMessage[]> = fc
  .array(fc.record({ text: texts, parent: fc.nat(), isFirst: fc.boolean(), role: fc.constantFrom('user', 'assistant') }), {
    minLength: 1,
    maxLength: 12,
  })
  .map((nodes) =>
    nodes.map(({ text, parent, isFirst, role }, index) => ({
      id: `m${index}`,
      parent_id: index === 0 || (isFirst && parent % 4 === 0) ? null : `m${parent % index}`,
      role,
      text: `${index} ${text.toWellFormed()}`,
    })),
  )
  .chain((messages) => fc.shuffledSubarray([...messages], { minLength: messages.length }));

const pathsOf = (messages: Iterable<{ id: string; parent: string | null; role: string; text: string }>): Paths => {
  const byId = new Map([...messages].map((message) => [message.id, message]));
  const pathOf = (id: string | null): readonly string[] => {
    const message = id === null ? undefined : byId.get(id);
    return message ? [...pathOf(message.parent), `${message.role}: ${message.text}`] : [];
  };
  return [...byId.keys()].map((id) => JSON.stringify(pathOf(id))).sort();
};

describe('an import of an export', () => {
  let service: ServiceUnderTest;
  const keys = new KeysOfUsers();
  beforeAll(async () => {
    service = await serviceUnderTest(inference);
    await keys.enter(service.host);
  });
  afterAll(() => service.stop());

  const send = async (userId: string, file: object) =>
    (await request(service.server).post('/conversations/imports').set(service.as(userId)).send(file)).body;

  const importedPaths = async (userId: string, id: string): Promise<Paths> => {
    const all: { id: string; parent: string | null; role: string; text: string }[] = [];
    for (let query = ''; ;) {
      const { body } = await request(service.server).get(`/conversation/${id}${query}`).set(service.as(userId));
      type Shown = { parent: string | null; role: string; content: readonly { body: string }[] };
      for (const [its, { parent, role, content }] of Object.entries<Shown>(body.message_map))
        all.push({ id: its, parent, role, text: content[0]!.body });
      if (body.next_token === null) return pathsOf(all);
      query = `?next_token=${encodeURIComponent(body.next_token)}`;
    }
  };

  it('creates the same texts in the same tree, and nothing the second time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(trees, { minLength: 1, maxLength: 3 }), async (conversations) => {
        const ann = newId();
        const file = conversations.map((messages, index) => ofParlance(`c${index}`, messages));
        const body = await send(ann, file);
        expect([body.imported, body.is_complete, body.left_out]).toEqual([conversations.length, true, []]);
        for (const [index, messages] of conversations.entries()) {
          const wanted = pathsOf(messages.map(({ parent_id: parent, ...rest }) => ({ ...rest, parent })));
          expect(await importedPaths(ann, body.conversations[index].conversation_id)).toEqual(wanted);
        }
        expect((await send(ann, file)).unchanged).toBe(conversations.length);
      }),
      { numRuns: 15 },
    );
  });

  it.each([
    ['many messages', PART_MESSAGES * 2 + 1, 1],
    ['long messages', 5, PART_BYTES / 2],
  ])('consists of parts that can each be repeated: %s', async (_, count, characters) => {
    const ann = newId();
    const messages = Array.from({ length: count }, (__, index) => ({
      id: `m${index}`,
      parent_id: index === 0 ? null : `m${index - 1 - (index % 2)}`.replace('m-1', 'm0'),
      role: index % 2 === 0 ? 'user' : 'assistant',
      text: `${index} `.padEnd(characters, 'x'),
    }));
    const body = await send(ann, [ofParlance('long', messages)]);
    expect([body.imported, body.conversations[0].messages]).toEqual([1, count]);
    const wanted = new Set(messages.map(({ text }) => text));
    const paths = await importedPaths(ann, body.conversations[0].conversation_id);
    const last = paths.map((path) => (JSON.parse(path) as string[]).at(-1)!.replace(/^\w+: /u, ''));
    expect(new Set(last)).toEqual(wanted);
  });
});
