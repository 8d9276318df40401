import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { complaint, files, load, objectStore } from '../../test/load.ts';
import { PROVIDER_TYPES } from '../provider-types.ts';

describe('a wrong value', () => {
  it.each([
    [{ port: '8080' }, 'port = "8080" (*) is not allowed: it has to be a whole number from 0 to 65535'],
    [{ port: null }, 'port = null (*) is not allowed: it has to be a whole number from 0 to 65535'],
    [{ exportDelayMinutes: 0 }, 'exportDelayMinutes = 0 (*) is not allowed: it has to be a whole number from 1 to 1440'],
    [{ exportQuerySeconds: 26 }, 'exportQuerySeconds = 26 (*) is not allowed: it has to be a whole number from 1 to 25'],
    [{ selfSignUpEnabled: 'yes' }, 'selfSignUpEnabled = "yes" (*) is not allowed: it has to be true or false'],
    [{ wireCase: 'kebab' }, 'wireCase = "kebab" (*) is not allowed: it has to be one of snake, camel'],
    [
      { trustedProxies: ['10.0.0.1'] },
      'trustedProxies = ["10.0.0.1"] (*) is not allowed: it has to be a list of address ranges such as 10.0.0.0/8 or 2001:db8::/32',
    ],
    [
      { allowedIpV6AddressRanges: ['10.0.0.0/8'] },
      'allowedIpV6AddressRanges = ["10.0.0.0/8"] (*) is not allowed: it has to be a list of IPv6 ranges such as 2001:db8::/32',
    ],
    [{ adminEmail: 'ada' }, 'adminEmail = "ada" (*) is not allowed: it has to be an e-mail address'],
    [
      { services: { bots: 'ftp://x' } },
      'services = {"bots":"ftp://x"} (*) is not allowed: it has to be a map from names to base addresses (one, a list, or several separated by commas, without duplicates), each an http or https address without credentials, query or fragment',
    ],
    [{ objectStore: { ...objectStore, bucket: 'B' } }, 'objectStore.bucket = "B" (*) is not allowed: it has to be a bucket name'],
    [
      { objectStore: { type: 's3' } },
      'objectStore.region is missing (*): it has to be a region name such as us-east-1 (and 1 more problem)',
    ],
    [{ objectStore: 's3' }, 'objectStore = … (*) is not allowed: it has to be an object'],
    [{ guardrails: {} }, 'guardrails = … (*) is not allowed: it has to be a list of objects'],
    [
      { guardrails: [{ id: 'a', stage: 'input', action: 'mask', detectors: ['mail'] }] },
      'guardrails.0.detectors = ["mail"] (*) is not allowed: it has to be a list of words among email, phone, iban, payment_card, national_id, ip_address, secret, words',
    ],
    [
      { guardrails: [{ id: 'a', apply_to: ['calls'], stage: 'input', action: 'mask', detectors: ['email'] }] },
      'guardrails.0.apply_to = ["calls"] (*) is not allowed: it has to be a list of words among conversations, published, gateway',
    ],
    [
      { guardrails: [{ id: 'a', stage: 'input', action: 'mask', detectors: ['words'] }] },
      'guardrails.0.words is missing (*): it has to be set with the detector words, and only then',
    ],
    [
      { guardrails: [1, 2].map(() => ({ id: 'a', stage: 'input', action: 'mask', detectors: ['email'] })) },
      'guardrails.1.id = "a" (*) is not allowed: it has to be a name that no other policy has',
    ],
    [
      { guardrails: [{ id: 'a', stage: 'input', action: 'mask', detectors: ['phone'], phone_regions: ['XX'] }] },
      'guardrails.0.phone_regions = ["XX"] (*) is not allowed: it has to be a list of country codes such as DE or US',
    ],
    [{ models: { models: {} } }, 'models.models = … (*) is not allowed: it has to be a list of objects'],
    [{ models: { providers: { a: 1 } } }, 'models.providers = … (*) is not allowed: it has to be a map from names to objects'],
    [
      { models: { providers: { a: { type: 'x' } } } },
      `models.providers.a.type = "x" (*) is not allowed: it has to be one of ${Object.keys(PROVIDER_TYPES).join(', ')}`,
    ],
    [
      { port: -1, limitsBlock: 0, shutdownGraceSeconds: 0 },
      'port = -1 (*) is not allowed: it has to be a whole number from 0 to 65535 (and 2 more problems)',
    ],
  ])('%j is reported in one line', (file, line) => expect(complaint(file)).toBe(line.replace('*', `${files}.json`)));

  it.each([
    ['KAFKA_BROKERS', 'a'],
    ['KAFKA_BROKERS', 'a:0'],
    ['KAFKA_BROKERS', 'a:65536'],
    ['KAFKA_BROKERS', 'a:1,,b:1'],
    ['KAFKA_PREFIX', 'acme'],
    ['KAFKA_PREFIX', 'acme/'],
    ['KAFKA_PREFIX', `${'a'.repeat(32)}.`],
    ['KAFKA_MIN_INSYNC_REPLICAS', '0'],
    ['MONGO_URI', 'http://db'],
    ['PUBLIC_BASE_URL', 'chat.example.org'],
    ['PUBLIC_BASE_URL', 'https://chat.example.org/?x'],
    ['OTLP_ENDPOINT', 'http://user:pass@collector'],
    ['OBJECT_STORE', '{'],
    ['OBJECT_STORE', '[]'],
    ['BOT_STORE_LANGUAGE', 'English!'],
    ['PUBLISHED_DOMAIN', 'nodots'],
    ['ENVIRONMENT', 'a-b'],
    ['STACK_PREFIX', ''],
    ['LOG_LEVEL', 'loud'],
    ['MASTER_KEY', 'short'],
    ['MASTER_KEY', 'ab'.repeat(32)],
    ['TOKEN_VALID_MINUTES', '0'],
    ['SESSION_VALID_DAYS', '366'],
    ['SIGNING_KEY_DAYS', '0'],
    ['AUTH_REQUESTS_PER_MINUTE', '100001'],
    ['REQUESTS_PER_MINUTE', '-1'],
    ['REQUESTS_PER_MINUTE', '1000001'],
    ['ANONYMOUS_REQUESTS_PER_MINUTE', '1.5'],
    ['MAX_BUFFERED_MEBIBYTES', '63'],
    ['CONNECTIONS_PER_ADDRESS', '100001'],
    ['CONSOLE_ORIGINS', '*'],
    ['CONSOLE_ORIGINS', 'null'],
    ['CONSOLE_ORIGINS', 'https://console.example.org/'],
    ['CONSOLE_ORIGINS', 'https://Console.example.org'],
    ['CONSOLE_ORIGINS', 'https://console.example.org:443'],
    ['CONSOLE_ORIGINS', 'ftp://console.example.org'],
    ['SERVICES', '{"bots":[]}'],
    ['SERVICES', '{"bots":""}'],
    ['SERVICES', '{"bots":"http://a:1,"}'],
    ['SERVICES', '{"bots":["http://a:1","ftp://b:1"]}'],
    ['SERVICES', '{"bots":["http://a:1",[1]]}'],
    ['SERVICES', '{"bots":["http://a:1","http://a:1"]}'],
    ['SERVICES', '{"bots":1}'],
    ['DATA_DIR', ''],
    ['ENABLE_RAG_REPLICAS', 'TRUE'],
  ])('%s=%s is refused', (name, value) => {
    expect(complaint(null, { [name]: value })).toMatch(new RegExp(`^\\w+ = .* \\(PARLANCE_${name}\\) is not allowed: it has to be .+$`));
  });

  it('is reported in one harmless line, whatever it contains', () => {
    const strange = fc.string({ unit: 'binary', maxLength: 300 }).filter((text) => text !== '');
    fc.assert(
      fc.property(strange, (text) => {
        const line = complaint({ logLevel: text, [`x${text}`]: text });
        // oxlint-disable-next-line no-control-regex
        expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/);
      }),
      { numRuns: 50 },
    );
  });

  it('is ignored if a later source overrides it', () => expect(load({ port: 'x' }, { PORT: '1' }).port).toBe(1));

  it('is not clamped to the allowed range', () => expect(complaint(null, { LIMITS_BLOCK: '10001' })).toContain('limitsBlock = 10001'));
});

