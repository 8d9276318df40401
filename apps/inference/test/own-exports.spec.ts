import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { newId } from '@parlance/event-store';
import { RequestContext } from '@parlance/observability';
import { waitFor } from '@parlance/testing';
import { ExecuteOwnExport } from '../src/commands/aggregates.ts';
import { MOST_ATTEMPTS, OWN_EXPORT_MILLIS, ownExportStream } from '../src/domain/own-data/own-export.ts';
import { OWN_EXPORT_LEASE_MILLIS } from '../src/workflows/own-data/writing-own-exports.ts';
import { text } from './files.ts';
import { conversationsIn, OwnDataWorld } from './own-data-world.ts';

const world = await OwnDataWorld.start();
afterAll(() => world.service.stop());

describe('requesting an export', () => {
  it('returns the state, and a URL when it is ready', async () => {
    expect((await world.call('finn', 'get', '/user/me/export')).body.code).toBe('export_not_found');
    const id = await world.ask('finn');
    const { url, ...state } = await world.ready('finn', id);
    const size = (await world.parts.objects.stat((await world.stored()).find((key) => key.includes(id))!))!.size;
    expect(state).toMatchObject({ export_id: id, requested_by: 'user', conversations: 0, total_conversations: 0, bytes: size });
    expect(Number(state['expires_at']) - Number(state['ready_time'])).toBe(OWN_EXPORT_MILLIS / 1_000);
    expect(new URL(url).pathname).toContain(`/own-exports/finn/${id}.`);
    expect((await world.call('finn', 'get', '/user/me/export')).body.export_id).toBe(id);
    expect((await world.call('ann', 'get', `/user/me/exports/${id}`)).body.code).toBe('export_not_found');
    expect(await world.publishedEventsOf('finn')).toEqual([
      { type: 'parlance.inference.own-export-requested.v1', data: { export_id: id, user_id: 'finn', requested_by: 'user' } },
      {
        type: 'parlance.inference.own-export-ready.v1',
        data: expect.objectContaining({ export_id: id, user_id: 'finn', requested_by: 'user', conversations: 0, bytes: size }),
      },
    ]);
  });
  it('replaces the last export and its file', async () => {
    const first = await world.ask('gil');
    await world.ready('gil', first);
    const second = await world.ask('gil');
    expect((await world.stored()).filter((key) => key.includes(first))).toEqual([]);
    await world.ready('gil', second);
    expect((await world.stored()).filter((key) => key.includes('/gil/'))).toEqual([expect.stringContaining(second)]);
    expect((await world.call('gil', 'get', `/user/me/exports/${first}`)).status).toBe(404);
  });
  it('can be removed only by its user, which removes its file and its URL immediately', async () => {
    const id = await world.ask('gus');
    await world.ready('gus', id);
    const remove = (userId: string) => world.call(userId, 'delete', `/user/me/exports/${id}`);
    expect((await remove('ann')).body.code).toBe('export_not_found');
    expect((await world.stored()).filter((key) => key.includes('/gus/'))).toHaveLength(1);
    expect((await remove('gus')).status).toBe(204);
    expect((await world.stored()).filter((key) => key.includes('/gus/'))).toEqual([]);
    expect((await world.call('gus', 'get', '/user/me/export')).body.code).toBe('export_not_found');
    expect((await remove('gus')).body.code).toBe('export_not_found');
    const next = await world.ask('gus');
    const { url } = await world.ready('gus', next);
    expect(new URL(url).searchParams.get('issued_to')).toBe('session.session.gus');
  });
  it('can also be requested by administrators, who do not see its URL', async () => {
    const [nobody, hal] = [newId(), newId()];
    world.strangers.add(nobody);
    expect((await world.call('root', 'post', `/admin/users/${nobody}/export`, 'Admin')).body.code).toBe('user_not_found');
    expect((await world.call('root', 'post', `/admin/users/${hal}/export`)).status).toBe(403);
    world.keys.unproved.add('root');
    expect((await world.call('root', 'post', `/admin/users/${hal}/export`, 'Admin')).body.code).toBe('step_up_required');
    world.keys.unproved.delete('root');
    const { status, body } = await world.call('root', 'post', `/admin/users/${hal}/export`, 'Admin');
    expect([status, body.user_id, body.requested_by, 'url' in body]).toEqual([202, hal, 'admin', false]);
    expect((await world.ready(hal, body.export_id)).url).toMatch(/^http/);
    expect((await world.call('root', 'get', `/user/me/exports/${body.export_id}`, 'Admin')).status).toBe(404);
    expect((await world.publishedEventsOf(hal)).map(({ data }) => data['requested_by'])).toEqual(['admin', 'admin']);
  });
});

