import { describe, expect, it } from '@jest/globals';
import { newId } from '@parlance/event-store';
import type { Answer, BotsUnderTest, Headers } from './bots-under-test.ts';

type Scope = 'private' | 'partial' | 'all';
export type Caller = 'owner' | 'editor' | 'viewer' | 'member' | 'admin' | 'stranger';

const FOR_OWNER = { private: '200 404 404 404 404 404', partial: '200 403 403 403 200 404', all: '200 403 403 403 200 403' };

/** The status of every route with the ID of a prompt, for each scope: owner, editor, viewer, member, admin, stranger. */
const TABLE: Readonly<Record<string, { readonly body?: object } & Readonly<Record<Scope, string>>>> = {
  'GET /prompts/{promptId}': { private: FOR_OWNER.private, partial: '200 200 200 200 200 404', all: '200 200 200 200 200 200' },
  'PATCH /prompts/{promptId}': {
    body: { title: 'New' },
    private: FOR_OWNER.private,
    partial: '200 200 403 403 200 404',
    all: '200 200 403 403 200 403',
  },
  'PATCH /prompts/{promptId}/visibility': { body: { target_shared_scope: 'all' }, ...FOR_OWNER },
  'GET /prompts/{promptId}/versions': FOR_OWNER,
  'GET /prompts/{promptId}/versions/{version}': FOR_OWNER,
  'POST /prompts/{promptId}/restore': { body: { version: 1 }, ...FOR_OWNER },
  'DELETE /prompts/{promptId}': { private: '204 404 404 404 404 404', partial: '204 403 403 403 204 404', all: '204 403 403 403 204 403' },
};
const OTHERS = ['GET /prompts', 'POST /prompts'];

export const PROMPT_ROUTES = [...Object.keys(TABLE), ...OTHERS];

/** The specs of who may see and change a prompt. `callers`: the IDs of the users. */
export function describeVisibilityOfPrompts(
  bots: BotsUnderTest,
  callers: Readonly<Record<Caller, { readonly userId: string }>>,
  as: (caller: Caller) => Headers,
): void {
  const names = Object.keys(callers) as Caller[];
  let created = 0;
  const create = async (scope: Scope): Promise<{ id: string; command: string }> => {
    const command = `visible-${++created}`;
    const { id } = (await bots.ask('POST', '/prompts', as('owner'), { title: 'Seen', command, text: 'Hello.' })).body;
    const [editor, viewer] = [callers.editor.userId, callers.viewer.userId];
    const lists = { target_allowed_user_ids: [editor, viewer], target_allowed_group_ids: ['team'], target_editor_user_ids: [editor] };
    const sharing = { target_shared_scope: scope, ...(scope !== 'private' && lists) };
    expect((await bots.ask('PATCH', `/prompts/${id}/visibility`, as('owner'), sharing)).status).toBe(200);
    return { id, command };
  };
  const send = (route: string, id: string, caller: Caller): Promise<Answer> => {
    const [method, path] = route.split(' ') as [string, string];
    return bots.ask(method, path.replace('{promptId}', id).replace('{version}', '1'), as(caller), TABLE[route]?.body);
  };
  const rows = Object.entries(TABLE).flatMap(([route, row]) =>
    (['private', 'partial', 'all'] as const).map((scope) => [route, scope, row[scope]] as const),
  );

  describe('every route of the prompt library', () => {
    it.each(rows)('%s for a prompt with scope %s returns to the callers, in order: %s', async (route, scope, expected) => {
      const statuses: number[] = [];
      // Each caller gets a new prompt, because the request may change or delete it.
      for (const caller of names) {
        const { id } = await create(scope);
        statuses.push((await send(route, id, caller)).status);
        await bots.ask('DELETE', `/prompts/${id}`, as('owner'));
      }
      expect(statuses.join(' ')).toBe(expected);
    });
  });

  describe('a prompt that the caller may not see', () => {
    const hidden = [
      ...names.filter((name) => name !== 'owner').map((name) => ['private', name] as const),
      ['partial', 'stranger'] as const,
    ];
    it.each(hidden)('gets the same responses as one that never existed, and is not listed: %s, %s', async (scope, caller) => {
      const { id, command } = await create(scope);
      for (const route of Object.keys(TABLE)) {
        const [answer, absent] = [await send(route, id, caller), await send(route, newId(), caller)];
        expect([route, answer.status, answer.body.code, answer.body.detail]).toEqual([route, 404, absent.body.code, absent.body.detail]);
      }
      for (const query of ['limit=1000', 'kind=shared&limit=1000', 'query=seen&limit=1000', `command=${command}`]) {
        const { prompts } = (await bots.get(`/prompts?${query}`, as(caller))).body;
        expect(prompts.map((prompt: { id: string }) => prompt.id)).not.toContain(id);
      }
    });
    it('is listed to the users who may see it', async () => {
      const [partial, all] = [await create('partial'), await create('all')];
      for (const caller of names)
        for (const { id, command } of [partial, all])
          for (const query of ['limit=1000', 'query=seen&limit=1000', `command=${command}`]) {
            const { prompts } = (await bots.get(`/prompts?${query}`, as(caller))).body;
            const isListed = prompts.some((prompt: { id: string }) => prompt.id === id);
            expect([caller, query, isListed]).toEqual([caller, query, id === all.id || caller !== 'stranger']);
          }
    });
  });
}
