import { bodyOf, NEW_TOKEN, scopesFor } from './token-form.ts';

describe('a new access token', () => {
  it('names its permissions in the order of the form, and leaves out what was not entered', () =>
    expect(bodyOf({ ...NEW_TOKEN, description: ' Report ', scopes: ['publish', 'chat', 'unknown'] })).toEqual({
      description: 'Report',
      scopes: ['chat', 'publish'],
    }));

  it('has each non-empty line of ranges, and the second in which it expires', () => {
    const body = bodyOf({ ...NEW_TOKEN, ranges: ' 192.0.2.0/24 \n\n2001:db8::/32', expires: '2030-05-06T07:08' });
    expect(body.allowed_ip_ranges).toEqual(['192.0.2.0/24', '2001:db8::/32']);
    expect(body.expires_at).toBe(Math.floor(new Date(2030, 4, 6, 7, 8).getTime() / 1_000));
  });

  it('offers administrator permissions only to administrators', () => {
    expect(scopesFor(false)).toEqual(['chat', 'approve', 'bots:read', 'bots:write', 'publish', 'models']);
    expect(scopesFor(true)).toHaveLength(9);
  });
});