describe('a crashed worker', () => {
  const background = <Result>(work: () => Promise<Result>) => RequestContext.run(RequestContext.background(), work);
  const execute = (userId: string, command: ConstructorParameters<typeof ExecuteOwnExport>[1]) =>
    background(() => world.buses.commands.execute(new ExecuteOwnExport(userId, command)));

  it('is replaced by one that begins the export again, when its lease is over', async () => {
    const [exportId, claim, now] = [newId(), newId(), Instant.ofMillis(Date.now())];
    await world.say('ida', [text('Once.')]);
    await execute('ida', { type: 'Request', exportId, by: 'user', now });
    await execute('ida', { type: 'Claim', exportId, claim, leaseUntil: Instant.plus(now, OWN_EXPORT_LEASE_MILLIS), now });
    const key = `own-exports/ida/${exportId}.${claim}.zip`;
    await world.parts.objects.put(key, Buffer.from('half'), { contentType: 'application/zip' });
    await background(() => world.parts.writing.writeWaiting());
    expect((await world.call('ida', 'get', '/user/me/export')).body).toMatchObject({ status: 'writing', url: null });
    expect((await world.call('ida', 'post', '/user/me/export')).body.code).toBe('export_running');
    await world.sweep();
    expect(await world.stored()).toContain(key);
    world.service.later(OWN_EXPORT_LEASE_MILLIS);
    await world.ready('ida', exportId);
    await world.sweep();
    expect((await world.stored()).filter((each) => each.includes('/ida/'))).toEqual([expect.not.stringContaining(claim)]);
    expect(conversationsIn(await world.archive(exportId))).toHaveLength(1);
  });
  it('cannot complete the export of another worker', async () => {
    const [exportId, now] = [newId(), Instant.ofMillis(Date.now())];
    const far = Instant.plus(now, 10 * OWN_EXPORT_MILLIS);
    await execute('jo', { type: 'Request', exportId, by: 'user', now: far });
    await execute('jo', { type: 'Claim', exportId, claim: 'first', leaseUntil: far, now });
    const late = { type: 'Complete', exportId, claim: 'second', conversations: 0, bytes: 1, now } as const;
    await expect(execute('jo', late)).rejects.toMatchObject({ code: 'export_taken_over' });
  });
  it('leaves an export whose data cannot be read to later workers, until it fails', async () => {
    world.isBotsAway = true;
    const id = await world.ask('kim');
    const status = async () => (await world.call('kim', 'get', `/user/me/exports/${id}`)).body.status;
    for (let attempt = 0; attempt <= MOST_ATTEMPTS && (await status()) !== 'failed'; attempt++) {
      await background(() => world.parts.writing.writeWaiting());
      world.service.later(OWN_EXPORT_LEASE_MILLIS * (attempt + 3));
    }
    await background(() => world.parts.writing.writeWaiting());
    world.isBotsAway = false;
    expect(await status()).toBe('failed');
    expect((await world.stored()).filter((key) => key.includes('/kim/'))).toEqual([]);
    expect(await world.ask('kim')).not.toBe(id);
  });
});
describe('an outage of the object store', () => {
  it('takes no attempt of an export, which is written when the outage has ended', async () => {
    const down = { status: 'down', since: 0, latency_ms: null, bytes: null } as const;
    const state = jest.spyOn(world.service.host.objects.health!, 'state').mockResolvedValue(down);
    const id = await world.ask('olga');
    await waitFor(() => state.mock.calls.length > 2, { what: 'looks at the state of the store' });
    const { commits } = await world.buses.store.read(ownExportStream('olga'));
    expect(commits.flatMap(({ events }) => events.map(({ event }) => event.type))).toEqual(['OwnExportRequested']);
    state.mockRestore();
    await world.ready('olga', id);
  });
});

describe('the end of an export', () => {
  it('is the removal of its file, a day later', async () => {
    const later = await OwnDataWorld.start();
    const id = await later.ask('leo');
    await later.ready('leo', id);
    later.service.later(OWN_EXPORT_MILLIS + 60_000);
    expect((await later.call('leo', 'get', '/user/me/export')).body.code).toBe('export_not_found');
    await waitFor(async () => (await later.stored()).length === 0, { what: 'the removal of the file' });
    await later.service.stop();
  });
  it('comes with the erasure of the user, even while it is written', async () => {
    await world.say('pia', [text('Mine.')]);
    world.meanwhile = () => world.erase('pia');
    const id = await world.ask('pia');
    await RequestContext.run(RequestContext.background(), () => world.parts.writing.writeWaiting());
    world.meanwhile = null;
    expect((await world.stored()).filter((key) => key.includes('/pia/'))).toEqual([]);
    expect((await world.call('pia', 'get', `/user/me/exports/${id}`)).status).toBe(404);
  });
  it('is counted by the erasure of the user', async () => {
    await world.say('mia', [text('Mine.')]);
    const id = await world.ask('mia');
    await world.ready('mia', id);
    expect(await world.erase('mia')).toMatchObject({ conversations: 1, own_exports: 1 });
    expect((await world.stored()).filter((key) => key.includes('/mia/'))).toEqual([]);
    expect((await world.call('mia', 'get', `/user/me/exports/${id}`)).status).toBe(404);
    expect((await world.call('mia', 'post', '/user/me/export')).body.code).toBe('user_not_found');
    expect(await world.erase('mia')).toMatchObject({ own_exports: 1 });
  });
});
