import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Parlance } from '@parlance/client';
import { CALLERS_PAGE_POLICY, callersPage, type PublishedDocument, type Snippet, snippetsOf } from '@parlance/openapi';
import { sharedProduct } from '@parlance/testing';
import { admin, environment } from './deployment.ts';

const run = promisify(execFile);
const { url } = await sharedProduct(environment);
const root = fileURLToPath(new URL('../../..', import.meta.url));
const REPLY = /offline model/;

/** Why a program cannot be run here, or null. */
const lacking = async (command: string, ...args: string[]): Promise<string | null> =>
  run(command, args).then(
    () => null,
    () => `${command} ${args.join(' ')} fails here`,
  );
const lacks = {
  sh: await lacking('curl', '--version'),
  python: await lacking('python3', '-c', 'import requests'),
  openai: await lacking('python3', '-c', 'import openai'),
};
const programs = (language: string, reason: string | null, tests: () => void) =>
  (reason === null ? describe : describe.skip)(`programs ${language}${reason === null ? '' : ` (${reason})`}`, tests);

describe('the guide for callers of a published bot', () => {
  let folder: string;
  let endpoint: string;
  let key: string;
  let document: PublishedDocument;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-guide-'));
    const { bots, ...client } = new Parlance({ baseUrl: url });
    await client.session.signIn(admin.email, admin.password);
    const { id } = await bots.create({ title: 'Guide' });
    await bots.share(id, { target_shared_scope: 'all' });
    const published = await bots.publish(id, { allowed_origins: ['*'] });
    endpoint = published.endpoint!;
    key = (await bots.createKey(id, { description: 'Guide' })).value;
    document = (await (await fetch(`${endpoint}/openapi.json`)).json()) as PublishedDocument;
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** The output of a program of the guide. */
  const outputOf = async (id: Snippet['id'], apiKey = key): Promise<string> => {
    const { language, code } = snippetsOf(document, endpoint).find((snippet) => snippet.id === id)!;
    const env = { ...process.env, PARLANCE_API_KEY: apiKey };
    if (language === 'js') {
      // A folder in which the packages are installed.
      const cwd = join(root, id === 'openai-javascript' ? 'apps/inference' : '.');
      return (await run(process.execPath, ['--input-type=module', '--eval', code], { cwd, env })).stdout;
    }
    const file = join(folder, `${id}.${language}`);
    await writeFile(file, code);
    return (await run(language === 'sh' ? 'bash' : 'python3', [file], { cwd: folder, env })).stdout;
  };
  it('is a page at the endpoint, and needs no key', async () => {
    const answer = await fetch(`${endpoint}/docs`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(answer.headers.get('content-security-policy')).toBe(CALLERS_PAGE_POLICY);
    const page = await answer.text();
    const [address = ''] = /http[^<]*\/published\/[^<]*(?=<\/code>)/.exec(page) ?? [];
    expect(new URL(address).pathname).toBe(new URL(endpoint).pathname);
    expect(page).toBe(callersPage(document, address));
    expect(page).toContain('POST /conversation');
  });
  it('is not served at other paths', async () => {
    for (const path of [endpoint.replace(/\/published\/.{5}/, '/published/01k00'), `${endpoint}x`]) {
      const answer = await fetch(`${path}/docs`);
      expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([404, 'not_published']);
    }
  });
  programs('in a shell', lacks.sh, () => {
    it('poll for the reply', async () => {
      expect(JSON.parse(await outputOf('curl'))).toMatchObject({ status: 'completed', message: { role: 'assistant' } });
      await expect(outputOf('curl', 'prl_wrong')).rejects.toMatchObject({ stdout: expect.stringContaining('invalid_api_key') });
    });
    it('stream the reply', async () => {
      const events = [...(await outputOf('curl-stream')).matchAll(/^event: (\w+)$/gm)].map(([, event]) => event);
      expect(events).toEqual(['start', 'delta', 'done']);
    });
  });
  programs('in JavaScript', null, () => {
    it.each(['fetch', 'client', 'openai-javascript'] as const)('print the reply: %s', async (id) => {
      expect(await outputOf(id)).toMatch(REPLY);
      await expect(outputOf(id, 'prl_wrong')).rejects.toMatchObject({ stderr: expect.stringContaining('invalid_api_key') });
    });
  });
  programs('in Python', lacks.python, () => {
    it('print the reply', async () => {
      expect(await outputOf('python')).toMatch(REPLY);
      await expect(outputOf('python', 'prl_wrong')).rejects.toMatchObject({ stderr: expect.stringContaining('403') });
    });
  });
  programs('in Python with the OpenAI SDK', lacks.openai, () => {
    it('print the reply', async () => expect(await outputOf('openai-python')).toMatch(REPLY));
  });
});
