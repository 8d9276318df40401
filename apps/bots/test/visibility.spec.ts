import { afterAll, describe, expect, it } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { type Answer, BotsUnderTest, type Headers, idsOf } from './bots-under-test.ts';
import { describeVisibilityOfPrompts, PROMPT_ROUTES } from './prompt-visibility.ts';

const SCOPES = ['private', 'partial', 'all'] as const;
type Scope = (typeof SCOPES)[number];
const CALLERS = ['owner', 'editor', 'viewer', 'member', 'admin', 'stranger'] as const;
type Caller = (typeof CALLERS)[number];

/** Only the owner may read a private bot. For all others it does not exist. */
const PRIVATE_200 = '200 404 404 404 404 404';
/**
 * The status of every route with the ID of a bot, for each scope, in the order of CALLERS. A private bot has no editors, viewers or members,
 * so its callers are strangers.
 */
const TABLE: Readonly<Record<string, { readonly body?: object; readonly query?: string } & Readonly<Record<Scope, string>>>> = {
  'GET /bot/{botId}': { private: PRIVATE_200, partial: '200 200 200 200 200 404', all: '200 200 200 200 200 200' },
  'GET /bot/summary/{botId}': { private: PRIVATE_200, partial: '200 200 200 200 200 404', all: '200 200 200 200 200 200' },
  'GET /bot/private/{botId}': { private: PRIVATE_200, partial: '200 200 403 403 200 404', all: '200 200 403 403 200 403' },
  'PATCH /bot/{botId}': {
    body: { title: 'New' },
    private: PRIVATE_200,
    partial: '200 200 403 403 200 404',
    all: '200 200 403 403 200 403',
  },
  'PATCH /bot/{botId}/visibility': {
    body: { target_shared_scope: 'all' },
    private: PRIVATE_200,
    partial: '200 403 403 403 200 404',
    all: '200 403 403 403 200 403',
  },
  'PATCH /bot/{botId}/starred': {
    body: { starred: true },
    private: PRIVATE_200,
    partial: '200 200 200 200 200 404',
    all: '200 200 200 200 200 200',
  },
  'DELETE /bot/{botId}/recently-used': {
    private: '204 404 404 404 404 404',
    partial: '204 204 204 204 204 404',
    all: '204 204 204 204 204 204',
  },
  'GET /bot/{botId}/history': { private: PRIVATE_200, partial: '200 403 403 403 200 404', all: '200 403 403 403 200 403' },
  'GET /bot/{botId}/history/{version}': { private: PRIVATE_200, partial: '200 403 403 403 200 404', all: '200 403 403 403 200 403' },
  'POST /bot/{botId}/restore': {
    body: { version: 1 },
    private: PRIVATE_200,
    partial: '200 403 403 403 200 404',
    all: '200 403 403 403 200 403',
  },
  'GET /bot/{botId}/export': { private: PRIVATE_200, partial: '200 200 403 403 200 404', all: '200 200 403 403 200 403' },
  // Only the owner, the stranger and the administrator may create bots.
  'POST /bot/{botId}/duplicate': { private: '201 403 403 403 404 404', partial: '201 403 403 403 201 404', all: '201 403 403 403 201 403' },
  'DELETE /bot/{botId}': { private: '204 404 404 404 404 404', partial: '204 403 403 403 204 404', all: '204 403 403 403 204 403' },
  'GET /bot/{botId}/knowledge/sync': { private: PRIVATE_200, partial: '200 200 403 403 200 404', all: '200 200 403 403 200 403' },
  // The bot has no sources, so reading them again conflicts with its state.
  'POST /bot/{botId}/knowledge/sync': {
    private: '409 404 404 404 404 404',
    partial: '409 409 403 403 409 404',
    all: '409 409 403 403 409 403',
  },
  'POST /bot/{botId}/knowledge/search': {
    body: { query: 'x' },
    private: PRIVATE_200,
    partial: '200 200 403 403 200 404',
    all: '200 200 403 403 200 403',
  },
  // A bot that the caller may not see counts as non-existent, so users who may create bots get their own upload address.
  'GET /bot/{botId}/presigned-url': {
    query: '?filename=a.txt&content_type=text/plain',
    private: '200 403 403 403 200 200',
    partial: '200 200 403 403 200 200',
    all: '200 200 403 403 200 403',
  },
  'DELETE /bot/{botId}/uploaded-file': {
    query: '?filename=a.txt',
    private: '204 403 403 403 204 204',
    partial: '204 204 403 403 204 204',
    all: '204 204 403 403 204 403',
  },
  // The bot has no picture, and the request none either.
  'GET /bot/{botId}/picture/{pictureId}': {
    private: '404 404 404 404 404 404',
    partial: '404 404 404 404 404 404',
    all: '404 404 404 404 404 404',
  },
  'PUT /bot/{botId}/picture': {
    private: '400 404 404 404 404 404',
    partial: '400 400 403 403 400 404',
    all: '400 400 403 403 400 403',
  },
  'DELETE /bot/{botId}/picture': { private: PRIVATE_200, partial: '200 200 403 403 200 404', all: '200 200 403 403 200 403' },
  // The API contract requires 409 for pinning a private bot.
  'PATCH /admin/bot/{botId}/pushed': {
    body: { to_pinned: true, order: 1 },
    private: '403 403 403 403 409 403',
    partial: '403 403 403 403 200 403',
    all: '403 403 403 403 200 403',
  },
  'GET /admin/bot/public/{botId}': {
    private: '403 403 403 403 404 403',
    partial: '403 403 403 403 200 403',
    all: '403 403 403 403 200 403',
  },
};

