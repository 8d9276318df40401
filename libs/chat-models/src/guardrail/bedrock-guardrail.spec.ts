import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { BedrockGuardrails, GuardrailFailed } from './bedrock-guardrail.ts';

const arn = 'arn:aws:bedrock:eu-west-1:123456789012:guardrail/abc123';
const chunk = {
  content: 'A refund takes fourteen days.',
  content_type: 'text',
  source: 's',
  source_name: 's',
  source_id: 's',
  page_number: null,
  heading: null,
  rank: 1,
  score: 1,
} as const;
const checked = { question: 'How long?', answer: 'Fourteen days.', chunks: [chunk] };
const never = new AbortController().signal;

const passed = { action: 'NONE', outputs: [], assessments: [grounding(0.9, 'NONE')] };
const blocked = { action: 'GUARDRAIL_INTERVENED', outputs: [{ text: 'Not allowed.' }], assessments: [grounding(0.1, 'BLOCKED')] };
const masked = (text: string) => ({
  action: 'GUARDRAIL_INTERVENED',
  outputs: [{ text }],
  assessments: [{ sensitiveInformationPolicy: { piiEntities: [{ type: 'NAME', match: 'Ann', action: 'ANONYMIZED' }] } }],
});

function grounding(score: number, action: string) {
  const filters = [
    { type: 'GROUNDING', threshold: 0.5, score, action },
    { type: 'RELEVANCE', threshold: 0.5, score: 0.8, action: 'NONE' },
  ];
  return { contextualGroundingPolicy: { filters } };
}

type Answer = object | number | 'break' | 'redirect' | 'rubbish';
interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: { readonly content: readonly { readonly text: { readonly text: string; readonly qualifiers?: readonly string[] } }[] };
}

