import { describe, expect, it } from '@jest/globals';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { loadConfig } from './load-config.ts';
import { cwd, load, complaint, objectStore } from '../../test/load.ts';

describe('the source of a value', () => {
  it('is the default if nothing is configured', () => {
    expect(load(null)).toMatchObject({
      port: 8080,
      tokenValidMinutes: 30,
      autoJoinUserGroups: ['CreatingBotAllowed'],
      selfSignUpEnabled: true,
    });
  });

  it('is the environment, then the file, then the default', () => {
    const config = load({ port: 1, tokenValidMinutes: 5 }, { PORT: '2' });
    expect([config.port, config.tokenValidMinutes, config.host]).toEqual([2, 5, '127.0.0.1']);
  });

  it('is parlance.config.json in the working directory if no other file is named', () => {
    const other = join(cwd, 'other');
    mkdirSync(other);
    writeFileSync(join(other, 'parlance.config.json'), '\uFEFF{ "port": 99 }');
    expect(loadConfig({ argv: [], env: {}, cwd: other }).port).toBe(99);
  });

  it('may be a file named by --config=FILE, but not after --', () => {
    writeFileSync(join(cwd, 'named.json'), '{ "port": 98 }');
    expect(loadConfig({ argv: ['--config=named.json'], env: {}, cwd }).port).toBe(98);
    expect(loadConfig({ argv: ['--', '--config=absent.json'], env: {}, cwd }).port).toBe(8080);
  });

  it('resolves a relative path from the source that sets it', () => {
    mkdirSync(join(cwd, 'etc'), { recursive: true });
    writeFileSync(join(cwd, 'etc', 'c.json'), '{ "dataDir": "state" }');
    const loadNamed = (env: Record<string, string>) => loadConfig({ argv: ['--config', 'etc/c.json'], env, cwd });
    expect(loadNamed({}).dataDir).toBe(join(cwd, 'etc', 'state'));
    expect(loadNamed({ PARLANCE_DATA_DIR: 'state' }).dataDir).toBe(join(cwd, 'state'));
    expect(loadNamed({}).masterKeyFile).toBe(join(cwd, 'etc', 'state', 'master.key'));
  });
});

describe('a variable that names a file', () => {
  const inFile = (content: string) => {
    const path = join(cwd, 'secret');
    writeFileSync(path, content);
    return path;
  };

  it('supplies the content of the file, without the line break at its end', () => {
    expect(load(null, { MONGO_URI_FILE: inFile('mongodb://db/parlance\n') }).mongoUri).toBe('mongodb://db/parlance');
    expect(load(null, { OBJECT_STORE_FILE: inFile(JSON.stringify(objectStore)) }).objectStore).toMatchObject(objectStore);
    expect(load({ port: 1 }, { PORT_FILE: inFile('2\r\n') }).port).toBe(2);
  });

  it('is refused if the variable itself is also set, the file does not exist, or the key does not exist', () => {
    expect(complaint(null, { PORT: '1', PORT_FILE: inFile('2') })).toBe(
      'PARLANCE_PORT and PARLANCE_PORT_FILE are both set: keep one of them',
    );
    expect(complaint(null, { ADMIN_PASSWORD_FILE: join(cwd, 'absent') })).toMatch(
      /^PARLANCE_ADMIN_PASSWORD_FILE can't be read \(ENOENT\): /,
    );
    expect(complaint(null, { NOTHING_FILE: inFile('1') })).toContain('nothingFile');
  });

  it('never reveals the content of the file in an error', () => {
    expect(complaint(null, { OBJECT_STORE_FILE: inFile('not-a-secret') })).not.toContain('not-a-secret');
  });

  it('does not affect keys whose names end in File', () => {
    expect(load(null, { MASTER_KEY_FILE: '/keys/master' }).masterKeyFile).toBe('/keys/master');
  });
});

