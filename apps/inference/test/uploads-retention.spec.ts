import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Instant, refuse } from '@parlance/decider';
import { newId, stateOf } from '@parlance/event-store';
import { KeysOfUsers, type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import type { CloudEvent } from '@parlance/messaging';
import { RequestContext } from '@parlance/observability';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { retention, RETENTION_STREAM } from '../src/domain/retention/retention.ts';
import { BotsService } from './bots-service.ts';
import { attachment, text } from './files.ts';
import { filesWith } from './files-with.ts';
import { opened } from './opened-service.ts';

const DAYS = 86_400_000;
const SECRET = 'Dogs are welcome.';

interface Sent {
  readonly conversation_id: string;
  /** The user message. */
  readonly message_id: string;
}

describe('retention rules for uploads', () => {
  const { service: inference, buses } = opened();
  const bots = new BotsService();
  let service: ServiceUnderTest;
  const published: CloudEvent[] = [];
  const expired = () => published.filter(({ type }) => type === 'parlance.inference.message-files-expired.v1').map(({ data }) => data);
  const call = (userId: string, method: 'get' | 'post' | 'patch' | 'delete', path: string) => {
    const who = service.as(userId, ...(userId === 'root' ? ['Admin'] : []));
    return request(service.server)[method](path).set(who);
  };
  const message = async ({ conversation_id, message_id }: Sent, userId: string) =>
    (await call(userId, 'get', `/conversation/${conversation_id}/${message_id}`)).body;
  /** A message with a file, when its reply has ended. */
  const send = async (
    userId: string,
    more: object = {},
    content: readonly object[] = [text('Sum it up.'), attachment('notes.txt', SECRET)],
  ) => {
    const { body } = await call(userId, 'post', '/conversation').send({ message: { content }, ...more });
    await waitFor(async () => (await message(body, userId)).message?.role === 'assistant', { what: 'the reply' });
    const { parent } = (await message(body, userId)).message;
    return { conversation_id: body.conversation_id, message_id: parent } as Sent;
  };
  const partsOf = async (sent: Sent, userId: string) => (await message(sent, userId)).message.content;
  const isRemoved = async (sent: Sent, userId: string) => (await partsOf(sent, userId))[0].status === 'removed';
  const download = (sent: Sent, userId: string) =>
    call(userId, 'get', `/conversation/${sent.conversation_id}/${sent.message_id}/files/${sent.message_id}.0`);
  const storedOf = async ({ conversation_id }: Sent) =>
    (await (await service.host.objects.store()).list(`message-files/${conversation_id}/`, { limit: 100 })).length;
  const rule = async (terms: object): Promise<string> => {
    const body = { kind: 'uploads', inactive_days: 30, applies_to: 'all', enabled: true, ...terms };
    const answer = await call('root', 'post', '/admin/retention').send(body);
    expect([answer.status, answer.body]).toEqual([201, expect.objectContaining(body)]);
    return answer.body.id;
  };
  const remove = async (id: string) => expect((await call('root', 'delete', `/admin/retention/${id}`)).status).toBe(204);
  const hold = async (step: 'place' | 'end', hold_id: string, subject: object) => {
    const sending = request(service.server).post(`/internal/holds/${step}`).set(service.asService('identity'));
    expect((await sending.send({ hold_id, ...subject })).status).toBe(204);
  };

  beforeAll(async () => {
    service = await serviceUnderTest(inference);
    await new KeysOfUsers().enter(service.host);
    await bots.enter(service);
    await service.host.broker.subscribe({
      group: 'listener',
      topics: ['parlance.inference'],
      handle: async (deliveries) => void published.push(...deliveries.map(({ event }) => event)),
    });
  });
  afterAll(() => service.stop());

  it('remove the files of old messages, and keep the conversation and newer files', async () => {
    const old = await send('ann');
    service.later(29 * DAYS);
    const younger = await send('ann', { conversation_id: old.conversation_id });
    const id = await rule({});
    await buses.rounds.deleteInactive();
    expect(await storedOf(old)).toBe(4);
    service.later(2 * DAYS);
    expect((await call('root', 'get', `/admin/retention/${id}/preview`)).body).toEqual({
      rule_id: id,
      conversations: 0,
      responses: 0,
      exports: 0,
      uploads: 1,
      is_complete: true,
    });
    await buses.rounds.deleteInactive();
    expect(await storedOf(old)).toBe(2);
    expect([await isRemoved(old, 'ann'), await isRemoved(younger, 'ann')]).toEqual([true, false]);
    expect(await partsOf(old, 'ann')).toMatchObject([
      { content_type: 'attachment', file_name: 'notes.txt', status: 'removed' },
      { content_type: 'text', body: 'Sum it up.' },
    ]);
    const gone = await download(old, 'ann');
    expect([gone.status, gone.body.code, (await download(younger, 'ann')).status]).toEqual([404, 'file_removed', 200]);
    await waitFor(() => expired().length > 0, { what: 'the public event' });
    expect(expired()).toEqual([{ ...old, user_id: 'ann', bot_id: null, files: 1, rule_id: id }]);

    // A further message continues without the file, and a later round repeats nothing.
    await send('ann', { conversation_id: old.conversation_id }, [text('And now?')]);
    await buses.rounds.deleteInactive();
    await remove(id);
    const { body } = await call('ann', 'delete', `/conversation/${old.conversation_id}`);
    expect([body.removed.messages, await storedOf(old), expired().length]).toEqual([6, 0, 1]);
    expect(await filesWith(service.host.config.dataDir, SECRET)).toEqual([]);
  });

  it('apply to the conversations with a bot, or of the members of a group', async () => {
    const [withBot, ofMember, other] = [newId(), newId(), newId()];
    // A temporary conversation is deleted long before a rule applies, unless that fails.
    const deleted = jest.spyOn(buses.temporary, 'delete').mockRejectedValue(new Error('a fault'));
    bots.owner = withBot;
    const botId = newId();
    const sent = [await send(withBot, { bot_id: botId }), await send(ofMember, { temporary: true }), await send(other)] as const;
    bots.groups.set(ofMember, ['Interns']);
    service.later(10 * DAYS);
    const state = async () => [await isRemoved(sent[0], withBot), await isRemoved(sent[1], ofMember), await isRemoved(sent[2], other)];
    const byBot = await rule({ inactive_days: 5, applies_to: 'bot', bot_id: botId });
    await buses.rounds.deleteInactive();
    expect(await state()).toEqual([true, false, false]);
    await remove(byBot);
    const byGroup = await rule({ inactive_days: 5, applies_to: 'group', group: 'Interns' });
    await buses.rounds.deleteInactive();
    expect(await state()).toEqual([true, true, false]);
    await remove(byGroup);
    deleted.mockRestore();
  });

  it('are blocked by a hold until it ends', async () => {
    const userId = newId();
    const sent = await send(userId);
    const holdId = newId();
    await hold('place', holdId, { user_id: userId });
    const id = await rule({ inactive_days: 1 });
    service.later(2 * DAYS);
    await buses.rounds.deleteInactive();
    expect([await isRemoved(sent, userId), await storedOf(sent)]).toEqual([false, 2]);
    await hold('end', holdId, { user_id: userId });
    await buses.rounds.deleteInactive();
    expect([await isRemoved(sent, userId), await storedOf(sent)]).toEqual([true, 0]);
    await remove(id);
  });

  it('are completed even if the object store or the process fails in between', async () => {
    const userId = newId();
    const sent = await send(userId);
    const id = await rule({ inactive_days: 1 });
    service.later(2 * DAYS);
    const { files } = buses;
    const removeFiles = files.remove.bind(files);
    files.remove = () => Promise.reject(refuse('unavailable', 'object_store_unavailable', 'The store does not answer.'));
    await expect(buses.rounds.deleteInactive()).rejects.toThrow('could not be handled');
    expect([await isRemoved(sent, userId), await storedOf(sent)]).toEqual([true, 2]);
    files.remove = removeFiles;
    // The round does not start it again, and the rule may have been removed by then.
    await buses.rounds.deleteInactive();
    await remove(id);
    expect(await storedOf(sent)).toBe(2);
    service.later(120_000);
    const holdId = newId();
    await hold('place', holdId, { user_id: userId });
    await buses.fileRemovals.finish();
    expect(await storedOf(sent)).toBe(2);
    await hold('end', holdId, { user_id: userId });
    await Promise.all([buses.fileRemovals.finish(), buses.fileRemovals.finish()]);
    expect(await storedOf(sent)).toBe(0);
    await buses.fileRemovals.finish();
    const events = () => expired().filter((data) => (data as Sent).message_id === sent.message_id);
    await waitFor(() => events().length > 0, { what: 'the public event' });
    expect(events()).toHaveLength(1);
  });

  it('of an unknown, newer kind remove nothing, and cannot be changed or counted', async () => {
    const sent = await send('cid');
    const ruleId = newId();
    const event = {
      type: 'RetentionRuleCreated',
      ruleId,
      at: 0,
      kind: 'recordings',
      inactiveDays: 1,
      scope: { appliesTo: 'all' },
      isEnabled: true,
    };
    const { version: expected } = await stateOf(buses.store, retention, RETENTION_STREAM);
    const metadata = RequestContext.run(RequestContext.background(), () => RequestContext.metadata(0 as Instant));
    await buses.store.append({ stream: RETENTION_STREAM, expected, events: [event as never], metadata });
    service.later(400 * DAYS);
    await buses.rounds.deleteInactive();
    expect([await isRemoved(sent, 'cid'), await storedOf(sent)]).toEqual([false, 2]);
    expect((await call('root', 'get', '/admin/retention')).body.rules).toMatchObject([{ id: ruleId, kind: 'recordings' }]);
    const changed = await call('root', 'patch', `/admin/retention/${ruleId}`).send({ inactive_days: 2 });
    const counted = await call('root', 'get', `/admin/retention/${ruleId}/preview`);
    expect([changed.status, changed.body.code, counted.body.code]).toEqual([409, 'retention_kind_not_known', 'retention_kind_not_known']);
    await remove(ruleId);
  });
});
