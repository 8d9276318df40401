import { describe, expect, it } from '@jest/globals';
import type { Story } from './people-story.ts';

/** Invalid input, and how the product refuses it. */
export function badInputStory(story: () => Story): void {
  describe('bad input', () => {
    it.each([
      ['no token', 'GET', '/bot/01ARZ3NDEKTSV4RRFFQ69G5FAV', undefined, { authorization: '' }, 401, 'invalid_token'],
      ['a forged token', 'GET', '/user/me', undefined, { authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.x' }, 401, 'invalid_token'],
      ['an unknown path', 'GET', '/nowhere', undefined, {}, 404, 'no_such_route'],
      ['another method', 'PUT', '/bot', {}, {}, 405, 'method_not_allowed'],
      ['an internal path', 'GET', '/internal/subject-keys/user:x', undefined, {}, 404, 'no_such_route'],
      ['a body that is not JSON', 'POST', '/bot', '{"title":', {}, 400, 'malformed_body'],
      ['another content type', 'POST', '/bot', 'title', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
      ['an unknown field', 'POST', '/bot', { title: 'x', flavour: 'sweet' }, {}, 400, 'invalid_body'],
      ['a malformed id', 'GET', '/bot/not-a-ulid', undefined, {}, 400, 'invalid_id'],
      ['a limit above the maximum', 'GET', '/admin/audit-logs?limit=1001', undefined, {}, 400, 'invalid_query'],
      ['an unknown parameter', 'GET', '/admin/audit-logs?colour=red', undefined, {}, 400, 'invalid_query'],
      ['a changed page token', 'GET', '/admin/audit-logs?next_token=AAAA', undefined, {}, 400, 'invalid_next_token'],
    ] as const)('%s is refused with its own problem', async (_, method, path, body, headers, status, code) => {
      const answer = await story().ask(method, path, body, headers);
      expect([answer.status, answer.body.code]).toEqual([status, code]);
      expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
      expect(answer.body.request_id).toBe(answer.headers.get('x-request-id'));
    });
    it('names an unknown field', async () => {
      const { body } = await story().ask('POST', '/bot', { title: 'x', flavour: 'sweet' });
      expect(body.errors).toEqual([expect.objectContaining({ path: 'flavour' })]);
    });
    it('needs a sign-in for all routes except open ones', async () => {
      const open = await fetch(`${story().product.urls[0]}/.well-known/jwks.json`);
      const closed = await fetch(`${story().product.urls[0]}/user/me`);
      expect([open.status, closed.status]).toEqual([200, 401]);
    });
    it('does not trust a caller statement from a client', async () => {
      const forged = await fetch(`${story().product.urls[0]}/user/me`, { headers: { 'x-parlance-caller': 'e30.e30' } });
      expect(forged.status).toBe(401);
    });
  });
}

/** The documents in which the product describes itself. */
export function documentsStory(story: () => Story): void {
  describe('documents', () => {
    it('describe every endpoint, and no internal one', async () => {
      const { body } = await story().ask('GET', '/openapi.json');
      expect(body.openapi).toMatch(/^3\.1/);
      expect(Object.keys(body.paths)).toEqual(
        expect.arrayContaining([
          '/auth/sign-in',
          '/openapi.json',
          '/bot',
          '/bot/{botId}',
          '/conversation',
          '/admin/costs/summary',
          '/admin/audit-logs',
        ]),
      );
      expect(Object.keys(body.paths).filter((path) => path.startsWith('/internal'))).toEqual([]);
    });
    it('describe the events', async () => {
      const { body } = await story().ask('GET', '/asyncapi.json');
      expect(body.asyncapi).toBe('3.0.0');
    });
  });
}
