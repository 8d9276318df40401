import { expect } from '@jest/globals';
import { refuse } from '@parlance/decider';
import { newId } from '@parlance/event-store';
import { serviceUnderTest } from '@parlance/foundation/harness';
import { waitFor } from '@parlance/testing';
import { fastify } from 'fastify';
import request from 'supertest';
import type { NotificationList } from '../src/http/notifications/notification-answers.ts';
import { analytics } from '../src/service.ts';
import { enterPeople, person } from './other-services.ts';

export type Headers = Record<string, string>;

export const [ANN, BEN, CAT] = [newId(), newId(), newId()];
export const DAY_MILLIS = 86_400_000;

/** Analytics, beside other services that name what users may see. */
export async function notifiedService() {
  /** `titles`: of what users may see. Null while the other services are unavailable. `asked`: the bots whose titles were asked for. */
  const others: { titles: Record<string, string> | null; readonly asked: Set<string> } = { titles: {}, asked: new Set() };
  const service = await serviceUnderTest(analytics);
  await enterPeople(service.host, [person(ANN, { first_name: 'Ann', last_name: 'A' }), person(CAT, { groups: ['left'] })]);
  const seen = (ids: readonly string[]) => Object.fromEntries(Object.entries(others.titles ?? {}).filter(([id]) => ids.includes(id)));
  const away = refuse('unavailable', 'service_unavailable', 'Away.');
  const bots = fastify();
  bots.post<{ Body: { bot_ids: readonly string[]; prompt_ids: readonly string[] } }>('/internal/seen-titles', async ({ body }, reply) => {
    if (others.titles === null) return reply.code(503).send(away);
    for (const id of body.bot_ids) others.asked.add(id);
    return { bots: seen(body.bot_ids), prompts: seen(body.prompt_ids) };
  });
  await service.host.local.enter('bots', bots);
  const inference = fastify();
  inference.post<{ Body: { project_ids: readonly string[]; awaiting_reply_ids: readonly string[] } }>(
    '/internal/seen-titles',
    async ({ body }, reply) => {
      if (others.titles === null) return reply.code(503).send(away);
      return { projects: seen(body.project_ids), awaiting: seen(body.awaiting_reply_ids) };
    },
  );
  await service.host.local.enter('inference', inference);

  const ask = async (headers: Headers, query = ''): Promise<NotificationList> => {
    const { status, body } = await request(service.server).get(`/user/me/notifications${query}`).set(headers);
    expect([status, body.code]).toEqual([200, undefined]);
    return body;
  };
  const listed = (headers: Headers, count: number) =>
    waitFor(async () => (await ask(headers)).notifications.length === count, { what: `${count} notifications` });
  const mark = (headers: Headers, up_to: string) =>
    request(service.server).post('/user/me/notifications/read').set(headers).send({ up_to });
  const lists = { allowed_user_ids: [], allowed_group_ids: [], editor_user_ids: [], editor_group_ids: [] };
  const share = (bot_id: string, added: object) =>
    service.hear('parlance.bots.bot-widened.v1', `bot-${bot_id}`, {
      bot_id,
      shared_scope: 'partial',
      previous_scope: 'private',
      ...lists,
      ...added,
    });
  const sharePrompt = (prompt_id: string, added: object) =>
    service.hear('parlance.bots.prompt-sharing-changed.v1', `prompts-${ANN}`, {
      prompt_id,
      owner_user_id: ANN,
      shared_scope: 'partial',
      previous_scope: 'private',
      because: 'requested',
      ...lists,
      ...added,
    });
  const shareProject = (project_id: string, user_id: string) =>
    service.hear('parlance.inference.project-shared.v1', `projects-${ANN}`, { project_id, owner_user_id: ANN, user_id, role: 'viewer' });
  const finishExport = (user_id: string, expires_at = new Date(Date.now() + DAY_MILLIS).toISOString()) =>
    service.hear('parlance.inference.own-export-ready.v1', `ownexport-${user_id}`, {
      export_id: newId(),
      user_id,
      requested_by: 'user',
      conversations: 1,
      bytes: 1,
      expires_at,
    });
  return { service, others, ask, listed, mark, share, sharePrompt, shareProject, finishExport };
}