describe('an environment variable', () => {
  it('has comma-separated lists, flags as words, numbers in digits, and objects as JSON', () => {
    const config = load(null, {
      KAFKA_BROKERS: 'a:9092, [::1]:9093',
      ALLOWED_IP_V4_ADDRESS_RANGES: '10.0.0.0/8,192.0.2.0/24',
      SELF_SIGN_UP_ENABLED: 'false',
      TOKEN_VALID_MINUTES: '15',
      MONGO_URI: 'mongodb://db/parlance',
      PUBLIC_BASE_URL: 'https://chat.example.org/',
      OBJECT_STORE: JSON.stringify(objectStore),
      SERVICES: '{"bots":"http://bots:8080","identity":["http://a:1","http://b:1"],"inference":"http://c:1, http://d:1"}',
      CONSOLE_ORIGINS: 'https://console.example.org, http://localhost:5173',
    });
    expect(config).toMatchObject({
      kafkaBrokers: ['a:9092', '[::1]:9093'],
      allowedIpV4AddressRanges: ['10.0.0.0/8', '192.0.2.0/24'],
      selfSignUpEnabled: false,
      tokenValidMinutes: 15,
      mongoUri: 'mongodb://db/parlance',
      publicBaseUrl: 'https://chat.example.org',
      objectStore: { ...objectStore, endpoint: null, publicEndpoint: null, forcePathStyle: false },
      services: { bots: 'http://bots:8080', identity: ['http://a:1', 'http://b:1'], inference: 'http://c:1, http://d:1' },
      consoleOrigins: ['https://console.example.org', 'http://localhost:5173'],
    });
  });

  it('that is empty stands for an empty list, and unsets an optional value', () => {
    const config = load(
      { autoJoinUserGroups: ['x'], adminEmail: 'ada@example.org' },
      { AUTO_JOIN_USER_GROUPS: '', ADMIN_EMAIL: '', PUBLIC_BASE_URL: '' },
    );
    expect([config.autoJoinUserGroups, config.adminEmail, config.publicBaseUrl]).toEqual([[], null, 'http://127.0.0.1:8080']);
  });

  it.each(['', ' 80', '080', '0x50', '8e1', '80.0', '+80', '-1', '65536', '99999999999999999999'])('is not a port as %p', (text) => {
    expect(complaint(null, { PORT: text })).toBe(
      `port = ${JSON.stringify(/^\d{1,15}$/.test(text) && text[0] !== '0' ? Number(text) : text)} (PARLANCE_PORT) is not allowed: it has to be a whole number from 0 to 65535`,
    );
  });

  it('can have any whole number', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 65_535 }), (port) => load(null, { PORT: String(port) }).port === port),
      { numRuns: 30 },
    );
  });
});

describe('a file', () => {
  it.each([
    ['{ "adminPassword": hunter2 }', /^\d+\.json is not valid JSON( \(line \d+ column \d+\))?$/],
    ['[]', /^\d+\.json has to hold a JSON object$/],
    ['"x"', /^\d+\.json has to hold a JSON object$/],
    ['', /^\d+\.json is not valid JSON/],
  ])('that holds %j is refused in one line', (content, line) => expect(complaint(content)).toMatch(line));

  it('must exist if it is named', () => {
    expect(() => loadConfig({ argv: ['--config', 'absent.json'], env: {}, cwd })).toThrow("absent.json can't be read (ENOENT)");
    expect(() => loadConfig({ argv: ['--config', 'a\nb\u009b'], env: {}, cwd })).toThrow("a\\u000ab\\u009b can't be read");
    expect(() => loadConfig({ argv: ['--config'], env: {}, cwd })).toThrow('--config needs the path');
  });

  it('may contain the models, if the configuration names it', () => {
    writeFileSync(join(cwd, 'models.json'), JSON.stringify({ providers: { here: { type: 'local' } }, models: [] }));
    expect(load(null, { MODELS: 'models.json' }).models).toMatchObject({
      extends: null,
      providers: { here: { type: 'local', api_key: null } },
    });
    expect(load({ models: 'models.json' }).models?.providers).toHaveProperty('here');
    expect(complaint(null, { MODELS: 'nowhere.json' })).toBe(
      "nowhere.json, named by models (PARLANCE_MODELS), can't be read (ENOENT): a readable JSON file is needed there",
    );
  });
});
