import { expect, it } from '@jest/globals';
import { toolCallbackOf } from './tool-callback.ts';

it('reads the code, and the server from the state', () => {
  expect(toolCallbackOf('state=tickets.abc.def&code=c%2F1&iss=https%3A%2F%2Fid.example.org')).toEqual({
    kind: 'granted',
    server: 'tickets',
    state: 'tickets.abc.def',
    code: 'c/1',
    iss: 'https://id.example.org',
  });
});
it('treats an error as a refusal', () => expect(toolCallbackOf('state=tickets.a&error=access_denied')).toEqual({ kind: 'refused' }));
it.each(['', 'state=tickets.a', 'code=c', 'state=.a&code=c'])('reports an incomplete fragment: %j', (fragment) => {
  expect(toolCallbackOf(fragment)).toEqual({ kind: 'incomplete' });
});
