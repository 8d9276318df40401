import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, watch, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sharedProduct } from '@parlance/testing';
import { environment, makeUser } from './deployment.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const { url } = await sharedProduct(environment);
const { token: session } = await makeUser(url, 'imports-litellm', 'Admin');
const directory = mkdtempSync(join(tmpdir(), 'parlance-litellm-'));
const tokensFile = join(directory, 'tokens.jsonl');

/** Answers each call with the name of the model, as a server that is compatible with OpenAI. */
const upstream = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (text: string) => (body += text));
  request.on('end', () => {
    const { model } = JSON.parse(body) as { model: string };
    const message = { role: 'assistant', content: `${model} with ${request.headers.authorization}` };
    const usage = { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 };
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        id: 'a',
        object: 'chat.completion',
        created: 1,
        model,
        usage,
        choices: [{ index: 0, message, finish_reason: 'stop' }],
      }),
    );
  });
});

const KEYS = 40;
const writeSource = (port: number) => {
  const params = `model: openai/upstream-model, api_base: "http://127.0.0.1:${port}/v1", api_key: os.environ/LITELLM_SPEC_KEY`;
  writeFileSync(
    join(directory, 'config.yaml'),
    `model_list:
  - model_name: litellm-fast
    litellm_params: { ${params}, weight: 2, input_cost_per_token: 0.000001, output_cost_per_token: 0.00001 }
  - model_name: litellm-fast
    litellm_params: { model: hosted_vllm/other, api_base: "http://127.0.0.1:${port}/v1", weight: 1, input_cost_per_token: 0.000001 }
  - model_name: "litellm/*"
    litellm_params: { model: vertex_ai/* }
router_settings: { model_group_alias: { litellm-alias: litellm-fast } }
`,
  );
  const keys = Array.from({ length: KEYS }, (_, index) => ({
    token: `hash-${index}`,
    key_name: `sk-...${index}`,
    key_alias: `litellm-key-${index}`,
    models: ['litellm-fast'],
    team_id: 'team-1',
    rpm_limit: 2,
    ...(index === 0 && { max_budget: 50, budget_duration: '30d', metadata: { tags: ['imported'] } }),
  }));
  writeFileSync(join(directory, 'LiteLLM_VerificationToken.jsonl'), keys.map((key) => JSON.stringify(key)).join('\n'));
  writeFileSync(
    join(directory, 'LiteLLM_TeamTable.csv'),
    'team_id,team_alias,max_budget,budget_duration,models,blocked\nteam-1,LiteLLM Search,90,7d,{},f\n',
  );
};

