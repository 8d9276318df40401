import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { asMarkdown, callersGuide, CALLERS_PAGE_POLICY, callersPage, type PublishedDocument, snippetsOf } from '../src/index.ts';

const ENDPOINT = 'https://parlance.example.org/published/01k0000000000000000000000a/api';
const refusal = (code: string) => ({
  content: {
    'application/problem+json': {
      schema: { allOf: [{ $ref: '#/components/schemas/Problem' }, { properties: { code: { enum: [code] } } }] },
    },
  },
});
const document: PublishedDocument = {
  paths: {
    '/conversation': {
      post: {
        operationId: 'post',
        summary: 'Send a message | or two.',
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/AskBody' } } } },
        responses: { 202: {}, 400: refusal('invalid_body'), 404: refusal('new_code'), default: refusal('any') },
      },
    },
    '/conversation/{conversationId}/{messageId}': { get: { operationId: 'get', summary: 'Get a reply.', responses: { 200: {} } } },
  },
  components: {
    schemas: { AskBody: { type: 'object', properties: { message: {}, conversation_id: {} }, required: ['message'] } },
    securitySchemes: {},
  },
};
const golden = (name: string) => readFileSync(new URL(`./golden/${name}`, import.meta.url), 'utf8');

describe('the guide for callers of a published bot', () => {
  it('equals the reviewed version, in Markdown and in HTML', () => {
    expect(asMarkdown(callersGuide(document, ENDPOINT))).toBe(golden('callers-guide.md'));
    expect(callersPage(document, ENDPOINT)).toBe(golden('callers-page.html'));
  });
  it('has the refusals of the document, and the refusals of every request', () => {
    const page = asMarkdown(callersGuide(document, ENDPOINT));
    const rows = [...page.matchAll(/^\| (\d{3}) \| `(\w+)` \| (.+) \|$/gm)].map(([, status, code, todo]) => [status, code, todo]);
    expect(rows).toEqual(
      expect.arrayContaining([
        ['400', 'invalid_body', 'Correct the fields that `errors` names.'],
        ['403', 'invalid_api_key', expect.any(String)],
        ['404', 'new_code', 'See `detail`.'],
        ['429', 'throttled', expect.any(String)],
      ]),
    );
    expect(page).not.toContain('`any`');
  });
  it('shows the OpenAI SDK if the document has its paths', () => {
    const ids = (its: PublishedDocument) => snippetsOf(its, ENDPOINT).map(({ id }) => id);
    expect(ids(document)).toEqual(['curl', 'curl-stream', 'fetch', 'client', 'python']);
    const more = { ...document, paths: { ...document.paths, '/v1/chat/completions': {} } };
    expect(ids(more)).toEqual([...ids(document), 'openai-python', 'openai-javascript']);
  });
  it('mentions the MCP endpoint for agents if the document has it', () => {
    const guide = (paths: PublishedDocument['paths']) => asMarkdown(callersGuide({ ...document, paths }, ENDPOINT));
    expect(guide({ ...document.paths, '/mcp': {} })).toContain(`streamable HTTP at \`${ENDPOINT}/mcp\``);
    expect(guide(document.paths)).not.toContain('/mcp');
  });
  it('loads and runs nothing: the policy of the page allows only its style sheet', () => {
    const page = callersPage(document, ENDPOINT);
    const [, style = ''] = /<style>([^]*?)<\/style>/.exec(page) ?? [];
    expect(CALLERS_PAGE_POLICY).toContain(`style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`);
    expect(CALLERS_PAGE_POLICY).toMatch(/^default-src 'none';/);
    expect(page).not.toMatch(/<(script|link|img|iframe|form)\b|\s(on\w+|src|href|style)=/);
  });
  it('escapes text', () => {
    const endpoint = `https://a.example/<script>alert('x')</script>`;
    const page = callersPage(document, endpoint);
    expect(page).not.toContain('<script>');
    expect(page).toContain('&lt;script&gt;alert(&#39;x&#39;)');
    expect(snippetsOf(document, endpoint)[0]?.code).toContain(`'https://a.example/<script>alert('\\''x'\\'')</script>'`);
  });
});
