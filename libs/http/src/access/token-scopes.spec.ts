import { describe, expect, it } from '@jest/globals';
import { tokenScopeOf } from './token-scopes.ts';

describe('the scope that an operation needs of a personal access token', () => {
  it.each<[string, string, string | null]>([
    ['get', '/admin/users', 'admin:read'],
    ['delete', '/admin/users/{userId}', 'admin:write'],
    ['get', '/bot/{botId}', 'bots:read'],
    ['patch', '/bot/{botId}', 'bots:write'],
    ['post', '/bot/{botId}/knowledge/search', 'bots:read'],
    ['get', '/bot/{botId}/publication', 'publish'],
    ['post', '/conversation', 'chat'],
    ['post', '/conversation/{conversationId}/{messageId}/tool-calls/{callId}', 'approve'],
    ['get', '/admin/exports', 'admin:read'],
    ['get', '/admin/exports/{hour}', 'exports:read'],
    ['post', '/admin/exports/query', 'exports:read'],
    ['get', '/user/me', 'chat'],
    ['get', '/user/me/tokens', null],
    ['post', '/admin/service-accounts/{id}/tokens', null],
    ['delete', '/admin/tokens/{tokenId}', null],
    ['delete', '/admin/users/{userId}/sessions', null],
    ['post', '/admin/users/{userId}/password-reset', null],
    ['get', '/auth/sessions', null],
    ['get', '/a/new/route', null],
  ])('%s %s: %s', (method, path, scope) => expect(tokenScopeOf(method, path)).toBe(scope));
});