function run(more: readonly string[], variables: Readonly<Record<string, string>> = {}) {
  const words = ['import-litellm', 'config.yaml', '--database', directory, '--url', url, '--group', 'LiteLLM spec', '--tokens', tokensFile];
  const args = [join(root, 'apps/parlance/dist/main.js'), ...words, '--token-file', join(directory, 'session'), ...more];
  const env = { ...process.env, LITELLM_SPEC_KEY: '', ...variables };
  const child = spawn(join(root, 'node_modules/node/bin/node'), args, { cwd: directory, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = new Promise<{ code: number | null; output: string }>((resolve) => child.once('close', (code) => resolve({ code, output })));
  return { child, ended };
}
const apply = () => run(['--apply'], { LITELLM_SPEC_KEY: 'key-of-upstream' });

const ask = async (method: string, path: string, bearer = session, body?: object) => {
  const headers = { authorization: `Bearer ${bearer}`, ...(body && { 'content-type': 'application/json' }) };
  const answer = await fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text === '' ? null : JSON.parse(text) };
};

interface Line {
  readonly alias: string;
  readonly token_id: string;
  readonly token: string;
}
const lines = (): readonly Line[] =>
  existsSync(tokensFile)
    ? readFileSync(tokensFile, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Line)
    : [];
const importedTokens = async () =>
  ((await ask('GET', '/admin/tokens?limit=1000')).body.tokens as { token_id: string; description: string }[]).filter(({ description }) =>
    description.startsWith('litellm-key-'),
  );

beforeAll(async () => {
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  writeSource((upstream.address() as AddressInfo).port);
  writeFileSync(join(directory, 'session'), session);
});
afterAll(async () => {
  for (const route of ['litellm-fast', 'litellm-alias']) await ask('DELETE', `/admin/routes/${route}`);
  for (const model of ['litellm-fast@openai', 'litellm-fast@hosted-vllm'])
    await ask('DELETE', `/admin/models/${encodeURIComponent(model)}`);
  for (const provider of ['openai', 'hosted-vllm']) await ask('DELETE', `/admin/providers/${provider}`);
  upstream.closeAllConnections();
  upstream.close();
  rmSync(directory, { recursive: true });
});

describe('an import from LiteLLM', () => {
  it('changes nothing without --apply', async () => {
    const { code, output } = await run([]).ended;
    expect([code, output]).toEqual([0, expect.stringContaining('Nothing was changed')]);
    expect(output).toMatch(/^make +route +litellm-fast .*litellm-fast@openai × 2, litellm-fast@hosted-vllm × 1$/m);
    expect(output).toMatch(/^left out +model +litellm\/\*/m);
    expect(output).toMatch(/^token +40 make$/m);
    expect(await importedTokens()).toEqual([]);
    expect(existsSync(tokensFile)).toBe(false);
  });
  it('names a missing variable before it writes anything', async () => {
    const { code, output } = await run(['--apply']).ended;
    expect([code, output]).toEqual([1, expect.stringContaining('the environment lacks LITELLM_SPEC_KEY')]);
    expect((await ask('GET', '/admin/routes/litellm-fast')).status).toBe(404);
  });
  it('continues after it was killed, and makes each token once', async () => {
    const first = apply();
    const watcher = watch(directory, () => void (lines().length >= 5 && first.child.kill('SIGKILL')));
    const { code } = await first.ended;
    watcher.close();
    expect([code, lines().length < KEYS]).toEqual([null, true]);
    const second = await apply().ended;
    expect(second).toEqual({ code: 0, output: expect.stringMatching(/^token +\d+ made, \d+ exists$/m) });
    expect(lines().map(({ alias }) => alias)).toEqual(Array.from({ length: KEYS }, (_, index) => `litellm-key-${index}`));
    expect((await importedTokens()).map(({ token_id }) => token_id).toSorted()).toEqual(
      lines()
        .map(({ token_id }) => token_id)
        .toSorted(),
    );
    expect(existsSync(`${tokensFile}.pending`)).toBe(false);
  });
  it('replaces a token that a killed run has made but not written down', async () => {
    const written = readFileSync(tokensFile, 'utf8').trimEnd().split('\n');
    const lost = JSON.parse(written[0]!) as Line & { readonly mark: string };
    writeFileSync(tokensFile, `${written.slice(1).join('\n')}\n`);
    writeFileSync(`${tokensFile}.pending`, lost.mark);
    expect((await apply().ended).output).toMatch(/^token +1 made, 39 exists$/m);
    expect((await ask('GET', '/v1/models', lost.token)).status).toBe(401);
    const again = lines().find(({ alias }) => alias === lost.alias)!;
    expect([again.token_id === lost.token_id, (await ask('GET', '/v1/models', again.token)).status]).toEqual([false, 200]);
    expect(await importedTokens()).toHaveLength(KEYS);
  });
  it('writes the tokens to a file of its owner, and nowhere else', async () => {
    expect(statSync(tokensFile).mode & 0o777).toBe(0o600);
    const { output } = await apply().ended;
    expect(output).toMatch(/^token +40 exists$/m);
    for (const secret of ['pat_', 'key-of-upstream']) expect(output).not.toContain(secret);
    expect(lines()).toHaveLength(KEYS);
  });
  it('makes tokens that call the models within the limits, the budgets and the prices of LiteLLM', async () => {
    const { token, token_id } = lines().find(({ alias }) => alias === 'litellm-key-0')!;
    const call = (model: string) => ask('POST', '/v1/chat/completions', token, { model, messages: [{ role: 'user', content: 'Hello?' }] });
    const answer = await call('litellm-fast');
    expect(answer.headers.get('x-ratelimit-limit-requests')).toBe('2');
    expect(['0.002', '0.001']).toContain(answer.headers.get('x-parlance-cost'));
    const expected = {
      'litellm-fast@openai': 'upstream-model with Bearer key-of-upstream',
      'litellm-fast@hosted-vllm': 'other with undefined',
    };
    expect(answer.body.choices[0].message.content).toMatch(expected[answer.headers.get('x-parlance-model') as keyof typeof expected]);
    expect((await call('litellm-alias')).body.error.code).toBe('model_not_found');
    await call('litellm-fast');
    expect((await call('litellm-fast')).status).toBe(429);
    const { budgets } = (await ask('GET', '/admin/budgets?limit=1000')).body as { budgets: { scope: string; scope_id: string }[] };
    expect(budgets).toContainEqual(
      expect.objectContaining({ scope: 'token', scope_id: token_id, period: 'MONTH', limit: 50, mode: 'hard' }),
    );
    expect(budgets).toContainEqual(
      expect.objectContaining({ scope: 'cost_centre', scope_id: 'LiteLLM Search', period: 'WEEK', limit: 90 }),
    );
  });
});
