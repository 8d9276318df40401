import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { refuse } from '@parlance/decider';
import { newId } from '@parlance/event-store';
import { KeysOfUsers, type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import request from 'supertest';
import { PART_MESSAGES } from '../../src/adapters/imports/limits.ts';
import { inference } from '../../src/service.ts';
import { ConversationImports } from '../../src/workflows/imports/conversation-imports.ts';
import { OwnImports } from '../../src/workflows/imports/own-imports.ts';
import { branched, ofParlance } from './exported-files.ts';

describe('an import that is interrupted', () => {
  let service: ServiceUnderTest;
  const keys = new KeysOfUsers();
  beforeAll(async () => {
    service = await serviceUnderTest(inference);
    await keys.enter(service.host);
  });
  afterAll(() => service.stop());

  const send = (userId: string, file: object) => request(service.server).post('/conversations/imports').set(service.as(userId)).send(file);
  const longOne = (parts: number) =>
    ofParlance(
      'long',
      Array.from({ length: parts * PART_MESSAGES }, (_, index) => {
        return {
          id: `m${index}`,
          parent_id: index === 0 ? null : `m${index - 1}`,
          role: index % 2 === 0 ? 'user' : 'assistant',
          text: `text ${index}`,
        };
      }),
    );

  /** Allows this many appends, and then fails as an unavailable store does. */
  async function failingAfter<Result>(appends: number, work: () => Promise<Result>): Promise<Result> {
    const { take } = ConversationImports.prototype;
    let left = appends;
    const spy = jest.spyOn(ConversationImports.prototype, 'take').mockImplementation(async function (this: ConversationImports, ...given) {
      if (left-- <= 0) throw refuse('unavailable', 'store_unavailable', 'The store does not answer. Try again.');
      return take.apply(this, given);
    });
    try {
      return await work();
    } finally {
      spy.mockRestore();
    }
  }

  it('returns an error only if it had no effect', async () => {
    const ann = newId();
    const none = await failingAfter(0, async () => send(ann, [branched('sky')]));
    expect([none.status, none.body.code]).toEqual([503, 'store_unavailable']);
    const some = await failingAfter(1, async () => send(ann, [branched('sky'), branched('sea')]));
    expect([some.status, some.body.is_complete, some.body.imported]).toEqual([200, false, 1]);
    expect((await send(ann, [branched('sky'), branched('sea')])).body).toMatchObject({ is_complete: true, imported: 1, unchanged: 1 });
  });

  it('is continued after any part, without a part twice', async () => {
    const ann = newId();
    const parts = 3;
    for (let appends = 1; appends < parts; appends++) {
      const { body } = await failingAfter(1, async () => send(ann, longOne(parts)));
      expect([body.is_complete, body.imported]).toEqual([false, 1]);
    }
    const { body } = await send(ann, longOne(parts));
    expect([body.is_complete, body.imported]).toEqual([true, 1]);
    expect((await send(ann, longOne(parts))).body.unchanged).toBe(1);
    const rows = await request(service.server).get(`/conversation/${body.conversations[0].conversation_id}?limit=1`).set(service.as(ann));
    expect(Object.values<{ content: unknown }>(rows.body.message_map)[0]!.content).toEqual([
      { content_type: 'text', body: `text ${parts * PART_MESSAGES - 1}` },
    ]);
  });

  it('is not continued with another version of the file', async () => {
    const ann = newId();
    await failingAfter(1, async () => send(ann, longOne(2)));
    const { body } = await send(ann, longOne(3));
    expect([body.imported, body.left_out]).toMatchObject([0, [{ source_id: 'long', reason: 'import_changed' }]]);
    expect((await send(ann, longOne(2))).body).toMatchObject({ imported: 1, left_out: [] });
  });

  it('is reported as incomplete when its time is over, and continues with the next request', async () => {
    const ann = newId();
    const file = Array.from({ length: 60 }, (_, index) => branched(`c${index}`));
    const { take } = OwnImports.prototype;
    const spy = jest.spyOn(OwnImports.prototype, 'take').mockImplementation(function (this: OwnImports, open, userId, isDryRun) {
      return take.call(this, open, userId, isDryRun, 0);
    });
    expect((await send(ann, file)).body).toMatchObject({ is_complete: false, imported: 0, conversations: [] });
    spy.mockRestore();
    expect((await send(ann, file)).body).toMatchObject({ is_complete: true, imported: 60 });
  });
});
