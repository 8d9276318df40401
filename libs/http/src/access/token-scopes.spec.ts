import { describe, expect, it } from '@jest/globals';
import { isForAdministrators, TOKEN_SCOPES, tokenScopeOf } from './token-scopes.ts';

describe('the scopes of administrators', () => {
  it('cover reads and changes of the installation, and exports', () =>
    expect(TOKEN_SCOPES.filter(isForAdministrators)).toEqual(['admin:read', 'admin:write', 'exports:read']));
  it('suffice for all operations below /admin/', () => {
    const paths = ['/admin/users', '/admin/exports', '/admin/exports/{hour}', '/admin/exports/query', '/admin/a/new/route'];
    const scopes = paths.flatMap((path) => [tokenScopeOf('get', path)!, tokenScopeOf('post', path)!]);
    expect(scopes.filter((scope) => !isForAdministrators(scope))).toEqual([]);
  });
});

describe('the scope that a personal access token needs for an operation', () => {
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
    ['post', '/v1/chat/completions', 'models'],
    ['get', '/v1/models', 'models'],
    ['get', '/user/me/calls', 'models'],
    ['get', '/user/me/calls/summary', 'models'],
    ['get', '/user/me/models', 'models'],
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
