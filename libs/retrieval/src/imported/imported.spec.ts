import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { retrieverCases } from '../../test/imported-retriever-contract.ts';
import { type Received, StandIn } from '../../test/stand-in.ts';
import { MOST_CHUNK_CHARACTERS, MOST_IMPORTED_CHUNKS, type ImportedRetriever } from './imported-retriever.ts';
import { openRetrievers, type RetrieverSettings } from './open-retrievers.ts';
import { chunksOf } from './retrieval-answer.ts';

const none = {
  url: null,
  bot_id: null,
  token: null,
  email: null,
  password: null,
  knowledge_base_id: null,
  region: null,
  access_key_id: null,
  secret_access_key: null,
};
const key = 'canary-5e1f';
const { signal } = new AbortController();
const bot_id = '01JD0000000000000000000000';
const source = 's3://handbook/leave.pdf';

let server: StandIn;
let retriever: ImportedRetriever;
beforeEach(async () => (server = await StandIn.open()));
afterEach(async () => {
  await retriever.close();
  await server.close();
});

function open(type: RetrieverSettings['type'], settings: Partial<RetrieverSettings> = {}): ImportedRetriever {
  const wiki = { ...none, url: server.url, token: key, ...settings, type };
  return (retriever = openRetrievers({ retrievers: { wiki } }).get('wiki')!);
}

const pages = (query: unknown, most: number) =>
  [1, 2, 3, 4, 5].slice(0, most).map((page) => ({ page, text: `Rule ${page} for ${String(query)}.` }));

/** The contract's knowledge base as an HTTP endpoint. */
const endpoint = ({ body }: Received) => ({
  body: {
    results: pages(body['query'], body['max_results'] as number).map(({ page, text }) => ({
      id: `c${page}`,
      text,
      source,
      source_name: 'leave.pdf',
      page_number: page,
      heading: null,
      score: 1 / page,
      rank: page,
    })),
  },
});

/** The same as the search of another Parlance installation. */
const parlance = (request: Received) => ({
  body: {
    results: endpoint(request).body.results.map(({ text, ...chunk }) => ({
      ...chunk,
      content: text,
      content_type: 'text',
      source_id: source,
    })),
    search_type: 'lexical',
    reranked: false,
    timings: { total: 1 },
  },
});

/** The same as an Amazon Bedrock knowledge base. */
const knowledgeBase = ({ body }: Received) => ({
  body: {
    retrievalResults: pages(
      (body['retrievalQuery'] as { text: string }).text,
      (body['retrievalConfiguration'] as { vectorSearchConfiguration: { numberOfResults: number } }).vectorSearchConfiguration
        .numberOfResults,
    ).map(({ page, text }) => ({
      content: { type: 'TEXT', text },
      location: { type: 'S3', s3Location: { uri: source } },
      metadata: { 'x-amz-bedrock-kb-chunk-id': `c${page}`, 'x-amz-bedrock-kb-document-page-number': page },
      score: 1 / page,
    })),
  },
});

const aws = { knowledge_base_id: 'KB1', region: 'us-east-1', access_key_id: 'AKIACANARY', secret_access_key: key, token: null };

describe.each([
  ['http', {}, endpoint],
  ['parlance', { bot_id }, parlance],
  ['bedrock', aws, knowledgeBase],
] as const)('a knowledge base of the type %s', (type, settings, respond) => {
  beforeEach(() => {
    server.respond = respond;
  });

  it.each(retrieverCases)('$name', ({ run }) => run(open(type, settings)));

  it('is called with its credentials and the number of results', async () => {
    await open(type, settings).retrieve('parents', { limit: 3, signal });
    const [{ path, headers, body }] = server.received as [Received];
    if (type === 'bedrock') {
      expect(path).toBe('/knowledgebases/KB1/retrieve');
      expect(headers.authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=AKIACANARY\/\d{8}\/us-east-1\/bedrock/);
    } else {
      expect(path).toBe(type === 'http' ? '/' : `/bot/${bot_id}/knowledge/search`);
      expect(headers.authorization).toBe(`Bearer ${key}`);
      expect(body).toEqual({ query: 'parents', max_results: 3 });
    }
  });

  it('is called again if it is overloaded', async () => {
    const answers = [{ status: 503 }];
    server.respond = (request) => answers.pop() ?? respond(request);
    expect(await open(type, settings).retrieve('parents', { limit: 3, signal })).toHaveLength(3);
  });

  it.each([
    [
      () => ({ status: 403, body: { message: `${key} is not allowed` } }),
      "can't be used: it answered 403. Check the credentials and their rights.",
    ],
    [() => ({ status: 500 }), 'is not available: it answered 500.'],
    [() => 'break' as const, 'is not available: the connection failed.'],
    [() => ({ body: `"${'a'.repeat(2 * 1024 ** 2)}"` }), "can't be used: its answer is larger than 2097152 bytes."],
  ])('is reported in a message without its address and texts: %#', async (answer, reason) => {
    server.respond = answer;
    const failure = open(type, settings).retrieve('parents', { limit: 3, signal });
    await expect(failure).rejects.toHaveProperty('message', `The knowledge base wiki ${reason}`);
  });
});

