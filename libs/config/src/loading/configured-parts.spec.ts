import { describe, expect, it } from '@jest/globals';
import { describeConfig, effectiveConfig } from '../describe-config.ts';
import { baseUrl } from './load-config.ts';
import { files, load, complaint, objectStore } from '../../test/load.ts';

describe('the models', () => {
  const price = { from: '2026-01-01T00:00:00Z', input: 3, output: 15 };
  const model = { id: 'm', provider: 'p', model: 'm-1', context_window: 1000, prices: [price] };
  const catalogue = { providers: { p: { type: 'openai', api_key: 'canary-5e1f' } }, models: [model], defaults: { chat: 'm' } };
  const wrong = (part: object) => complaint({ models: { ...catalogue, ...part } });

  it('can replace the built-in catalogue', () => expect(load({ models: catalogue }).models).toMatchObject(catalogue));
  it('can extend the built-in catalogue and refer to it', () => {
    const own = { ...model, provider: 'anthropic', fallbacks: ['claude-haiku-4-5'] };
    const models = { extends: 'builtin', models: [own], defaults: { title: 'local-extractive' } };
    expect(load({ models }).models?.extends).toBe('builtin');
  });
  it.each([
    [{ models: [{ ...model, provider: 'antropic' }] }, 'models.models.0.provider = "antropic" '],
    [{ models: [{ ...model, provider: 'openai', fallbacks: ['gpt'] }] }, 'models.models.0.fallbacks = "gpt" '],
    [{ defaults: { chat: 'gpt' } }, 'models.defaults.chat = "gpt" '],
    [{ providers: { openai: { type: 'openai', max_concurrent_calls: 0 } } }, 'models.providers.openai.max_concurrent_calls = 0 '],
  ])('refer to nothing else: %j', (part, line) => expect(complaint({ models: { extends: 'builtin', ...part } })).toContain(line));

  it.each([
    [{ models: [{ ...model, provider: 'q' }] }, 'models.models.0.provider = "q" (*) is not allowed: it has to be one of the providers: p'],
    [{ models: [model, model] }, 'models.models = "m" (*) is not allowed: it has to be a list with each id once'],
    [
      { models: [{ ...model, fallbacks: ['n'] }] },
      'models.models.0.fallbacks = "n" (*) is not allowed: it has to be ids of the catalogue: m',
    ],
    [{ defaults: { embedding: 'e' } }, 'models.defaults.embedding = "e" (*) is not allowed: it has to be an id of the catalogue: m'],
    [
      { models: [{ ...model, prices: [{ ...price, from: '2026-01-01' }] }] },
      'models.models.0.prices.0.from = "2026-01-01" (*) is not allowed: it has to be a time in RFC 3339, such as 2026-01-31T00:00:00Z',
    ],
    [
      { models: [{ ...model, prices: [{ ...price, input: -1 }] }] },
      'models.models.0.prices.0.input = -1 (*) is not allowed: it has to be a number of dollars, 0 or more',
    ],
  ])('%j are refused', (part, line) => expect(wrong(part)).toBe(line.replace('*', `${files}.json`)));

  it('may be called by routes', () => {
    const routes = [{ id: 'r', targets: [{ model: 'm' }] }];
    const defaults = { strategy: 'weighted', fallbacks: [], retries: 2, timeout_seconds: null };
    expect(load({ models: { ...catalogue, routes } }).models?.routes).toMatchObject([
      { id: 'r', ...defaults, targets: [{ model: 'm', weight: 1 }] },
    ]);
  });
  const target = { model: 'm' };
  it.each([
    [{ id: 'm', targets: [target] }, 'id = "m" (*) is not allowed: it has to be a name that no model and no other route has'],
    [{ id: 'a b', targets: [target] }, 'id = "a b" (*) is not allowed: it has to be a name of letters, digits and . _ : / @ -'],
    [{ id: 'r' }, 'targets = 0 (*) is not allowed: it has to be a list of 1 to 20 targets'],
    [
      { id: 'r', targets: [{ model: 'n' }] },
      'targets.0.model = "n" (*) is not allowed: it has to be one of the models of the catalogue: m',
    ],
    [
      { id: 'r', targets: [target, target] },
      'targets.1.model = "m" (*) is not allowed: it has to be a model that the route does not name yet',
    ],
    [
      { id: 'r', targets: [target], fallbacks: ['m'] },
      'fallbacks = "m" (*) is not allowed: it has to be a model that the route does not name yet',
    ],
    [
      { id: 'r', targets: [{ ...target, weight: 0 }] },
      'targets.0.weight = 0 (*) is not allowed: it has to be a whole number from 1 to 1000',
    ],
    [
      { id: 'r', targets: [target], strategy: 'random' },
      'strategy = "random" (*) is not allowed: it has to be one of weighted, fastest, least_busy, cheapest',
    ],
    [{ id: 'r', targets: [target], retries: 11 }, 'retries = 11 (*) is not allowed: it has to be a whole number from 0 to 10'],
  ])('are not called by the route %j', (route, line) =>
    expect(wrong({ routes: [route] })).toBe(`models.routes.0.${line.replace('*', `${files}.json`)}`),
  );
});