const PICTURE = newId();

/** Routes that list bots of other users, each with the query that the tests send. */
const LISTS: Readonly<Record<string, string>> = {
  'GET /bot': '?kind=shared&limit=1000',
  'GET /bot/pinned': '?limit=1000',
  'GET /bot/shelf': '?limit=100',
  'GET /store/search': '?query=guide&limit=1000',
  'GET /store/popular': '?limit=1000',
  'GET /store/pickup': '?limit=1000',
};
/** Routes that neither name a bot nor list any. */
const OTHERS = ['POST /bot', 'POST /bot/import'];
/** Lists shared bots for administrators alone. Its cases are in `bots-of-model.spec.ts`. */
const ADMIN_LISTS = ['GET /admin/models/{modelId}/bots'];

const callers: Record<Caller, { readonly userId: string; readonly groups: readonly string[] }> = {
  owner: { userId: newId(), groups: ['CreatingBotAllowed'] },
  editor: { userId: newId(), groups: [] },
  viewer: { userId: newId(), groups: [] },
  member: { userId: newId(), groups: ['team'] },
  admin: { userId: newId(), groups: ['Admin'] },
  stranger: { userId: newId(), groups: ['CreatingBotAllowed', 'PublishAllowed', 'other'] },
};
const as = (caller: Caller): Headers => bots.service.as(callers[caller].userId, ...callers[caller].groups);

const bots = await BotsUnderTest.start();
const { paths } = (await bots.get('/internal/openapi.json', bots.service.asService('edge'))).body;
const documented = Object.entries(paths as Record<string, object>).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
);
afterAll(() => bots.stop());

async function createBot(scope: Scope): Promise<string> {
  const { id } = await bots.create(callers.owner.userId);
  const [editor, viewer] = [callers.editor.userId, callers.viewer.userId];
  const lists = { target_allowed_user_ids: [editor, viewer], target_allowed_group_ids: ['team'], target_editor_user_ids: [editor] };
  if (scope !== 'private') await bots.share(callers.owner.userId, id, scope, lists);
  return id;
}

const send = (route: string, id: string, caller: Caller): Promise<Answer> => {
  const [method, path] = route.split(' ') as [string, string];
  return bots.ask(
    method,
    path.replace('{botId}', id).replace('{pictureId}', PICTURE).replace('{version}', '1') + (TABLE[route]?.query ?? ''),
    as(caller),
    TABLE[route]?.body,
  );
};

describe('every route of the bots service', () => {
  it('is in TABLE, LISTS, OTHERS or ADMIN_LISTS, or a route of prompts', () => {
    const listed = [...Object.keys(TABLE), ...Object.keys(LISTS), ...OTHERS, ...ADMIN_LISTS, ...PROMPT_ROUTES];
    expect(listed.sort()).toEqual([...documented].sort());
  });

  it.each(Object.entries(TABLE).flatMap(([route, row]) => SCOPES.map((scope) => [route, scope, row[scope]] as const)))(
    '%s for a bot with scope %s returns to the callers, in order: %s',
    async (route, scope, expected) => {
      const statuses: number[] = [];
      // Each caller gets a new bot, because the request may change or delete it.
      for (const caller of CALLERS) statuses.push((await send(route, await createBot(scope), caller)).status);
      expect(statuses.join(' ')).toBe(expected);
    },
  );
});

