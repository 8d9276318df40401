import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ConsoleFiles } from '../src/adapters/console-files.ts';
import { builtConsole, edgeWithConsole, FRAME } from './built-console.ts';
import { raw } from './raw.ts';
import type { EdgeUnderTest } from './rig.ts';

const SCRIPT_PATH = '/app/assets/index-D3x_a8Zk.js';

let above = '';
const built = await builtConsole();
above = built.above;
const files = await ConsoleFiles.readFrom(built.folder);
afterAll(() => rm(above, { recursive: true }));

describe('the web console, for an address', () => {
  let edge: EdgeUnderTest;
  afterAll(() => edge.stop());

  it('is subject to the allowlist and the trusted proxies, but not to the limit of anonymous requests', async () => {
    edge = await edgeWithConsole(files, {
      PARLANCE_ANONYMOUS_REQUESTS_PER_MINUTE: '3',
      PARLANCE_ALLOWED_IP_V4_ADDRESS_RANGES: '192.0.2.0/24',
      PARLANCE_TRUSTED_PROXIES: '127.0.0.0/8,::1/128',
    });
    const ask = (path: string, address = '192.0.2.9') => raw(edge.url, path, { headers: { 'x-forwarded-for': address } });
    for (const path of ['/', '/app', '/app/', SCRIPT_PATH]) {
      const refused = await ask(path, '203.0.113.9');
      expect([path, refused.status, refused.code]).toEqual([path, 403, 'address_not_allowed']);
    }
    for (let index = 0; index < 10; index++) {
      expect((await ask('/')).status).toBe(302);
      expect((await ask(SCRIPT_PATH)).status).toBe(200);
      expect((await ask('/app/nowhere.js')).status).toBe(404);
    }
    const counted = [];
    for (let index = 0; index < 4; index++) counted.push((await ask('/asyncapi.json')).status);
    expect(counted).toEqual([200, 200, 200, 429]);
    expect((await ask(SCRIPT_PATH)).status).toBe(200);
  });
});

describe('the web console with an object store', () => {
  const STORE = { type: 's3', region: 'eu-central-1', bucket: 'parlance', accessKeyId: 'id', secretAccessKey: 'not-a-secret' };

  it.each([
    [STORE, 'https://parlance.s3.eu-central-1.amazonaws.com'],
    [{ ...STORE, endpoint: 'http://s3.internal:9000', forcePathStyle: true }, 'http://s3.internal:9000'],
    [{ ...STORE, endpoint: 'http://s3.internal:9000', publicEndpoint: 'https://files.example.org' }, 'https://parlance.files.example.org'],
  ])('%j may send files to %s and to nothing else', async (store, origin) => {
    const edge = await edgeWithConsole(files, { PARLANCE_OBJECT_STORE: JSON.stringify(store) });
    try {
      const { headers } = await raw(edge.url, '/app/');
      expect(headers['content-security-policy']).toContain(`; connect-src 'self' ${origin};`);
    } finally {
      await edge.stop();
    }
  });
});

describe('the web console of an edge that does not know the object store', () => {
  it('may send files to the origin of uploadOrigin and to nothing else', async () => {
    const edge = await edgeWithConsole(files, { PARLANCE_UPLOAD_ORIGIN: 'https://files.example.org' });
    try {
      const { headers } = await raw(edge.url, '/app/');
      expect(headers['content-security-policy']).toContain(`; connect-src 'self' https://files.example.org;`);
    } finally {
      await edge.stop();
    }
  });
});

describe('the web console with an origin of their own for pages of models', () => {
  const FRAME_PATH = '/app/artifact-frame.html';
  let edge: EdgeUnderTest;
  beforeAll(async () => {
    const origins = {
      PARLANCE_ARTIFACT_ORIGIN: 'https://artifacts.example.net',
      PARLANCE_PUBLIC_BASE_URL: 'https://parlance.example.org/',
    };
    edge = await edgeWithConsole(files, origins);
  });
  afterAll(() => edge.stop());
  const ask = (path: string, host = 'parlance.example.org') => raw(edge.url, path, { headers: { host } });

  it('sends the frame there, and shows frames of that origin and its own only', async () => {
    const { status, headers } = await ask(FRAME_PATH);
    expect([status, headers.location]).toEqual([302, `https://artifacts.example.net${FRAME_PATH}`]);
    expect((await ask('/app/')).headers['content-security-policy']).toContain("; frame-src 'self' https://artifacts.example.net;");
  });
  it('has only the frame there, which only the console may show', async () => {
    const { status, body, headers } = await ask(FRAME_PATH, 'Artifacts.example.net');
    expect([status, body]).toEqual([200, FRAME]);
    const policy = String(headers['content-security-policy']);
    expect(policy).toMatch(/^sandbox allow-scripts; default-src 'none'; .*; frame-ancestors https:\/\/parlance\.example\.org$/);
    for (const path of ['/app/', '/app/c/01JD2V9G6K3MWRX8S5P4Q7T0ZA', SCRIPT_PATH])
      expect([path, (await ask(path, 'artifacts.example.net')).code]).toEqual([path, 'no_such_file']);
  });
});

describe('without the web console', () => {
  it('explains how to build it, if it is not built', async () => {
    const edge = await edgeWithConsole(null);
    try {
      expect((await raw(edge.url, '/')).headers.location).toBe('/app/');
      for (const path of ['/app/', SCRIPT_PATH]) {
        const { status, code, body } = await raw(edge.url, path);
        expect([status, code]).toEqual([404, 'console_not_built']);
        expect(JSON.parse(body)).toMatchObject({ detail: expect.stringContaining('npm run build -w @parlance/console') });
      }
    } finally {
      await edge.stop();
    }
  });

  it('has no paths if it is switched off', async () => {
    const edge = await edgeWithConsole(files, { PARLANCE_CONSOLE: 'false' });
    try {
      for (const path of ['/', '/app', '/app/', SCRIPT_PATH]) {
        const { status, code } = await raw(edge.url, path);
        expect([path, status, code]).toEqual([path, 404, 'no_such_route']);
      }
    } finally {
      await edge.stop();
    }
  });
});
