import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { identityUnderTest } from './people.ts';

const HOUR_MILLIS = 3_600_000;

describe('the tokens that may call a model', () => {
  let identity: Awaited<ReturnType<typeof identityUnderTest>>;
  const ids: Record<string, string> = {};
  const make = async (name: string, body: object) => {
    const sent = { description: name, scopes: ['models'], ...body };
    ids[name] = (await identity.ask('post', '/user/me/tokens', identity.admin, sent)).body.token_id;
  };
  const ask = (query: string) => identity.ask('get', `/admin/tokens?${query}`, identity.admin);
  const namesOf = (tokens: readonly { readonly description: string }[]) => tokens.map(({ description }) => description);
  const calling = async (models: string) => namesOf((await ask(`models=${models}`)).body.tokens);

  beforeAll(async () => {
    identity = await identityUnderTest();
    await make('all', {});
    await make('some', { models: ['gpt-5*', 'fast'] });
    await make('other', { models: ['claude-opus'], expires_at: Math.floor(Date.now() / 1_000) + 3_600 });
    await make('chat', { scopes: ['chat'] });
  });
  afterAll(() => identity.stop());

  it('are listed by their terms: a name, its beginning, or all', async () => {
    expect(await calling('gpt-5-mini')).toEqual(['all', 'some']);
    expect(await calling('claude-opus')).toEqual(['all', 'other']);
    expect(await calling('unknown')).toEqual(['all']);
  });
  it('are listed for any of several names, such as a model and its routes', async () => {
    expect(await calling('gpt-4,fast')).toEqual(['all', 'some']);
  });
  it('are in pages of the same models', async () => {
    const first = (await ask('models=claude-opus&limit=1')).body;
    const second = (await ask(`models=claude-opus&limit=1&next_token=${first.next_token}`)).body;
    expect([namesOf(first.tokens), namesOf(second.tokens), second.next_token]).toEqual([['all'], ['other'], null]);
    expect((await ask(`models=fast&next_token=${first.next_token}`)).body.code).toBe('invalid_next_token');
    expect((await ask(`next_token=${first.next_token}`)).body.code).toBe('invalid_next_token');
  });
  it.each(['models=', 'models=a,,b', `models=${Array.from({ length: 51 }, () => 'a').join(',')}`])('are refused for %s', async (query) =>
    expect((await ask(query)).status).toBe(400),
  );
  it('are without those of a disabled account, until it is enabled', async () => {
    const { id } = (await identity.asAdmin('post', '/admin/service-accounts', { name: 'Nightly', group: 'Admin' })).body;
    const path = `/admin/service-accounts/${id}`;
    await identity.asAdmin('post', `${path}/tokens`, { description: 'nightly', scopes: ['models'], models: ['slow'] });
    expect(await calling('slow')).toEqual(['all', 'nightly']);
    await identity.asAdmin('patch', path, { enabled: false });
    expect(await calling('slow')).toEqual(['all']);
    await identity.asAdmin('patch', path, { enabled: true });
    expect(await calling('slow')).toEqual(['all', 'nightly']);
  });
  it('are without expired ones', async () => {
    identity.later(2 * HOUR_MILLIS);
    expect(await calling('claude-opus')).toEqual(['all']);
  });
});