describe('the providers of OpenID Connect', () => {
  const acme = { issuer: 'https://id.example.org/tenant', client_id: 'parlance' };
  const wrong = (part: object) => complaint({ oidcProviders: { acme: { ...acme, ...part } } });

  it('need only their required keys', () => {
    expect(load(null, { OIDC_PROVIDERS: JSON.stringify({ acme }) }).oidcProviders).toEqual({
      acme: {
        ...acme,
        client_secret: null,
        scopes: ['openid', 'email', 'profile'],
        groups_claim: 'groups',
        group_mapping: {},
        name: null,
        email_domains: [],
        accepted_acr: [],
        accepted_amr: [],
        create_users: true,
      },
    });
  });
  it.each(['http://localhost:9000', 'http://127.0.0.1:1', 'http://[::1]:1'])('may be reached over HTTP on this machine (%s)', (issuer) =>
    expect(load({ oidcProviders: { acme: { ...acme, issuer } } }).oidcProviders['acme']?.issuer).toBe(issuer),
  );
  it.each(['http://id.example.org', 'http://localhost.example.org', 'https://id.example.org/?x', 'https://a:b@id.example.org', 'id'])(
    'may not have the issuer %s',
    (issuer) =>
      expect(wrong({ issuer })).toMatch(/^oidcProviders.acme.issuer = .* it has to be an https address \(http only on this machine\)/),
  );
  it.each(['', 'Acme', 'a/b', 'a.b', 'a'.repeat(31)])('may not be named %j', (name) =>
    expect(complaint({ oidcProviders: { [name]: acme } })).toMatch(/^oidcProviders = … .* a map from names \(1 to 30 lower-case letters/),
  );
  it.each([
    [{ client_id: undefined }, 'client_id is missing'],
    [{ scopes: ['a b'] }, 'scopes = ["a b"]'],
    [{ groups_claim: '' }, 'groups_claim = ""'],
    [{ group_mapping: { staff: ['Admin'] } }, 'group_mapping = {"staff":["Admin"]}'],
    [{ group_mapping: { staff: 'a,b' } }, 'group_mapping = {"staff":"a,b"}'],
    [{ create_users: 'no' }, 'create_users = "no"'],
    [{ name: '' }, 'name = ""'],
    [{ email_domains: ['example.org', '@example.org'] }, 'email_domains = '],
    [{ email_domains: 'example.org' }, 'email_domains = '],
    [{ accepted_acr: ['two words'] }, 'accepted_acr = '],
    [{ accepted_amr: 'mfa' }, 'accepted_amr = '],
    [{ allow_insecure: true }, 'allow_insecure = true'],
  ])('%j is refused', (part, line) => expect(wrong(part)).toContain(`oidcProviders.acme.${line}`));
});

describe('a secret', () => {
  const secrets: Record<string, string> = {
    ADMIN_PASSWORD: 'canary-5e1f',
    MONGO_URI: 'mongodb://parlance:canary-5e1f@db/parlance',
    OBJECT_STORE: JSON.stringify(objectStore),
    MODELS: '{"providers":{"p":{"type":"openai","api_key":"canary-5e1f"}}}',
    OIDC_PROVIDERS: '{"acme":{"issuer":"https://id.example.org","client_id":"parlance","client_secret":"canary-5e1f"}}',
    MASTER_KEY: Buffer.from('canary-5e1f'.padEnd(32)).toString('base64'),
  };

  const catalogueOfOne = {
    providers: { p: { type: 'openai', api_key: 'canary-5e1f' } },
    models: [{ id: 'm', provider: 'p', model: 'm-1', capabilities: ['vision'] }],
  };

  it('is masked when printed', () => {
    const printed = JSON.stringify(effectiveConfig(load(null, secrets)));
    expect(printed).not.toMatch(/canary-5e1f/);
    expect(printed).not.toContain(secrets['MASTER_KEY']);
    expect(JSON.parse(printed)).toMatchObject({
      adminPassword: '***',
      mongoUri: '***',
      masterKey: '***',
      objectStore: { bucket: 'parlance', secretAccessKey: '***' },
    });
  });

  it('does not affect printed lists', () =>
    expect(effectiveConfig(load({ trustedProxies: ['10.0.0.0/8'], models: catalogueOfOne }))).toMatchObject({
      trustedProxies: ['10.0.0.0/8'],
      models: { models: [{ id: 'm', capabilities: ['vision'] }], providers: { p: { api_key: '***' } } },
    }));

  it('that is not set is printed as null', () => expect(effectiveConfig(load(null))).toMatchObject({ adminPassword: null, port: 8080 }));

  it.each([
    [{ adminPasswrod: 'canary-5e1f' }],
    [{ adminPassword: ['canary-5e1f'] }],
    [{ pwd: 'canary-5e1f' }],
    [{ mongoUri: 'canary-5e1f://' }],
    [{ masterKey: 'canary-5e1f' }],
    [{ otlpEndpoint: 'http://user:canary-5e1f@collector' }],
    [{ services: { bots: 'http://user:canary-5e1f@bots' } }],
    [{ services: { bots: ['http://a:1', 'http://user:canary-5e1f@bots'] } }],
    [{ objectStore: { ...objectStore, secretAccessKey: 'canary-5e1f with spaces' } }],
    [{ objectStore: { ...objectStore, secretAcessKey: 'canary-5e1f' } }],
    [{ objectStore: ['canary-5e1f'] }],
    [{ objectstore: objectStore }],
    [{ models: { providers: { p: { type: 'openai', apiKey: 'canary-5e1f' } } } }],
    [{ oidcProviders: { acme: { client_secret: 'canary-5e1f\u0000' } } }],
    [{ oidcProviders: { acme: { clientSecret: 'canary-5e1f' } } }],
    [{ oidcProviders: { issuer: 'https://id.example.org', client_secret: 'canary-5e1f' } }],
    ['{ "adminPassword": "canary-5e1f" oops }'],
    ['canary-5e1f'],
  ])('%j shows in no error', (file) => expect(complaint(file)).not.toContain('canary-5e1f'));

  it('does not appear in the error about a variable that is not JSON', () => {
    expect(complaint(null, { MODELS: '[{"api_key":"canary-5e1f"}]' })).not.toContain('canary');
    for (const name of ['OBJECT_STORE', 'MODELS'])
      expect(complaint(null, { [name]: '{"secretAccessKey":"canary-5e1f"' })).not.toContain('canary');
  });
});

describe('the configuration', () => {
  it('is deeply frozen', () => {
    const config = load({ objectStore, models: { providers: { p: { type: 'local' } } } });
    for (const part of [
      config,
      config.objectStore,
      config.kafkaBrokers,
      config.models?.providers,
      config.models?.providers['p'],
      config.services,
    ])
      expect(Object.isFrozen(part)).toBe(true);
  });

  it('derives the public address from the address that the edge listens on', () => {
    expect(load({ port: 81 }).publicBaseUrl).toBe('http://127.0.0.1:81');
    expect([baseUrl('::', 80), baseUrl('0.0.0.0', 80), baseUrl('::1', 80)]).toEqual([
      'http://localhost:80',
      'http://localhost:80',
      'http://[::1]:80',
    ]);
  });

  it('describes every key: its variable, its default and its allowed values', () => {
    const table = describeConfig();
    expect(table.length).toBeGreaterThan(35);
    for (const { key, doc, allowed } of table)
      expect([key, doc, allowed]).toEqual([key, expect.stringMatching(/\.$/), expect.stringMatching(/.{3}/)]);
    expect(table.find(({ key }) => key === 'tokenValidMinutes')).toMatchObject({
      env: 'PARLANCE_TOKEN_VALID_MINUTES',
      default: '30',
      secret: false,
    });
    expect(table.filter(({ secret }) => secret).map(({ key }) => key)).toEqual(['adminPassword', 'mongoUri', 'masterKey', 'smtpUrl']);
  });

  it('has the keys of the interface', () => {
    const named =
      'host port publicBaseUrl dataDir adminEmail adminPassword mongoUri kafkaBrokers objectStore autoJoinUserGroups selfSignUpEnabled tokenValidMinutes globalAvailableModels allowedIpV4AddressRanges allowedIpV6AddressRanges publishedApiAllowedIpV4AddressRanges publishedApiAllowedIpV6AddressRanges enableRagReplicas botStoreLanguage trustedProxies fetchAllowedPrivateRanges models publishedDomain environment stackPrefix wireCase logLevel masterKeyFile limitsBlock';
    expect(describeConfig().map(({ key }) => key)).toEqual(expect.arrayContaining(named.split(' ')));
  });
});
