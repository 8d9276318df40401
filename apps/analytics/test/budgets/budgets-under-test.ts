import { expect } from '@jest/globals';
import { KeysOfUsers, serviceUnderTest } from '@parlance/foundation/harness';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { analytics } from '../../src/service.ts';
import { enterDescriptions, enterTitles } from '../titles.ts';

export const ANN = '01K0000000000000000000000A';
export const BEN = '01K0000000000000000000000B';
export const GUIDE = '01K0000000000000000000000C';
export const CORRECTED = '01K0000000000000000000000D';
export const KEY = '01K0000000000000000000000E';

const usage = { input_tokens: 1, output_tokens: 1, cache_read_tokens: 0, cache_write_tokens: 0, estimated: false };

export type BudgetsUnderTest = Awaited<ReturnType<typeof budgetsUnderTest>>;

/** Analytics with two users, two bots and an API key, what administrators ask of its budgets, and what inference reports. */
export async function budgetsUnderTest() {
  const service = await serviceUnderTest(analytics);
  const identity = new KeysOfUsers();
  await identity.enter(service.host);
  // Identity knows users whose data was sealed.
  for (const user of [ANN, BEN]) await identity.seal(user, 'x');
  await enterTitles(service.host, { [GUIDE]: 'Guide', [CORRECTED]: 'Corrected' });
  await enterDescriptions(service.host, { [KEY]: 'Shop' });

  let events = 0;
  const admin = () => service.as('root', 'Admin');
  const put = (body: object, headers = admin()) => request(service.server).put('/admin/budgets').set(headers).send(body);
  const made = async (body: object) => (await put({ period: 'MONTH', limit: 1, mode: 'hard', ...body })).body;
  const list = async (query = '') => (await request(service.server).get(`/admin/budgets${query}`).set(admin())).body;
  const one = async (id: string) => (await list()).budgets.find((budget: { id: string }) => budget.id === id);
  const lend = (id: string, needed: number, more: object = {}) =>
    request(service.server)
      .post(`/internal/budgets/${id}/lend`)
      .set(service.asService('inference'))
      .send({ holder: 'h', needed, wanted: needed, closed: [], ...more });
  const place = (user: string, bot: string | null, marks: readonly string[]) => ({
    conversation_id: 'c',
    user_id: user,
    bot_id: bot,
    model: 'm',
    ...(marks.length > 0 && { budgets: marks }),
  });
  const hear = (type: string, data: object, subject = 'conversation-c') =>
    service.hear(`parlance.inference.${type}.v1`, subject, data, `e${++events}`);
  const submitted = (...of: Parameters<typeof place>) => hear('message-submitted', { ...place(...of), reply_id: 'r', message_id: 'm' });
  const completed = (cost: number, ...of: Parameters<typeof place>) =>
    hear('reply-completed', { ...place(...of), reply_id: 'r', usage, cost_nano_dollars: cost });
  const failed = (...of: Parameters<typeof place>) => hear('reply-failed', { ...place(...of), reply_id: 'r', code: 'x' });
  const charged = (cost: number, ...of: Parameters<typeof place>) =>
    hear('tokens-charged', { ...place(...of), charge_id: 't', purpose: 'title', usage, cost_nano_dollars: cost });
  const shows = (id: string, figures: object) =>
    waitFor(async () => expect(await one(id)).toMatchObject(figures) === undefined, { what: JSON.stringify(figures) });

  return { service, identity, admin, put, made, list, one, lend, hear, submitted, completed, failed, charged, shows };
}