describe('a bot that the caller may not see', () => {
  const hidden: readonly (readonly [Scope, Caller])[] = [
    ...CALLERS.filter((caller) => caller !== 'owner').map((caller) => ['private', caller] as const),
    ['partial', 'stranger'],
  ];

  it.each(hidden)('gets the same responses as one that never existed: %s, %s', async (scope, caller) => {
    const id = await createBot(scope);
    for (const route of Object.keys(TABLE)) {
      // The API contract requires 409 for pinning a private bot, which shows that the bot exists.
      if (route === 'PATCH /admin/bot/{botId}/pushed' && caller === 'admin') continue;
      const unknownId = newId();
      const [answer, absent] = [await send(route, id, caller), await send(route, unknownId, caller)];
      expect([route, answer.status, comparable(answer, id)]).toEqual([route, absent.status, comparable(absent, unknownId)]);
    }
  });

  it.each(hidden)('is absent from all lists: %s, %s', async (scope, caller) => {
    const id = await createBot(scope);
    if (scope !== 'private') await bots.ask('PATCH', `/admin/bot/${id}/pushed`, as('admin'), { to_pinned: true, order: 1 });
    await bots.use({ userId: callers[caller].userId, botId: id });
    bots.service.later(60_000);
    for (const url of [...listUrls, '/bot?kind=private&limit=1000', '/bot?kind=mixed&limit=1000']) {
      const answer = await bots.get(url, as(caller));
      expect([url, answer.status, idsOf(answer).includes(id)]).toEqual([url, 200, false]);
    }
  });

  it('is still in all lists of the users who may see it', async () => {
    const [partial, all] = [await createBot('partial'), await createBot('all')];
    for (const id of [partial, all]) await bots.ask('PATCH', `/admin/bot/${id}/pushed`, as('admin'), { to_pinned: true, order: 1 });
    for (const caller of CALLERS)
      await bots.use({ userId: callers[caller].userId, botId: all }, { userId: callers[caller].userId, botId: partial });
    bots.service.later(60_000);
    for (const caller of CALLERS.filter((each) => each !== 'owner'))
      for (const url of [...listUrls, '/bot?kind=mixed&limit=1000']) {
        const ids = idsOf(await bots.get(url, as(caller)));
        expect([caller, url, ids.includes(partial), ids.includes(all)]).toEqual([caller, url, caller !== 'stranger', true]);
      }
  });

  it('is not listed to other services if it is private', async () => {
    const [unshared, partial, all] = [await createBot('private'), await createBot('partial'), await createBot('all')];
    const service = bots.service.asService('analytics');
    const { bot_ids } = (await bots.ask('POST', '/internal/bots/shared', service, {})).body;
    expect(bot_ids.filter((id: string) => [unshared, partial, all].includes(id))).toEqual([all, partial]);
    const after = (await bots.ask('POST', '/internal/bots/shared', service, { after: all })).body.bot_ids;
    expect([after.includes(all), after[0]]).toEqual([false, partial]);
    expect(idsOf(await bots.ask('POST', '/internal/bots/shown', service, { bot_ids: [unshared, partial] }))).toEqual([partial]);
  });
});

describeVisibilityOfPrompts(bots, callers, as);

const listUrls = Object.entries(LISTS).map(([route, query]) => `${route.split(' ')[1]}${query}`);

/** The body and headers without the parts that differ between any two requests. */
function comparable({ body, headers }: Answer, id: string): string {
  const { date: _, 'x-request-id': __, ...rest } = headers;
  const { request_id: ___, ...problem } = (body ?? {}) as Record<string, unknown>;
  const text = JSON.stringify([problem, rest]).replaceAll(id, 'the id');
  // Upload addresses contain the ID of the file, the time and the signature.
  return text.replaceAll(/[0-9a-f]{40}|(expires=|expires_at":)\d+|signature=[\w-]+/g, '…');
}
