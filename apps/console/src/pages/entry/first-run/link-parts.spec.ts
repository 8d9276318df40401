import { expect, it } from '@jest/globals';
import { welcomeLinkOf } from './link-parts.ts';

it('reads the e-mail and the password of the printed link', () => {
  expect(welcomeLinkOf('admin%40parlance.local/a%2Fb%20c')).toEqual({ email: 'admin@parlance.local', password: 'a/b c' });
});
it('takes parts that are not encoded as they are', () => {
  expect(welcomeLinkOf('admin@parlance.local/100%')).toEqual({ email: 'admin@parlance.local', password: '100%' });
});
it.each(['', 'admin@parlance.local', '/password', 'admin@parlance.local/'])('refuses an incomplete link: %j', (fragment) => {
  expect(welcomeLinkOf(fragment)).toBeNull();
});
