import { describe, expect, it } from '@jest/globals';
import { pathWithin, ReadablePaths } from './readable-paths.ts';

describe('where the effect of a command can be looked up', () => {
  const readable = new ReadablePaths([
    '/conversations',
    '/conversation/:conversationId/:messageId',
    '/conversation/:id',
    '/bot/:bot_id',
    '/user/me',
    '/user/me/calls',
    '/v1/files/:fileId',
  ]);

  it.each([
    ['/bot/:botId', '/bot/b1', '/bot/b1'],
    ['/bot/:botId/visibility', '/bot/b1/visibility', '/bot/b1'],
    // Not the route of a message whose ID is "title".
    ['/conversation/:conversationId/title', '/conversation/c1/title?x=1', '/conversation/c1'],
    ['/conversation/:c/:m/feedback', '/conversation/c1/m1/feedback', '/conversation/c1/m1'],
    ['/conversation', '/conversation', '/conversations'],
    ['/user/me/step-up', '/user/me/step-up', '/user/me'],
    ['/v1/chat/completions', '/v1/chat/completions', '/user/me/calls'],
    ['/v1/files/:id', '/v1/files/f1', '/v1/files/f1'],
  ])('%s', (pattern, url, expected) => {
    expect(pathWithin(url, String(readable.nearest(pattern)))).toBe(expected);
  });

  it('is nowhere if no path above the command can be read', () => {
    expect([readable.nearest('/auth/sign-out'), readable.nearest('/bot'), readable.nearest('')]).toEqual([null, null, null]);
  });
});