describe('a guardrail of Amazon Bedrock', () => {
  let server: Server;
  let received: Received[] = [];
  let answers: Answer[] = [];
  let guardrails: BedrockGuardrails;
  const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const check = (more: object = {}, version = '3', guardrailArn = arn) =>
    guardrails.check({ arn: guardrailArn, version }, { ...checked, ...more }, never);

  beforeAll(async () => {
    server = createServer((request, response) => {
      void json(request).then((body) => {
        received.push({ path: request.url!, headers: request.headers, body: body as Received['body'] });
        const answer = answers.length > 1 ? answers.shift()! : answers[0]!;
        if (answer === 'break') response.destroy();
        else if (answer === 'redirect') response.writeHead(302, { location: '/elsewhere' }).end();
        else if (answer === 'rubbish') response.end('<html>');
        else if (typeof answer === 'number') response.writeHead(answer).end('{}');
        else response.end(JSON.stringify(answer));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  beforeEach(() => {
    [received, answers] = [[], [passed]];
    const keys = { accessKeyId: 'AKID', secretAccessKey: 'secret' };
    guardrails = new BedrockGuardrails({ url: address(), apiKey: null, keys });
  });
  afterAll(() => {
    guardrails.close();
    server.closeAllConnections();
    server.close();
  });

  it('receives the texts, the question and the answer in a signed call', async () => {
    expect(await check()).toEqual({ verdict: 'passed', text: 'Fourteen days.', grounding: 0.9, relevance: 0.8 });
    const [{ path, headers, body }] = received as [Received];
    expect(path).toBe(`/guardrail/${encodeURIComponent(arn)}/version/3/apply`);
    expect(headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKID\/\d{8}\/eu-west-1\/bedrock\/aws4_request, SignedHeaders=accept;content-type;host;x-amz-date, Signature=[0-9a-f]{64}$/,
    );
    expect(body).toEqual({
      source: 'OUTPUT',
      content: [
        { text: { text: chunk.content, qualifiers: ['grounding_source'] } },
        { text: { text: 'How long?', qualifiers: ['query'] } },
        { text: { text: 'Fourteen days.', qualifiers: ['guard_content'] } },
      ],
    });
  });
  it('is called with an API key instead, and in its draft version if the bot names none', async () => {
    guardrails = new BedrockGuardrails({ url: address(), apiKey: 'key', keys: null });
    await check({}, '');
    expect([received[0]!.headers.authorization, received[0]!.path.endsWith('/version/DRAFT/apply')]).toEqual(['Bearer key', true]);
  });
  it('receives only the answer if nothing was retrieved', async () => {
    await check({ chunks: [] });
    expect(received[0]!.body.content).toEqual([{ text: { text: 'Fourteen days.' } }]);
  });
  it('reports the text units of each call by policy, even if a later call fails', async () => {
    const usage = {
      topicPolicyUnits: 1,
      contentPolicyUnits: 2,
      wordPolicyUnits: 3,
      sensitiveInformationPolicyUnits: 4,
      sensitiveInformationPolicyFreeUnits: 5,
      contextualGroundingPolicyUnits: 6,
    };
    answers = [{ ...passed, usage }, passed, 400];
    const reported: object[] = [];
    const answer = 'Fourteen days. '.repeat(700);
    const checking = guardrails.check({ arn, version: '3' }, { ...checked, answer }, never, (units) => reported.push(units));
    await expect(checking).rejects.toThrow(GuardrailFailed);
    expect(reported).toEqual([
      { content: 2, topic: 1, sensitive_information: 4, contextual_grounding: 6, automated_reasoning: 0 },
      { content: 0, topic: 0, sensitive_information: 0, contextual_grounding: 0, automated_reasoning: 0 },
    ]);
  });
  it('replaces a blocked answer with its own text', async () => {
    answers = [blocked];
    expect(await check()).toEqual({ verdict: 'blocked', text: 'Not allowed.', grounding: 0.1, relevance: 0.8 });
  });
  it('checks a long answer in pieces, and one blocked piece blocks the answer', async () => {
    const answer = `${'Fourteen days. '.repeat(700)}`;
    expect(await check({ answer })).toMatchObject({ verdict: 'passed', text: answer });
    const sent = received.map(({ body }) => body.content[2]!.text.text);
    expect([sent.length, sent.join(''), Math.max(...sent.map(({ length }) => length)) <= 5_000]).toEqual([3, answer, true]);
    answers = [passed, blocked];
    expect(await check({ answer })).toMatchObject({ verdict: 'blocked', text: 'Not allowed.', grounding: 0.1 });
  });
  it('masks a piece of an answer', async () => {
    const answer = `${'Fourteen days. '.repeat(330)}Ann knows.`;
    answers = [masked('{NAME} knows.')];
    expect(await check({ answer: 'Ann knows.' })).toEqual({ verdict: 'masked', text: '{NAME} knows.', grounding: null, relevance: null });
    answers = [passed, masked('{NAME} knows.')];
    const outcome = await check({ answer: `${answer}${' '.repeat(100)}` });
    expect([outcome.verdict, outcome.text.startsWith('Fourteen days. '), outcome.text.endsWith('{NAME} knows.')]).toEqual([
      'masked',
      true,
      true,
    ]);
  });
  it.each(['break', 500, 429] as const)('is called again after %s', async (first) => {
    answers = [first, passed];
    expect((await check()).verdict).toBe('passed');
    expect(received.length).toBe(2);
  });
  it.each([
    ['is down', 500, 2],
    ['breaks the connection', 'break', 2],
    ['redirects', 'redirect', 2],
    ['refuses the call', 403, 1],
    ['answers rubbish', 'rubbish', 1],
    ['gives no verdict', { outputs: [] }, 1],
  ] as const)('gives no verdict when it %s', async (_, answer, calls) => {
    answers = [answer];
    await expect(check()).rejects.toThrow(GuardrailFailed);
    expect(received.length).toBe(calls);
  });
  it.each([
    ['an ARN of another service', 'arn:aws:s3:eu-west-1:123456789012:guardrail/abc', '1'],
    ['a host instead of the region', 'arn:aws:bedrock:evil.example/:123456789012:guardrail/abc', '1'],
    ['a version with a path', arn, '1/../2'],
  ])('is not called with %s', async (_, guardrailArn, version) => {
    await expect(check({}, version, guardrailArn)).rejects.toThrow('not valid');
    expect(received).toEqual([]);
  });
  it('is not called for an answer that it cannot check completely', async () => {
    await expect(check({ answer: 'x'.repeat(100_001) })).rejects.toThrow('100000 characters');
    expect(received).toEqual([]);
  });
  it('is not called for a while after ten failures', async () => {
    answers = [500];
    for (let call = 0; call < 5; call++) await expect(check()).rejects.toThrow('does not answer');
    await expect(check()).rejects.toThrow('does not answer');
    expect(received.length).toBe(10);
  });
  it("stops when its caller's signal is aborted", async () => {
    const ended = guardrails.check({ arn, version: '1' }, checked, AbortSignal.abort(new Error('over')));
    await expect(ended).rejects.toThrow('over');
  });
});
