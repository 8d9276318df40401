import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { BotsUnderTest } from './bots-under-test.ts';

interface Item {
  readonly title: string;
}

describe('the bots that may use a model', () => {
  let bots: BotsUnderTest;
  const get = (model: string, query = '', groups = ['Admin']) =>
    bots.get(`/admin/models/${model}/bots?${query}`, bots.service.as('root', ...groups));
  const titles = async (model: string) => ((await get(model)).body.bots as Item[]).map(({ title }) => title);

  beforeAll(async () => {
    bots = await BotsUnderTest.start();
    const created = async (title: string, active_models: string[], scope?: string) => {
      const { id } = await bots.create('ann', { title, active_models });
      if (scope !== undefined) await bots.share('ann', id, scope, scope === 'partial' ? { target_allowed_user_ids: [newId()] } : {});
    };
    await created('Any', [], 'all');
    await created('Small only', ['small'], 'all');
    await created('Both', ['small', 'large'], 'partial');
    await created('Private', []);
  });
  afterAll(() => bots.stop());

  it('are the shared ones that name it or allow all models, newest first', async () => {
    const { status, body } = await get('large');
    expect([status, body]).toEqual([
      200,
      {
        bots: [
          { id: expect.any(String), title: 'Both', owner_user_id: 'ann', shared_scope: 'partial', is_named: true },
          { id: expect.any(String), title: 'Any', owner_user_id: 'ann', shared_scope: 'all', is_named: false },
        ],
        next_token: null,
      },
    ]);
    expect(await titles('small')).toEqual(['Both', 'Small only', 'Any']);
    expect(await titles('unknown')).toEqual(['Any']);
  });
  it('are in pages of the same model', async () => {
    const first = (await get('small', 'limit=2')).body;
    const second = (await get('small', `limit=2&next_token=${first.next_token}`)).body;
    expect([first.bots, second.bots].map((page: Item[]) => page.map(({ title }) => title))).toEqual([['Both', 'Small only'], ['Any']]);
    expect(second.next_token).toBeNull();
    expect((await get('large', `next_token=${first.next_token}`)).body.code).toBe('invalid_next_token');
  });
  it('are available as CSV', async () => {
    const headers = { ...bots.service.as('root', 'Admin'), accept: 'text/csv' };
    const { body } = await bots.get('/admin/models/large/bots', headers);
    expect(
      String(body)
        .split('\r\n')
        .map((line) => line.replace(/^[0-9A-Z]{26},/, '')),
    ).toEqual(['id,title,owner_user_id,shared_scope,is_named', 'Both,ann,partial,true', 'Any,ann,all,false', '']);
  });
  it('are recorded as a look at the list of bots', async () => {
    const log = (await bots.service.host.published.of('bots'))!;
    const { head } = await log.after(0);
    await get('small');
    expect((await log.after(head)).events).toMatchObject([
      { actor: 'root', data: { action: 'view_public_bots', resource_type: 'model', resource_id: 'small' } },
    ]);
  });
  it('are for administrators only', async () => expect((await get('small', '', ['CreatingBotAllowed'])).status).toBe(403));
});