describe('an unknown key', () => {
  it('is reported with the most similar known key', () => {
    expect(complaint({ tokenValidMins: 30 })).toBe(
      `tokenValidMins = 30 (${files}.json) is not a known key: did you mean tokenValidMinutes?`,
    );
    expect(complaint(null, { PROT: '80' })).toBe('prot = "80" (PARLANCE_PROT) is not a known key: did you mean port?');
    expect(complaint(null, { ALLOWED_IPV4_ADDRESS_RANGES: '' })).toContain('did you mean allowedIpV4AddressRanges?');
  });

  it('is reported with all known keys if none is similar', () => {
    expect(complaint({ completelyElse: true })).toMatch(/is not a known key: the known keys are host, port, .*, shutdownGraceSeconds$/);
  });

  it('is found within objects', () =>
    expect(complaint({ objectStore: { ...objectStore, regoin: 'x' } })).toContain('objectStore.regoin = "x"'));

  it('in the file is an error even if the environment sets other keys', () => {
    expect(complaint({ prot: 1 }, { PORT: '2' })).toBe(`prot = 1 (${files}.json) is not a known key: did you mean port?`);
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('may be %s', (key) => {
    expect(complaint(`{ "${key}": { "port": 1 } }`)).toContain(`${key} = …`);
  });
});