it('a long chunk of another Parlance is cut', async () => {
  server.respond = () => ({ body: { results: [{ content: 'a'.repeat(MOST_CHUNK_CHARACTERS + 1), source }] } });
  const [chunk] = await open('parlance', { bot_id }).retrieve('parents', { limit: 1, signal });
  expect(chunk!.text).toHaveLength(MOST_CHUNK_CHARACTERS);
});

describe('an account of another Parlance', () => {
  const account = { bot_id, token: null, email: 'a@example.org', password: key };
  let expires_in: number;
  let ended: boolean;
  beforeEach(() => {
    expires_in = 1_800;
    ended = false;
    let tokens = 0;
    server.respond = (request) => {
      if (request.path === '/auth/refresh' && ended) return { status: 401 };
      if (request.path.startsWith('/auth/')) return { body: { access_token: `t${++tokens}`, refresh_token: `r${tokens}`, expires_in } };
      return parlance(request);
    };
  });
  const search = () => retriever.retrieve('parents', { limit: 1, signal });
  const asked = () => server.received.map(({ path, headers }) => (path.startsWith('/auth/') ? path : headers.authorization));

  it('signs in once for searches at the same time', async () => {
    open('parlance', account);
    await Promise.all([search(), search()]);
    await search();
    expect(asked()).toEqual(['/auth/sign-in', 'Bearer t1', 'Bearer t1', 'Bearer t1']);
    expect(server.received[0]!.body).toEqual({ email: 'a@example.org', password: key });
  });

  it('renews its session before the token ends', async () => {
    open('parlance', account);
    expires_in = 30;
    await search();
    await search();
    expect(asked()).toEqual(['/auth/sign-in', 'Bearer t1', '/auth/refresh', 'Bearer t2']);
    expect(server.received[2]!.body).toEqual({ refresh_token: 'r1' });
  });

  it('signs in again if its session has been ended', async () => {
    open('parlance', account);
    expires_in = 30;
    await search();
    ended = true;
    await search();
    expect(asked().slice(2)).toEqual(['/auth/refresh', '/auth/sign-in', 'Bearer t2']);
  });
});

describe('the contract of a retrieval endpoint', () => {
  const page = readFileSync(new URL('../../../../docs/reference/retrieval-endpoint.md', import.meta.url), 'utf8');
  const blocks = [...page.matchAll(/```json\n(.*?)```/gs)].map(([, text]) => JSON.parse(text!) as Record<string, unknown>);
  const schema = blocks.find((block) => block['title'] === 'Answer of a retrieval endpoint')!;
  const isValid = new Ajv2020().compile(schema);
  const chunk = { text: 'Ten days.', source: 'leave.pdf' };

  beforeEach(() => {
    open('http');
  });

  it('is documented by a schema that its example satisfies', () => {
    const example = blocks.find((block) => 'results' in block)!;
    expect(isValid(example)).toBe(true);
    expect(chunksOf(example, 5)).toHaveLength((example['results'] as unknown[]).length);
  });

  it.each([
    { results: [] },
    { results: [chunk] },
    { results: [{ ...chunk, id: null, heading: 'Leave', page_number: 3, score: -1.5, more: [] }], took: 3 },
  ])('takes %j', (answer) => {
    expect(isValid(answer)).toBe(true);
    expect(chunksOf(answer, 5)).toHaveLength(answer.results.length);
  });

  it.each([
    [[], '`results` of its answer has to be a list'],
    [{ results: {} }, '`results` of its answer has to be a list'],
    [{ results: ['text'] }, 'results[0] of its answer has to be an object'],
    [{ results: [chunk, { source: 'a' }] }, 'results[1].text of its answer has to be a text'],
    [{ results: [{ text: 'a' }] }, 'results[0].source of its answer has to be a text'],
    [{ results: [{ ...chunk, text: '' }] }, 'results[0].text of its answer has to be a text of 1 to 65536 characters'],
    [{ results: [{ ...chunk, text: 'a'.repeat(65_537) }] }, 'results[0].text of its answer has to be a text of 1 to 65536 characters'],
    [
      { results: [{ ...chunk, page_number: 1.5 }] },
      'results[0].page_number of its answer has to be a whole number from 1 to 1000000 or null',
    ],
    [
      { results: [{ ...chunk, page_number: 0 }] },
      'results[0].page_number of its answer has to be a whole number from 1 to 1000000 or null',
    ],
    [{ results: [{ ...chunk, score: '1' }] }, 'results[0].score of its answer has to be a number or null'],
    [{ results: [{ ...chunk, heading: 7 }] }, 'results[0].heading of its answer has to be a text of 1 to 2048 characters'],
  ])('refuses %#: %j', async (answer, reason) => {
    expect(isValid(answer)).toBe(false);
    server.respond = () => ({ body: answer });
    await expect(retriever.retrieve('q', { limit: 5, signal })).rejects.toThrow(reason);
  });

  it('refuses more results than requested', () =>
    expect(() => chunksOf({ results: [chunk, chunk] }, 1)).toThrow('a list of at most 1 chunks'));

  it('has the same limit of results as the schema', () =>
    expect((schema as { properties: { results: { maxItems: number } } }).properties.results.maxItems).toBe(MOST_IMPORTED_CHUNKS));
});
