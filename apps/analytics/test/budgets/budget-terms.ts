import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { enterPeople, person } from '../other-services.ts';
import { ANN, BEN, type BudgetsUnderTest, GUIDE, KEY } from './budgets-under-test.ts';

const NOBODY = '01K0000000000000000000000N';

export function budgetTerms(underTest: BudgetsUnderTest): void {
  describe('budgets', () => {
    const { service, identity, admin, put, made, list, one, lend } = underTest;

    it('are available as CSV too', async () => {
      const ids = [
        (await made({ scope: 'bot', scope_id: GUIDE })).id,
        (await made({ scope: 'group', scope_id: '=Sales', limit: 0.25 })).id,
      ];
      const answer = await request(service.server).get('/admin/budgets').set(admin()).set('accept', 'text/csv');
      expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
      const [head, ...lines] = answer.text.trimEnd().split('\r\n');
      expect(head).toBe('id,scope,scope_id,period,limit,mode,spent,reserved,resets_at');
      expect(lines.map((line) => line.split(',').slice(0, 8).join()).toSorted()).toEqual(
        [`${ids[0]},bot,${GUIDE},MONTH,1,hard,0,0`, `${ids[1]},group,'=Sales,MONTH,0.25,hard,0,0`].toSorted(),
      );
      for (const id of ids) await request(service.server).delete(`/admin/budgets/${id}`).set(admin()).expect(204);
    });

    it('are listed with the names of their subjects', async () => {
      await enterPeople(service.host, [
        person(ANN, { first_name: 'Ann' }),
        person(BEN, { first_name: '', last_name: '', email: 'ben@example.org' }),
      ]);
      const budgets = [
        { scope: 'user', scope_id: ANN },
        { scope: 'user', scope_id: BEN },
        { scope: 'bot', scope_id: GUIDE },
        { scope: 'group', scope_id: 'Sales' },
        { scope: 'all' },
      ];
      const ids: string[] = [];
      for (const budget of budgets) ids.push((await made(budget)).id);
      const names = async () => Promise.all(ids.map(async (id) => (await one(id))?.scope_name));
      await waitFor(async () => (await list()).budgets.length === ids.length, { what: 'the budgets' });
      expect(await names()).toEqual(['Ann Example', 'ben@example.org', 'Guide', 'Sales', null]);
      for (const id of ids) await request(service.server).delete(`/admin/budgets/${id}`).set(admin()).expect(204);
      await waitFor(async () => (await list()).budgets.length === 0, { what: 'no budgets' });
    });

    it('are created, replaced and removed', async () => {
      const answer = await put({ scope: 'user', scope_id: ANN, period: 'DAY', limit: 0.5, mode: 'soft' });
      expect([answer.status, answer.body]).toEqual([
        200,
        {
          id: expect.stringMatching(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/),
          scope: 'user',
          scope_id: ANN,
          period: 'DAY',
          limit: 0.5,
          mode: 'soft',
          spent: 0,
          reserved: 0,
          resets_at: Math.floor(Date.now() / 86_400_000 + 1) * 86_400,
          etag: answer.headers['etag'],
        },
      ]);
      const again = await put({ scope: 'user', scope_id: ANN, period: 'DAY', limit: 2, mode: 'hard' });
      expect(again.body.id).toBe(answer.body.id);
      const own = await put({ id: '01K0000000000000000000000Z', scope: 'user', scope_id: ANN, period: 'DAY', limit: 1, mode: 'soft' });
      expect((await list()).budgets.map(({ id, limit }: { id: string; limit: number }) => [id, limit])).toEqual([
        [answer.body.id, 2],
        [own.body.id, 1],
      ]);
      const page = await list('?limit=1');
      expect((await list(`?limit=1&next_token=${page.next_token}`)).budgets[0].id).toBe(own.body.id);
      for (const id of [answer.body.id, own.body.id])
        expect((await request(service.server).delete(`/admin/budgets/${id}`).set(admin())).status).toBe(204);
      expect((await list()).budgets).toEqual([]);
    });

    it('are changed and removed only if the caller knows the current terms', async () => {
      const body = { scope: 'bot', scope_id: GUIDE, period: 'WEEK', mode: 'hard' };
      const { id, etag } = await made({ ...body, limit: 1 });
      const match = (tag: string) => ({ ...admin(), 'if-match': tag });
      const changed = await put({ ...body, limit: 2 }, match(etag));
      expect([changed.status, changed.headers['etag']]).toEqual([200, (await one(id)).etag]);
      const stale = await put({ ...body, limit: 3 }, match(etag));
      expect([stale.status, stale.body.code, (await one(id)).limit]).toEqual([412, 'version_stale', 2]);
      const path = `/admin/budgets/${id}`;
      expect((await request(service.server).delete(path).set(match(etag))).status).toBe(412);
      expect((await request(service.server).delete(path).set(match(changed.body.etag))).status).toBe(204);
      expect((await put({ ...body, limit: 3 }, match('*'))).status).toBe(412);
      expect((await request(service.server).delete(path).set(match('*'))).status).toBe(404);
    });

    it('are changed with If-Match: * whatever their terms are, even by concurrent requests', async () => {
      const body = { scope: 'bot', scope_id: GUIDE, period: 'WEEK', mode: 'hard' };
      const { id } = await made({ ...body, limit: 1 });
      const limits = [2, 3, 4, 5, 6, 7, 8, 9];
      const answers = await Promise.all(limits.map((limit) => put({ ...body, limit }, { ...admin(), 'if-match': '*' })));
      expect(answers.map(({ status }) => status)).toEqual(limits.map(() => 200));
      expect(
        (
          await request(service.server)
            .delete(`/admin/budgets/${id}`)
            .set({ ...admin(), 'if-match': '*' })
        ).status,
      ).toBe(204);
    });

    it('are created only if there is none, if the request demands that', async () => {
      const body = { scope: 'bot', scope_id: GUIDE, period: 'WEEK', mode: 'hard', limit: 1 };
      const ifAbsent = (value: string) => ({ ...admin(), 'if-none-match': value });
      const { status, body: first } = await put(body, ifAbsent('*'));
      expect([status, first.limit]).toEqual([200, 1]);
      const second = await put({ ...body, limit: 2 }, ifAbsent('*'));
      expect([second.status, second.body.code, (await one(first.id)).limit]).toEqual([412, 'budget_exists', 1]);
      // With an ID of its own, a second budget is created.
      const beside = { ...body, id: '01KXW4Q5Z0AAAAAAAAAAAAAAAA', limit: 3 };
      expect((await put(beside, ifAbsent('*'))).status).toBe(200);
      expect((await put(beside, ifAbsent('*'))).body.detail).toMatch(/^This budget already exists\./);
      expect((await put({ ...body, limit: 2 }, ifAbsent(first.etag))).body.code).toBe('invalid_if_none_match');
      expect((await put({ ...body, period: 'DAY' }, ifAbsent('*'))).status).toBe(200);
      for (const { id } of (await list()).budgets) await request(service.server).delete(`/admin/budgets/${id}`).set(admin());
      expect((await put(body, ifAbsent('*'))).status).toBe(200);
      await request(service.server).delete(`/admin/budgets/${first.id}`).set(admin());
    });

    it.each([
      [{ scope: 'all', scope_id: 'x' }, 'scope_id'],
      [{ scope: 'user' }, 'scope_id'],
      [{ scope: 'user', scope_id: 'not an id' }, 'scope_id'],
      [{ scope: 'all', limit: 0.0000000001 }, 'limit'],
      [{ scope: 'all', limit: -1 }, 'limit'],
      [{ scope: 'all', period: 'YEAR' }, 'period'],
      [{ scope: 'all', mode: 'medium' }, 'mode'],
      [{ scope: 'team', scope_id: 'x' }, 'scope'],
    ])('are refused as invalid: %j', async (body, path) => {
      const answer = await put({ period: 'DAY', limit: 1, mode: 'hard', ...body });
      expect([answer.status, answer.body.errors.map((error: { path: string }) => error.path)]).toEqual([400, [path]]);
    });

    it.each([
      [{ scope: 'user', scope_id: NOBODY }, 'must be the ID of a user'],
      [{ scope: 'bot', scope_id: NOBODY }, 'must be the ID of a bot'],
      [{ scope: 'key', scope_id: 'zzz' }, 'must be the ID of an API key that is not revoked'],
    ])('are refused for a subject that does not exist: %j', async (subject, message) => {
      const { status, body } = await put({ period: 'DAY', limit: 1, mode: 'hard', ...subject });
      expect([status, body.errors]).toEqual([400, [{ path: 'scope_id', message }]]);
    });

    it('are accepted for an API key that exists', async () => {
      const { id } = await made({ scope: 'key', scope_id: KEY });
      await request(service.server).delete(`/admin/budgets/${id}`).set(admin()).expect(204);
    });

    it('are for administrators only', async () => {
      expect((await put({ scope: 'all', period: 'DAY', limit: 1, mode: 'hard' }, service.as(ANN, 'PublishAllowed'))).status).toBe(403);
    });

    it('do not change their subject', async () => {
      const { id } = await made({ scope: 'bot', scope_id: GUIDE });
      expect((await put({ id, scope: 'all', period: 'DAY', limit: 1, mode: 'hard' })).body.code).toBe('budget_of_another_scope');
      await request(service.server).delete(`/admin/budgets/${id}`).set(admin());
      expect((await lend(id, 1)).body.code).toBe('budget_not_found');
    });

    it('are refused for a group that does not exist, and while that is unknown', async () => {
      identity.absentGroups.add('Nobody/é');
      const terms = { scope: 'group', scope_id: 'Nobody/é', period: 'MONTH', limit: 1, mode: 'hard' };
      const { status, body } = await put(terms);
      expect([status, body.code, body.errors]).toEqual([
        400,
        'invalid_body',
        [{ path: 'scope_id', message: 'must name a group that exists' }],
      ]);
      service.host.local.leave('identity');
      expect((await put(terms)).body).toMatchObject({ status: 503, code: 'service_unavailable' });
      identity.absentGroups.clear();
      await identity.enter(service.host);
      expect((await put(terms)).status).toBe(200);
    });
  });
}
